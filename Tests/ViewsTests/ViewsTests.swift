// SPDX-License-Identifier: Apache-2.0
// The JSON of accounts and posts: exact, and with every member that clients require.

import Domain
import Events
import Testing

@testable import Views

/// The names of the members of the outermost object, in order; nil when it is not well-formed enough to tell.
private func members(_ json: [UInt8]) -> [String] {
    var names: [String] = []
    var depth = 0
    var text: [UInt8]?
    var last: String?
    var index = 0
    while index < json.count {
        let byte = json[index]
        index += 1
        if var open = text {
            if byte == UInt8(ascii: "\\") {
                index += 1
            } else if byte == UInt8(ascii: "\"") {
                last = String(decoding: open, as: UTF8.self)
                text = nil
                continue
            }
            open.append(byte)
            text = open
            continue
        }
        switch byte {
        case UInt8(ascii: "\""): text = []
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ":") where depth == 1: if let last { names.append(last) }
        default: break
        }
    }
    #expect(depth == 0)
    return names
}

@Suite struct ViewsTests {
    let account: AccountSnapshot
    let post: PostSnapshot

    init() throws {
        let username = try #require(Username("minji"))
        account = AccountSnapshot(
            id: AccountID(1),
            username: username,
            displayName: "민지 \"M\"",
            note: "hi\n#마당",
            fields: [ProfileField(name: "web", value: "https://a.example")],
            createdAt: Timestamp(milliseconds: 1_767_323_045_678),
            lastPostAt: Timestamp(milliseconds: 1_767_323_045_678),
            postsCount: -1,
            version: 1
        )
        post = PostSnapshot(
            id: PostID(2),
            accountID: AccountID(1),
            text: "안녕 @minji #마당",
            language: "ko",
            mentions: [MentionSnapshot(id: AccountID(1), username: username)],
            tags: ["마당"],
            app: AppSnapshot(name: "toot", website: nil),
            createdAt: Timestamp(milliseconds: 1_767_323_045_678),
            version: 1
        )
    }

    @Test func accountsHaveWhatClientsRequire() {
        let json = AccountView(account, site: site).json()
        let names = members(json)
        let required = [
            "acct", "avatar", "avatar_static", "bot", "created_at", "display_name", "emojis", "fields",
            "followers_count",
            "following_count", "group", "header", "header_static", "id", "indexable", "locked", "note",
            "statuses_count", "uri",
            "username", "url",
        ]
        #expect(Set(required).isSubset(of: names))
        #expect(Set(names).count == names.count)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""id":"1""#) && text.contains(#""display_name":"민지 \"M\"""#))
        #expect(
            text.contains(#""created_at":"2026-01-02T03:04:05.678Z""#)
                && text.contains(#""last_status_at":"2026-01-02""#)
        )
        #expect(text.contains(#""avatar":"http://localhost:3000/assets/avatar.png""#))
        #expect(text.contains(#""statuses_count":0"#))
    }

    @Test func statusesHaveWhatClientsRequire() {
        let required = [
            "account", "content", "created_at", "emojis", "favourites_count", "id", "media_attachments", "mentions",
            "reblogs_count", "replies_count", "sensitive", "spoiler_text", "tags", "uri", "visibility", "url", "card",
            "poll",
        ]
        let flags = ["favourited", "reblogged", "bookmarked", "muted", "filtered"]
        let plain = members(StatusView(post, author: account, site: site).json())
        #expect(Set(required).isSubset(of: plain) && Set(plain).count == plain.count)
        #expect(Set(plain).isDisjoint(with: flags + ["text"]))
        let full = StatusView(post, author: account, viewer: .init(favourited: true), withText: true, site: site)
        #expect(Set(required + flags + ["text"]).isSubset(of: members(full.json())))
        let boost = StatusView.Boost(
            id: PostID(3),
            account: account,
            visibility: .public,
            createdAt: Timestamp(milliseconds: 0)
        )
        let wrapper = StatusView(post, author: account, boost: boost, viewer: .init(), site: site).json()
        #expect(Set(required + flags + ["reblog"]).isSubset(of: members(wrapper)))
        let text = String(decoding: wrapper, as: UTF8.self)
        #expect(text.hasPrefix(#"{"id":"3""#) && text.contains(#""reblog":{"id":"2""#))
    }

    @Test func aTemplateIsFilledToWhatIsWrittenAtOnce() throws {
        let boost = StatusView.Boost(id: PostID(3), account: account, visibility: .public, createdAt: post.createdAt)
        let seen =
            [nil]
            + (0..<16).map { bits in
                StatusView.Viewer(
                    favourited: bits & 1 != 0,
                    boosted: bits & 2 != 0,
                    bookmarked: bits & 4 != 0,
                    muted: bits & 8 != 0
                )
            }
        for boost in [nil, boost] {
            let template = try #require(StatusTemplate(post, author: account, card: nil, boost: boost, site: site))
            for viewer in seen {
                let atOnce = StatusView(post, author: account, boost: boost, viewer: viewer, site: site)
                #expect(template.filled(for: viewer).json() == atOnce.json())
            }
            let several = [nil, seen[1]].map { template.filled(for: $0) }
            var json = JSONWriter()
            json.array(several)
            #expect(json.bytes.count == several.map { $0.json().count }.reduce(3, +))
        }
    }

    @Test func aPostWithLinksThatEndHasNoTemplate() {
        var post = post
        let file = MediaProcessed(
            mediaID: MediaID(1),
            ownerID: account.id,
            type: .image,
            original: RenditionSnapshot(url: "a.jpg", width: 400, height: 200),
            mimeType: "image/jpeg",
            bytes: 1234,
            subjectVersion: 1
        )
        post.media = [MediaSnapshot(file)]
        for (visibility, isThere) in [
            (Visibility.public, true), (.unlisted, true), (.private, false), (.direct, false),
        ] {
            post.visibility = visibility
            #expect((StatusTemplate(post, author: account, card: nil, site: site) != nil) == isThere)
        }
    }

    @Test func textIsEscapedAsJSONWantsIt() {
        var json = JSONWriter()
        json.array { json in
            json.string("\"\\/\n\r\t\u{0}\u{1f}\u{7f} 마당 😀\u{2028}")
            json.integer(.min)
            json.bool(true)
            json.null()
            json.object { $0.member("a", [String]()) }
            json.array { _ in }
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == "[\"\\\"\\\\/\\n\\r\\t\\u0000\\u001f\u{7f} 마당 😀\u{2028}\",-9223372036854775808,true,null,{\"a\":[]},[]]"
        )
    }
}

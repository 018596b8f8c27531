// SPDX-License-Identifier: Apache-2.0
// What may be posted.

import Domain
import HTTPTypes
import Testing
import Web

@testable import PostsService

@Suite struct PostDraftTests {
    private func draft(_ query: String) throws -> Post.Draft {
        try Post.Draft(
            Request(method: .post, path: "/", query: query).parameters(),
            limits: Limits()
        )
    }

    @Test func readsEveryPart() throws {
        let draft = try draft(
            "status=hello&spoiler_text=careful&visibility=unlisted&language=ko&in_reply_to_id=42&sensitive=false"
        )
        #expect(draft.text == "hello")
        #expect(draft.spoilerText == "careful")
        #expect(draft.sensitive == true, "a warning makes a post sensitive")
        #expect(draft.visibility == .unlisted)
        #expect(draft.language == "ko")
        #expect(draft.inReplyToID == PostID(42))
    }

    @Test func leavesToTheAccountWhatIsNotSaid() throws {
        let draft = try draft("status=hello&visibility=&language=")
        #expect(draft.sensitive == nil)
        #expect(draft.visibility == nil)
        #expect(draft.language == nil)
        #expect(draft.inReplyToID == nil)
    }

    @Test func takesAWarningAloneForTheText() throws {
        let draft = try draft("status=%20&spoiler_text=only%20this")
        #expect(draft.text == "only this")
        #expect(draft.spoilerText.isEmpty)
    }

    @Test(arguments: [
        ("status=", Post.Rejection.empty),
        ("status=%20%0A", .empty),
        ("", .empty),
        ("status=a&visibility=secret", .unknownVisibility),
        ("status=a&language=xx", .unknownLanguage),
        ("status=a&media_ids[]=x", .fileNotFound),
        ("media_ids[]=1&media_ids[]=2&media_ids[]=3&media_ids[]=4&media_ids[]=5", .tooManyFiles(4)),
        ("media_ids[]=&status=", .empty),
        ("status=a&poll[options][]=x", .notOffered("poll")),
        ("status=a&scheduled_at=2030-01-01T00:00:00Z", .notOffered("scheduled_at")),
        ("status=a&quoted_status_id=1", .notOffered("quoted_status_id")),
    ])
    func refuses(query: String, rejection: Post.Rejection) {
        #expect(throws: rejection) { _ = try draft(query) }
    }

    @Test func takesFilesForAPost() throws {
        let draft = try draft("media_ids[]=8&media_ids[]=7&media_ids[]=8&spoiler_text=careful")
        #expect(draft.mediaIDs == [8, 7].map(MediaID.init))
        #expect(draft.text.isEmpty && draft.spoilerText == "careful")
        #expect(try self.draft("status=a").fingerprint != self.draft("status=a&media_ids[]=8").fingerprint)
    }

    @Test func countsTextAndWarningTogether() throws {
        let long = String(repeating: "a", count: 490)
        #expect(throws: Post.Rejection.tooLong(500)) { _ = try draft("status=\(long)&spoiler_text=12345678901") }
        #expect(try draft("status=\(long)&spoiler_text=1234567890").text == long)
    }

    @Test func knowsLanguages() {
        for code in ["en", "ko", "zh-TW", "zh-Hant", "ain", "EN", "pt-BR"] { #expect(LanguageCode(code) != nil) }
        for code in ["xx", "e", "english", "en_", "en-", "-", "1a", "en-U1", "한글"] {
            #expect(LanguageCode(code) == nil)
        }
    }

    @Test func fingerprintsDifferWithEveryPart() throws {
        let drafts = [
            "status=a", "status=b", "status=a&spoiler_text=b", "status=a&visibility=public", "status=a&language=en",
            "status=a&in_reply_to_id=1", "status=a&sensitive=true",
        ]
        #expect(Set(try drafts.map { try draft($0).fingerprint }).count == drafts.count)
        #expect(try draft("status=a").fingerprint == draft("status=a").fingerprint)
    }
}

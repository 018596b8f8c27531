// SPDX-License-Identifier: Apache-2.0
// What the gateway is answered: kinds, order, offsets, places, excerpts, and any text at all (B18).

import Calls
import Domain
import Events
import Foundation
import HTTPTypes
import NIOCore
import Support
import Testing
import Views
import Web

@testable import SearchService

@Suite struct FindTests {
    private static func ask(_ question: SearchQuestion, _ world: SearchWorld, as viewer: Int64? = 7) async throws
        -> SearchFindings
    {
        let json = String(decoding: question.json(), as: UTF8.self)
        let answer = await world.send(.post, "/internal/search", json: json, as: viewer.map { AccountID($0) })
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try #require(SearchFindings(answer: ByteBuffer(bytes: answer.body)))
    }

    private static func found(_ text: String, _ kind: FoundKind, _ world: SearchWorld, as viewer: Int64? = 7)
        async throws
        -> [Int64]
    {
        try await ask(SearchQuestion(text, [kind]), world, as: viewer)[kind].map(\.id)
    }

    @Test func `accounts are found by their names, then by the words of their profiles`() async throws {
        try await SearchWorld.run { world in
            try await world.tell(
                ProfileUpdated(account: SearchWorld.account(1, "김민수", username: "minsu")),
                ProfileUpdated(account: SearchWorld.account(2, "이서연", username: "seoyeon", note: "민수와 책을 읽어요")),
                ProfileUpdated(account: SearchWorld.account(3, "박", username: "park", note: "민수", discoverable: false))
            )
            #expect(try await Self.found("민수", .account, world) == [1, 2])
            #expect(try await Self.found("ㄱㅁㅅ", .account, world) == [1])
            for text in ["minsu", "@minsu", "@minsu@madang.test", "MINSU@madang.test"] {
                #expect(try await Self.found(text, .account, world).first == 1, "\(text)")
            }
            #expect(try await Self.found("@minsu@elsewhere.test", .account, world).contains(1) == false)
            var question = SearchQuestion("민수", [.account], isCompletion: true)
            #expect(try await Self.ask(question, world)[.account].map(\.id) == [1])
            question.isCompletion = false
            question.isFollowed = true
            #expect(try await Self.ask(question, world)[.account].isEmpty)
            let follower = SearchWorld.account(7)
            try await world.tell(
                AccountFollowed(actor: follower, targetID: AccountID(2), followedAt: SearchWorld.now, subjectVersion: 3)
            )
            #expect(try await Self.ask(question, world)[.account].map(\.id) == [2])
            question.text = "seo"
            #expect(try await Self.ask(question, world)[.account].map(\.id) == [2])
        }
    }

    @Test func `an offset goes on where a page ended, through a thousand`() async throws {
        try await SearchWorld.run(segmentSize: 300) { world in
            let author = SearchWorld.account(1)
            let events = (Int64(1)...1100).map {
                Told(PostCreated(author: author, post: SearchWorld.post(SearchWorld.id($0), by: 1, "같은 글 \($0)")))
            }
            try await world.tell(events)
            var seen: [Int64] = []
            for offset in stride(from: 0, through: 1000, by: 40) {
                let question = SearchQuestion("같은", [.post], limit: 40, offset: offset)
                seen += try await Self.ask(question, world)[.post].map(\.id)
            }
            #expect(seen.count == 1040)
            #expect(Set(seen).count == 1040)
            let question = SearchQuestion("같은", [.post], before: SearchWorld.id(10), after: SearchWorld.id(7))
            #expect(try await Self.ask(question, world)[.post].map(\.id) == [SearchWorld.id(9), SearchWorld.id(8)])
        }
    }

    @Test func `hashtags are told with a week of their use`() async throws {
        try await SearchWorld.run { world in
            let (one, two) = (SearchWorld.account(1), SearchWorld.account(2))
            let yesterday = SearchWorld.id(1, ago: .seconds(86_400))
            try await world.tell(
                PostCreated(author: one, post: SearchWorld.post(SearchWorld.id(1), by: 1, "#여행 하나")),
                PostCreated(author: one, post: SearchWorld.post(SearchWorld.id(2), by: 1, "#여행 둘")),
                PostCreated(author: two, post: SearchWorld.post(SearchWorld.id(3), by: 2, "#여행")),
                PostCreated(author: two, post: SearchWorld.post(yesterday, by: 2, "#여행")),
                PostCreated(
                    author: two,
                    post: SearchWorld.post(SearchWorld.id(4), by: 2, "#여행비밀", visibility: .private)
                )
            )
            let tags = try await Self.ask(SearchQuestion("#여", [.hashtag]), world).hashtags.map { try JSON(bytes: $0) }
            #expect(tags.count == 1)
            let tag = try #require(tags.first)
            #expect(tag["name"] == "여행")
            #expect(tag["url"]?.text?.hasPrefix("https://madang.test/tags/") == true)
            #expect(tag["history"]?.elements.count == 7)
            #expect(tag["history"]?[0]?["uses"] == "3" && tag["history"]?[0]?["accounts"] == "2")
            #expect(tag["history"]?[1]?["uses"] == "1" && tag["history"]?[2]?["uses"] == "0")
        }
    }

    @Test func `in a playground its members, channels and messages are found`() async throws {
        try await SearchWorld.run { world in
            let general = SearchWorld.channel(11, in: 10, "일반")
            let secret = SearchWorld.channel(12, in: 10, "비밀 책", type: .private)
            let other = SearchWorld.channel(21, in: 20, "일반")
            try await world.tell(
                PlaygroundCreated(playground: SearchWorld.playground(10, "책 마당")),
                ChannelCreated(channel: general),
                ChannelCreated(channel: secret),
                ChannelCreated(channel: other),
                SearchWorld.joined(7, channel: nil, playground: 10),
                SearchWorld.joined(7, channel: 11, playground: 10),
                SearchWorld.joined(7, channel: 21, playground: 20),
                SearchWorld.joined(8, channel: nil, playground: 10),
                SearchWorld.joined(9, channel: nil, playground: 20),
                ProfileUpdated(account: SearchWorld.account(7)),
                ProfileUpdated(account: SearchWorld.account(8)),
                ProfileUpdated(account: SearchWorld.account(9)),
                SearchWorld.sent(SearchWorld.message(101, by: 8, in: 11, "책 이야기"), in: general),
                SearchWorld.sent(SearchWorld.message(102, by: 8, in: 12, "책 비밀"), in: secret),
                SearchWorld.sent(SearchWorld.message(103, by: 8, in: 21, "다른 책"), in: other)
            )
            func inside(_ text: String, _ kind: FoundKind, _ place: Int64) async throws -> [Int64] {
                try await Self.ask(SearchQuestion(text, [kind], place: place), world)[kind].map(\.id)
            }
            #expect(try await inside("책", .message, 10) == [101])
            #expect(try await inside("책", .message, 11) == [101])
            #expect(try await inside("책", .message, 12) == [])
            #expect(try await inside("책", .channel, 10) == [])
            #expect(try await inside("일반", .channel, 10) == [11])
            #expect(Set(try await inside("p", .account, 10)) == [7, 8])
            #expect(try await inside("p", .account, 20) == [], "who is not in a place does not learn who is")
            #expect(Set(try await Self.found("책 in:일반", .message, world)) == [101, 103])
            #expect(try await Self.found("책 in:책마당", .message, world) == [101])
            #expect(try await Self.found("책 in:11", .message, world) == [101])
            #expect(try await Self.found("책 -in:11", .message, world) == [103])
            #expect(try await Self.found("책 in:nowhere", .message, world) == [])
            #expect(try await Self.found("책", .message, world, as: nil) == [])
        }
    }

    @Test func `an excerpt is the text around what matched, as HTML`() async throws {
        try await SearchWorld.run { world in
            let long =
                String(repeating: "가나다라 ", count: 200) + "<b>\"한강\"&'</b> " + String(repeating: "마바사아 ", count: 200)
            let author = SearchWorld.account(1)
            try await world.tell(
                PostCreated(author: author, post: SearchWorld.post(SearchWorld.id(1), by: 1, "짧은 한강\n글")),
                PostCreated(author: author, post: SearchWorld.post(SearchWorld.id(2), by: 1, long))
            )
            let found = try await Self.ask(SearchQuestion("한강 ", [.post]), world)[.post]
            let short = found.first { $0.id == SearchWorld.id(1) }
            #expect(short?.excerpt == "짧은 <em>한강</em> 글")
            let excerpt = try #require(found.first { $0.id == SearchWorld.id(2) }?.excerpt)
            #expect(excerpt.contains("&lt;b&gt;&quot;<em>한강</em>&quot;&amp;&#39;&lt;/b&gt;"))
            let text = excerpt.replacing(/<\/?em>/, with: "").replacing(/&[a-z#0-9]+;/, with: "x")
            #expect(text.count == Excerpt.length + 2 && text.hasPrefix("…") && text.hasSuffix("…"))
        }
    }

    @Test func `every text is answered`() async throws {
        try await SearchWorld.run { world in
            let author = SearchWorld.account(1)
            try await world.tell(
                PostCreated(author: author, post: SearchWorld.post(SearchWorld.id(1), by: 1, "100% _under_ \\back 글"))
            )
            let texts: [String] = [
                "", " ", "\"", "\"\"", "-", "--", "-\"", "from:", "from:@", "in:", "has:", "before:0000",
                "after:9999-99-99", "%", "_", "\\",
                "\\\\", "%%%", "'; DROP TABLE documents; --", "$1", "((((", "a OR b", "NEAR/3", "*", "?", "\u{202E}",
                "\u{FEFF}", "\u{10FFFF}",
                "e" + String(repeating: "\u{301}", count: 10_000), String(repeating: "가", count: 500),
                String(repeating: "a", count: 500),
                (0..<1000).map { "단어\($0)" }.joined(separator: " "),
                (0..<1000).map { "\"w\($0)\"" }.joined(separator: " "),
                (0..<1000).map { "-w\($0)" }.joined(separator: " "),
                (0..<200).map { "from:p\($0)" }.joined(separator: " "),
                String(repeating: "%_", count: 250), String(repeating: "ㄱ", count: 500), "in:99999999999999999999 글",
                "from:me 글",
            ]
            for text in texts {
                for viewer in [nil, AccountID(7)] {
                    func ask(_ text: String) async -> (answer: Answer, took: Duration) {
                        let json = String(decoding: SearchQuestion(text, FoundKind.allCases).json(), as: UTF8.self)
                        let start = ContinuousClock.now
                        let answer = await world.send(.post, "/internal/search", json: json, as: viewer)
                        return (answer, ContinuousClock.now - start)
                    }
                    // Against a plain question, because the machine may be busy with other work.
                    let plain = await ask("글").took
                    let (answer, took) = await ask(text)
                    #expect(answer.status == .ok, "\(text.prefix(40)): \(String(decoding: answer.body, as: UTF8.self))")
                    #expect(took < .seconds(20) + plain * 100, "\(text.prefix(40))")
                }
            }
            #expect(try await Self.found("100%", .post, world) == [SearchWorld.id(1)])
            #expect(try await Self.found("% ", .post, world) == [])
            // What no text may hold.
            for escape in [#"\u0000"#, #"\ud800"#, #"a\udc00b"#] {
                let json = #"{"text":"\#(escape)","kinds":["account","post","hashtag","message"]}"#
                let answer = await world.send(.post, "/internal/search", json: json, as: AccountID(7))
                #expect([200, 400, 422].contains(answer.status.code), "\(escape): \(answer.status)")
            }
            for json in [#"{"text":"a"}"#, #"{"kinds":["post"]}"#, #"{"text":"a","kinds":["nothing"]}"#, "[]", "{"] {
                let answer = await world.send(.post, "/internal/search", json: json, as: AccountID(7))
                #expect([400, 422].contains(answer.status.code), "\(json): \(answer.status)")
            }
        }
    }
}

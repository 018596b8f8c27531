// SPDX-License-Identifier: Apache-2.0
// What is written and read without Foundation is what Foundation writes and reads.

import Domain
import Events
import Foundation
import JSON
import Support
import Testing

@Suite struct EventFormTests {
    private static let plain = (Samples.full + Samples.bare).compactMap { $0 as? any PlainEvent }.filter(\.hasForm)

    @Test func `what is told most has a form`() {
        let types = Set(EventFormTests.plain.map { type(of: $0).type })
        let most: [any Event.Type] = [
            PostCreated.self, ReplyCreated.self, PostEdited.self, PostLiked.self, PostUnliked.self, PostReposted.self,
            AccountFollowed.self, AccountUnfollowed.self, TimelineUpdated.self, MessageSent.self, MessageAwaited.self,
            MentionRaised.self, ConversationRead.self, ChatUpdated.self, NotificationCreated.self,
        ]
        #expect(types.isSuperset(of: most.map { $0.type }))
    }

    @Test(arguments: plain.indices)
    func `a form is written as Codable has it, and read again`(_ index: Int) throws {
        try EventFormTests.plain[index].isWrittenAndRead()
    }

    @Test func `an account has a form with all that it may show`() throws {
        let told = try #require(Samples.full.lazy.compactMap { $0 as? ProfileUpdated }.first)
        #expect(told.account.extras?.headerDescription != nil)
        try AccountFollowed(
            actor: told.account,
            targetID: AccountID(2),
            followedAt: Timestamp(milliseconds: 0),
            subjectVersion: 1
        ).isWrittenAndRead()
    }

    @Test func `a post with files is left to Foundation`() throws {
        let event = try #require(Samples.full.lazy.compactMap { $0 as? PostCreated }.first { $0.post.media != nil })
        #expect(!event.hasForm)
        let envelope = event.inEnvelope
        let read = try Envelope<PostCreated>(json: envelope.message()[...])
        #expect(read.data.post == envelope.data.post)
    }

    @Test func `any text comes back`() throws {
        var seed = TestSeed()
        let letters = [
            "a", "\"", "\\", "/", "\n", "\r\n", "\t", "\u{8}", "\u{C}", "\0", "\u{1F}", "\u{7F}", "é", "마", "👩‍👩‍👧",
            "\u{2028}",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...12, using: &seed)).map { _ in
                letters[Int.random(in: letters.indices, using: &seed)]
            }.joined()
            var json = JSONWriter()
            text.write(to: &json)
            #expect(try JSONDecoder().decode(String.self, from: Data(json.bytes)) == text)
            #expect(try JSONFormReader.read(String.self, from: json.bytes[...]) == text)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            #expect(try JSONFormReader.read(String.self, from: Array(encoder.encode(text))[...]) == text)
        }
    }

    @Test(arguments: [
        "", "1.0", "1e3", "-", "-0", "01", "9223372036854775808", "-9223372036854775809", "+1", " 1", "1 ", "1,",
        "null", "\"1\"",
    ])
    func `what is no whole number is not read as one`(_ text: String) {
        #expect(throws: JSONFormReader.Mismatch.self) {
            try JSONFormReader.read(Int64.self, from: Array(text.utf8)[...])
        }
    }

    @Test(arguments: [Int64.min, -10, -1, 0, 7, 10, .max])
    func `whole numbers are read`(_ number: Int64) throws {
        #expect(try JSONFormReader.read(Int64.self, from: Array(String(number).utf8)[...]) == number)
    }

    /// Whatever happened to the bytes: what a form reads, Foundation reads the same.
    @Test func `damaged events are never read as something else`() throws {
        var seed = TestSeed()
        for event in EventFormTests.plain { try event.survivesDamage(200, &seed) }
    }
}

extension Event {
    fileprivate var inEnvelope: Envelope<Self> {
        Envelope(
            id: "019b7c3e-5a00-7000-8000-000000000001",
            time: Timestamp(milliseconds: 1_767_323_045_678),
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            data: self
        )
    }
}

extension PlainEvent {
    fileprivate func isWrittenAndRead() throws {
        let envelope = inEnvelope
        let written = parts(ofMessage: try envelope.message()).envelope
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: try encoded(envelope), as: UTF8.self))
        let read = try JSONFormReader.read(Envelope<Self>.self, from: written)
        #expect(try encoded(read) == encoded(envelope))
    }

    fileprivate func survivesDamage(_ times: Int, _ seed: inout TestSeed) throws {
        let whole = Array(parts(ofMessage: try inEnvelope.message()).envelope)
        for _ in 0..<times {
            var damaged = seed.damaged(whole)
            if seed.chance(1, in: 2) { damaged = seed.damaged(damaged) }
            guard let read = try? JSONFormReader.read(Envelope<Self>.self, from: damaged[...]) else { continue }
            let decoded = try JSONDecoder().decode(Envelope<Self>.self, from: Data(damaged))
            #expect(try encoded(read) == encoded(decoded))
        }
    }

    private func encoded(_ envelope: Envelope<Self>) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(envelope)
    }
}

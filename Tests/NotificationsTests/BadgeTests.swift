// SPDX-License-Identifier: Apache-2.0
// The number on three devices is the number that somebody would count, whatever happens and whoever reads where.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct BadgeTests {
    private static let tokens: [SessionID: String] = [11: "phone", 12: "tablet", 13: "desk"]

    /// What a person would count: notifications beyond the marker, and conversations with something unread.
    private static func count(_ stage: Stage, marker: Int64) async throws -> Int {
        let types = NotificationKind.allCases.map { "types[]=\($0.rawValue)" }.joined(separator: "&")
        let listed = try await stage.list(1, query: "limit=80&\(types)")
        let plain = listed.filter { $0.message == nil && (Int64($0.id) ?? 0) > marker }.count
        return plain + Set(listed.compactMap { $0.message?.channel_id }).count
    }

    @Test(arguments: TestSeed.list([1, 2, 3] as [UInt64]))
    func `every send and every read leaves the right number everywhere`(seed: UInt64) async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            var dice = TestSeed(seed)
            for (session, token) in BadgeTests.tokens { try await stage.register(token, of: 1, session) }
            var (world, chat) = (World(), ChatWorld())
            var (told, chatTold) = (0, 0)
            world.post(901, by: 1)
            chat.open(81, .public, "general", with: [1, 2, 3])
            chat.open(83, .direct, with: [1, 2])
            chat.open(84, .direct, with: [1, 3])
            var (marker, nextPost, nextMessage): (Int64, Int64, Int64) = (-1, 1000, 5000)
            var shown: [SessionID: Int] = [:]
            for step in 0..<40 {
                let session = try #require(BadgeTests.tokens.keys.sorted().randomElement(using: &dice))
                var reader: SessionID?
                switch Int.random(in: 0..<8, using: &dice) {
                case 0, 1:
                    nextPost += 1
                    world.post(PostID(nextPost), by: 2, "@minji hello", mentioning: [1])
                case 2: world.like(901, by: AccountID(Int64.random(in: 2...6, using: &dice)))
                case 3, 4:
                    nextMessage += 1
                    let channel = try #require([81, 83, 84].randomElement(using: &dice) as ChannelID?)
                    chat.say(
                        MessageID(nextMessage),
                        in: channel,
                        by: channel == 84 ? 3 : 2,
                        "hello",
                        naming: channel == 81 ? [1] : []
                    )
                case 5: chat.read(try #require([81, 83, 84].randomElement(using: &dice) as ChannelID?), by: 1)
                case 6:
                    // Forward, or back, as clients may.
                    let ids = try await stage.list(1).compactMap { Int64($0.id) }
                    marker = ids.randomElement(using: &dice) ?? marker
                    let answer = try await stage.respond(
                        .post,
                        "/api/v1/markers",
                        form: "notifications[last_read_id]=\(max(0, marker))",
                        as: 1,
                        session: session
                    )
                    #expect(answer.status == .ok)
                    reader = session
                default:
                    guard let id = try await stage.list(1).map(\.id).randomElement(using: &dice) else { continue }
                    let path = "/api/v1/notifications/\(id)/dismiss"
                    #expect(try await stage.respond(.post, path, as: 1, session: session).status == .ok)
                    reader = session
                }
                try await stage.apply(Array(world.history[told...]))
                try await stage.apply(Array(chat.history[chatTold...]))
                (told, chatTold) = (world.history.count, chat.history.count)
                let before = sender.pushes.count
                try await stage.worker.finish()
                for push in sender.pushes[before...] {
                    for (session, token) in BadgeTests.tokens where push.address == .firebase(token: token) {
                        shown[session] = push.badge
                    }
                }
                let expected = try await BadgeTests.count(stage, marker: marker)
                // Its own app has counted for itself.
                if let reader { shown[reader] = expected }
                for (session, number) in shown {
                    #expect(number == expected, "step \(step) on \(BadgeTests.tokens[session] ?? ""), seed \(seed)")
                }
            }
        }
    }
}

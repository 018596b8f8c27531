// SPDX-License-Identifier: Apache-2.0
// How far ahead of what is applied is told.

import Domain
import Events
import Postgres
import ServiceKit
import Support
import Testing

@testable import Outbox

@Suite struct PaceTests {
    @Test
    func `what is told again is as far ahead as is applied in a second, so that little stands before what happens now`()
        async throws
    {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.follow(1...5000)
            let id = EventID.new()
            let retelling = Retelling(
                service: "posts",
                tellers: [Rebuilt.teller],
                database: rebuilt.owner,
                metrics: .init(),
                logger: quiet
            )
            var version: Int64 = 0
            /// Says that so many are applied by now, some seconds after it was said before; answers how many are told then, and in
            /// how many seconds those were applied that the pace is measured by: at least as many as were asked for. Nil when it
            /// is not measured.
            func told(_ applied: Int64, after seconds: Double) async throws -> (told: Int64, seconds: Double?) {
                version += 1
                let news = RebuildAdvanced<RebuildAskers.Notifications>(
                    queue: Rebuilt.queue,
                    rebuildID: id,
                    types: [AccountFollowed.type],
                    applied: [RetoldCount(owner: "posts", events: applied)],
                    subjectVersion: version
                )
                func pacedAt() async throws -> Double {
                    try await rebuilt.owner.query("SELECT extract(epoch FROM paced_at)::float8 FROM retellings")
                        .one { try $0.next() } ?? 0
                }
                _ = try await rebuilt.owner.query(
                    "UPDATE retellings SET paced_at = now() - make_interval(secs => \(seconds))"
                )
                let before = try await pacedAt()
                _ = try await EventQueue.retelling(of: "posts", [Rebuilt.teller]).apply(
                    try envelope(news),
                    in: rebuilt.owner
                )
                let measured = try await pacedAt() - before
                repeat { _ = try await rebuilt.owner.query("DELETE FROM outbox") } while try await retelling.step()
                let told = try await rebuilt.owner.query("SELECT told FROM retellings").one { try $0.next(Int64.self) }
                return (try #require(told), measured > 0 ? measured : nil)
            }
            /// That so many are told beyond `applied`, of which `new` were applied since it was measured last.
            func expectPace(_ applied: Int64, _ new: Double, after seconds: Double) async throws {
                let (told, measured) = try await told(applied, after: seconds)
                let pace = (new / (try #require(measured))).rounded(.up)
                #expect(abs(Double(told - applied) - max(50, min(1000, pace))) <= 1, "\(told), \(measured ?? 0) s")
            }
            // While nothing is known of its pace, and while it is slow.
            #expect(try await told(0, after: 0).told == 50)
            #expect(try await told(20, after: 10).told == 70)
            #expect(try await told(70, after: 10).told == 120)
            // Not measured over less than half a second.
            let early = try await told(120, after: -60)
            #expect(early.told == 170 && early.seconds == nil)
            // 100 in about half a second, then 200, and it is slow again.
            try await expectPace(170, 100, after: 0.5)
            try await expectPace(370, 200, after: 0.5)
            let ahead = try await told(700, after: -60)
            #expect(ahead.told > 700 && ahead.seconds == nil)
            #expect(try await told(1100, after: 100).told == 1150)
            // Never more than a thousand.
            #expect(try await told(1150, after: -60).told == 1200)
            _ = try await rebuilt.owner.query("UPDATE retellings SET paced_applied = -100000")
            #expect(try await told(1200, after: 1).told == 2200)
        }
    }
}

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
            /// Says that so many are applied by now, some seconds after it was said before; answers how many are told then.
            func told(_ applied: Int64, after seconds: Double) async throws -> Int64 {
                version += 1
                let news = RebuildAdvanced<RebuildAskers.Notifications>(
                    queue: Rebuilt.queue,
                    rebuildID: id,
                    types: [AccountFollowed.type],
                    applied: [RetoldCount(owner: "posts", events: applied)],
                    subjectVersion: version
                )
                _ = try await rebuilt.owner.query(
                    "UPDATE retellings SET paced_at = now() - make_interval(secs => \(seconds))"
                )
                try await EventQueue.retelling(of: "posts", [Rebuilt.teller]).apply(
                    try envelope(news),
                    in: rebuilt.owner
                )
                repeat { _ = try await rebuilt.owner.query("DELETE FROM outbox") } while try await retelling.step()
                return try await rebuilt.owner.query("SELECT told FROM retellings").one { try $0.next() } ?? -1
            }
            // While nothing is known of its pace, and while it is slow.
            #expect(try await told(0, after: 0) == 50)
            #expect(try await told(20, after: 10) == 70)
            #expect(try await told(70, after: 10) == 120)
            // Not measured over less than half a second.
            #expect(try await told(120, after: 0.1) == 170)
            // 100 in about half a second, then 400 in one, and it is slow again.
            let faster = try await told(170, after: 0.5) - 170
            #expect((150...200).contains(faster), "\(faster)")
            let fast = try await told(370, after: 0.5) - 370
            #expect((350...400).contains(fast), "\(fast)")
            #expect(try await told(700, after: 0.001) >= 700 + 350)
            #expect(try await told(701, after: 100) <= 701 + 400)
            #expect(try await told(1100, after: 100) == 1150)
            // Never more than a thousand.
            #expect(try await told(1150, after: 0.01) == 1200)
            _ = try await rebuilt.owner.query("UPDATE retellings SET paced_applied = -100000")
            #expect(try await told(1200, after: 1) == 2200)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What ended goes in its time, what is there stays, and what is told again is not late.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Support
import Testing

@testable import SearchService

@Suite struct SweepTests {
    @Test func `what is there stays however old it is, and what has ended goes after its time`() async throws {
        try await SearchWorld.run { world in
            let author = SearchWorld.account(1, "Mina")
            let (kept, gone) = (SearchWorld.id(1), SearchWorld.id(2))
            try await world.tell(
                PostCreated(author: author, post: SearchWorld.post(kept, by: 1, "마당 하나")),
                PostCreated(author: author, post: SearchWorld.post(gone, by: 1, "마당 둘")),
                PlaygroundCreated(playground: SearchWorld.playground(10, "마당", open: true)),
                PlaygroundCreated(playground: SearchWorld.playground(20, "끝난 마당", open: true)),
                SearchWorld.joined(1, channel: nil, playground: 10),
                SearchWorld.joined(1, channel: nil, playground: 20),
                AccountBlocked(actorID: AccountID(1), targetID: AccountID(2), subjectVersion: 3),
                AccountBlocked(actorID: AccountID(1), targetID: AccountID(3), subjectVersion: 3)
            )
            try await world.tell(
                PostDeleted(postID: PostID(gone), accountID: AccountID(1), boostIDs: [], subjectVersion: 5),
                PlaygroundDeleted(
                    playgroundID: PlaygroundID(20),
                    channelIDs: [],
                    actorID: AccountID(1),
                    subjectVersion: 5
                ),
                MemberLeft(
                    playgroundID: PlaygroundID(20),
                    channelID: nil,
                    accountID: AccountID(1),
                    actorID: AccountID(1),
                    subjectVersion: 5
                ),
                AccountUnblocked(actorID: AccountID(1), targetID: AccountID(3), subjectVersion: 5)
            )
            let aged = Set(([AgedStore.documents] + AgedStore.ended + AgedStore.questions).map(\.name))
            let sweeps = Sweeps.all(now: world.dependencies.now).filter { aged.contains($0.table) }
            #expect(sweeps.count == aged.count)
            func rows() async throws -> [String] {
                try await world.database.query(
                    """
                    SELECT concat_ws(' ', 'document', kind, id, gone) FROM documents WHERE kind IN (2, 4)
                    UNION ALL SELECT concat_ws(' ', 'place', id, gone) FROM places
                    UNION ALL SELECT concat_ws(' ', 'member', place_id, active) FROM memberships
                    UNION ALL SELECT concat_ws(' ', 'tie', target_id, active) FROM ties
                    ORDER BY 1
                    """
                ).all { try $0.next() }
            }
            let there = ["document 2 \(kept) f", "document 4 10 f", "member 10 t", "place 10 f", "tie 2 t"]
            let ended = ["document 2 \(gone) t", "document 4 20 t", "member 20 f", "place 20 t", "tie 3 f"]
            func age(_ days: Int) async throws {
                let moment = SearchWorld.now + .seconds(-days * 86_400)
                for table in ["documents", "places", "memberships", "ties"] as [SQL] {
                    _ = try await world.database.query("UPDATE \(table) SET changed_at = \(moment)")
                }
            }
            try await age(89)
            for sweep in sweeps { try await sweep.finish(in: world.database) }
            #expect(try await rows() == (there + ended).sorted())
            try await age(91)
            for sweep in sweeps { try await sweep.finish(in: world.database) }
            #expect(try await rows() == there.sorted())
        }
    }

    @Test func `what is told again does not say that the index is behind`() async throws {
        try await SearchWorld.run { world in
            let old = SearchWorld.now + .seconds(-86_400)
            let event = ProfileUpdated(account: SearchWorld.account(1, "Mina"))
            func apply(_ retelling: String?) async throws {
                let envelope = Envelope(
                    id: EventID.new(),
                    time: old,
                    traceparent: nil,
                    retelling: retelling,
                    data: event
                )
                try await world.queue.apply([try envelope.message()], in: world.database)
            }
            try await apply(EventID.new())
            #expect(world.dependencies.lag.current == 0)
            try await apply(nil)
            #expect(world.dependencies.lag.current == 86_400)
        }
    }
}

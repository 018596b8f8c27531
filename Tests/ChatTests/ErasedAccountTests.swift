// SPDX-License-Identifier: Apache-2.0
// Nothing of an account that was deleted is left in any table.

import Domain
import Outbox
import Postgres
import Support
import Testing

@testable import ChatService

@Suite struct ErasedAccountTests {
    private static let walk = ErasureWalk(
        "Chat",
        migrations: ChatService.migrations,
        impersonal: [
            "blocked_domains": "what may not be written, whoever wants to",
            "blocked_terms": "what may not be written, whoever wants to",
            "cards": "of pages, whoever links to them",
        ],
        tombstones: [
            "messages": "tombstones, which are nobody's",
            "channels": "a playground keeps its number",
            "playgrounds": "a playground keeps its number",
            "playground_members": "a playground keeps its number",
            "playground_bans": "a playground keeps its number",
        ]
    )

    @Test func nothingOfItIsLeft() async throws {
        try await Self.walk.expect(others: Self.others) { database in
            let steps = EraseAccount.steps(ChatWorld(database).dependencies)
            _ = try await ErasureStep.finish(steps, of: ErasureWalk.account, in: database)
        }
    }

    private static let others = [
        "SELECT count(*) FROM restricted_accounts": 1,
        "SELECT count(*) FROM new_account_acts": 1,
        "SELECT count(*) FROM messages WHERE author_id = 880000000000000077 OR pinner_id = 880000000000000077": 0,
        "SELECT count(*) FROM messages WHERE author_id = 0 AND text = '' AND deleted_at IS NOT NULL": 4,
        "SELECT count(*) FROM messages WHERE author_id = 11 AND deleted_at IS NULL": 3,
        "SELECT count(*) FROM messages WHERE id = 62 AND jsonb_array_length(mentions) = 1": 1,
        "SELECT count(*) FROM reactions": 1,
        "SELECT count(*) FROM playgrounds WHERE owner_id = 12 AND cover_id IS NULL": 1,
        "SELECT count(*) FROM playgrounds": 3,
        "SELECT count(*) FROM playground_members WHERE account_id = 880000000000000077": 0,
        "SELECT count(*) FROM playground_bans WHERE account_id = 13 AND actor_id = 0": 1,
        "SELECT count(*) FROM channels WHERE owner_id = 880000000000000077 OR party LIKE '%880000000000000077%'": 0,
        "SELECT count(*) FROM channel_members WHERE channel_id = 104 AND account_id IN (0, 11)": 2,
        "SELECT count(*) FROM channel_members WHERE channel_id = 105": 2,
    ]
}

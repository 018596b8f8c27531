// SPDX-License-Identifier: Apache-2.0
// Nothing of an account that was deleted is left in any table.

import Domain
import Outbox
import Postgres
import Support
import Testing

@testable import PostsService

@Suite struct ErasedAccountTests {
    private static let walk = ErasureWalk(
        "Posts",
        migrations: PostsService.migrations,
        impersonal: [
            "blocked_domains": "what may not be written, whoever wants to",
            "blocked_terms": "what may not be written, whoever wants to",
            "cards": "of pages, whoever links to them",
        ],
        tombstones: [
            "posts": "tombstones, which are nobody's",
            "projects": "tombstones, which are nobody's",
            "fanouts": "a withdrawal of a tombstone",
        ]
    )

    @Test func nothingOfItIsLeft() async throws {
        try await GraphWorld.run { world in
            let steps = EraseAccount.steps(world.dependencies)
            try await Self.walk.expect(others: Self.others) { database in
                _ = try await ErasureStep.finish(steps, of: ErasureWalk.account, in: database)
            }
        }
    }

    private static let others = [
        "SELECT count(*) FROM roles": 1,
        "SELECT count(*) FROM restrictions": 1,
        "SELECT count(*) FROM restricted_accounts": 1,
        "SELECT count(*) FROM new_account_acts": 1,
        "SELECT count(*) FROM reports": 2,
        "SELECT count(*) FROM reports WHERE id = 62 AND reporter_id = 0 AND comment = '' AND assigned_id IS NULL": 1,
        "SELECT count(*) FROM reports WHERE id = 63 AND comment = 'of bob' AND closed_id = 0": 1,
        "SELECT count(*) FROM report_things": 1,
        "SELECT count(*) FROM report_notes WHERE account_id = 0 AND text = 'a note'": 1,
        "SELECT count(*) FROM decisions WHERE id = 62 AND moderator_id = 0": 1,
        "SELECT count(*) FROM evidence": 1,
        "SELECT count(*) FROM appeals WHERE decision_id = 62 AND moderator_id = 0": 1,
        "SELECT count(*) FROM moderation_log WHERE moderator_id = 0 OR account_id = 0": 2,
        "SELECT count(*) FROM posts WHERE account_id = 880000000000000077 OR in_reply_to_account_id = 880000000000000077":
            0,
        "SELECT count(*) FROM posts WHERE account_id = 0 AND deleted_at IS NOT NULL AND text = ''": 3,
        "SELECT count(*) FROM posts WHERE account_id = 11 AND deleted_at IS NULL AND text <> ''": 3,
        "SELECT count(*) FROM posts WHERE id = 21 AND mentioned_ids = '{12}' AND mentioned_names = '{bob}'": 1,
        "SELECT count(*) FROM posts WHERE id = 22 AND in_reply_to_id = 8800000000000000771 AND in_reply_to_account_id = 0":
            1,
        "SELECT count(*) FROM posts WHERE id = 21 AND boosts_count = 0 AND favourites_count = 0": 1,
        "SELECT count(*) FROM accounts WHERE id = 11 AND followers_count = 0 AND following_count = 0": 1,
        "SELECT count(*) FROM conversations WHERE account_id = 11 AND party = '{0,11}'": 1,
        "SELECT count(*) FROM timeline WHERE account_id = 11": 1,
        "SELECT count(*) FROM projects WHERE leader_id = 880000000000000077": 0,
        "SELECT count(*) FROM projects WHERE id = 31 AND leader_id = 11 AND mentioned_ids = '{}'": 1,
        "SELECT count(*) FROM project_edits WHERE project_id = 31 AND jsonb_array_length(form -> 'mentions') = 1": 1,
        "SELECT count(*) FROM project_members WHERE project_id = 31": 1,
        "SELECT count(*) FROM reading_records": 1,
        "SELECT count(*) FROM shelf_books": 1,
    ]
}

// SPDX-License-Identifier: Apache-2.0
// Nothing of an account that was deleted is left in any table.

import Domain
import Outbox
import Postgres
import Support
import Testing

@testable import MediaService

@Suite struct ErasedAccountTests {
    private static let walk = ErasureWalk(
        "Media",
        migrations: MediaService.migrations,
        impersonal: [
            "blocked_domains": "what may not be written, whoever wants to",
            "blocked_terms": "what may not be written, whoever wants to",
            "covers": "of books, whoever asks",
            "files": "named by what is in them; the account's own are in renditions",
            "gif_answers": "what others answered",
            "gif_tags": "of GIFs, which everybody has",
            "gif_takings": "numbers of uploads and GIFs, for a while",
            "links": "of pages, whoever links to them",
            "mentions": "which post shows which page",
            "subjects": "which posts and messages there are",
            "upstream_gifs": "of others",
        ]
    )

    @Test func nothingOfItIsLeft() async throws {
        try await MediaWorld.run { world in
            let steps = EraseAccount.steps(world.dependencies)
            try await Self.walk.expect(others: Self.others) { database in
                _ = try await ErasureStep.finish(steps, of: ErasureWalk.account, in: database)
            }
        }
    }

    private static let others = [
        "SELECT count(*) FROM exports": 1,
        "SELECT count(*) FROM export_parts": 1,
        "SELECT count(*) FROM files WHERE name = 'marked77'": 0,
        "SELECT count(*) FROM files": 2,
        "SELECT count(*) FROM renditions": 2,
        "SELECT count(*) FROM gifs WHERE importer_id = 0 AND importer_name IS NULL": 1,
        "SELECT count(*) FROM uploads WHERE id = 73 AND owner_id = 0 AND media ->> 'owner_id' = '0'": 1,
        "SELECT count(*) FROM uploads WHERE owner_id = 11": 1,
        "SELECT count(*) FROM gif_favourites": 1,
        "SELECT count(*) FROM gif_collected": 1,
    ]
}

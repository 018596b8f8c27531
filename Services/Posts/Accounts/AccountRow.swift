// SPDX-License-Identifier: Apache-2.0
// How an account is read from a row.

import Domain
import Events
import Foundation
import Postgres

extension AccountSnapshot {
    /// Reads the columns id, username, display_name, note, fields, locked, bot, discoverable, created_at, last_post_at,
    /// posts_count, followers_count, following_count, version, in this order, wherever they stand in a row.
    init(columns: inout Columns) throws {
        let id: AccountID = try columns.next()
        let username: Username = try columns.next()
        let displayName: String = try columns.next()
        let note: String = try columns.next()
        let fields: JSONB = try columns.next()
        self.init(
            id: id,
            username: username,
            displayName: displayName,
            note: note,
            fields: try AccountSnapshot.fields(fields.json),
            locked: try columns.next(),
            bot: try columns.next(),
            discoverable: try columns.next(),
            createdAt: try columns.next(),
            lastPostAt: try columns.next(),
            postsCount: try columns.next(),
            followersCount: try columns.next(),
            followingCount: try columns.next(),
            version: try columns.next()
        )
    }

    /// Most people fill in no fields; then there is nothing to decode.
    private static func fields(_ json: [UInt8]) throws -> [ProfileField] {
        json.count <= 2 ? [] : try JSONDecoder().decode([ProfileField].self, from: Data(json))
    }
}

extension Rows {
    /// Accounts in the order of the rows.
    func accounts() throws -> [AccountSnapshot] {
        try map { row in
            var columns = row.columns
            return try AccountSnapshot(columns: &columns)
        }
    }

    /// The account of the first row, if there is one.
    func account() throws -> AccountSnapshot? {
        guard let row = first else { return nil }
        var columns = row.columns
        return try AccountSnapshot(columns: &columns)
    }
}

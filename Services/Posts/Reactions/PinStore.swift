// SPDX-License-Identifier: Apache-2.0
// The SQL on posts on top of a profile.

import Domain
import Postgres

/// Statements on `posts.pinned_id`; a post is pinned by its author alone.
enum PinStore {
    /// A post that its author wants to pin, which nobody else changes until the transaction ends, as nobody else pins for
    /// the author: so that no two can both be the last that there is room for.
    struct Candidate: Sendable {
        let visibility: Visibility
        let isPinned: Bool
        /// Pinned posts of the author.
        let pinned: Int

        static let columns: SQL = """
            p.visibility, p.pinned_id IS NOT NULL,
            (SELECT count(*) FROM posts o WHERE o.account_id = p.account_id AND o.pinned_id IS NOT NULL AND o.deleted_at IS NULL)
            """
    }

    /// Holds back others who pin for the author until the transaction ends.
    static func lock(_ author: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("SELECT id FROM accounts WHERE id = \(author) FOR NO KEY UPDATE")
    }

    static func candidate(
        _ id: PostID,
        of author: AccountID,
        in transaction: some Transacting
    ) async throws -> Candidate? {
        try await transaction.query(
            """
            SELECT \(Candidate.columns)
            FROM posts p
            WHERE p.id = \(id) AND p.account_id = \(author) AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
            """
        ).one(as: Candidate.init)
    }

    static func pin(_ id: PostID, as place: PostID, in transaction: some Transacting) {
        transaction.enqueue("UPDATE posts SET pinned_id = \(place) WHERE id = \(id) AND pinned_id IS NULL")
    }

    static func unpin(_ id: PostID, of author: AccountID, in database: some Querying) async throws {
        _ = try await database.query(
            "UPDATE posts SET pinned_id = NULL WHERE id = \(id) AND account_id = \(author) AND pinned_id IS NOT NULL"
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// The SQL of `blocked_terms`, as whoever runs the place sees them.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// A word with when it was changed.
struct BlockedTerm: Columned, Sendable {
    let term: BlockList.Term
    let changed: Timestamp
    let version: Int64

    static let columns: SQL = "\(BlockList.Term.columns), changed_at, version"

    init(columns: inout Columns) throws {
        term = try columns.next()
        changed = try columns.next()
        version = try columns.next()
    }

    var event: BlockedTermChanged {
        BlockedTermChanged(
            termID: term.id,
            text: term.text,
            action: term.action,
            seesThroughDigits: term.seesThroughDigits,
            changedAt: changed,
            subjectVersion: version
        )
    }
}

enum BlockedTermStore {
    /// Nobody else changes what is blocked until the transaction ends.
    static func hold(in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(hashtextextended('blocked_terms', 0))")
    }

    static func find(_ id: BlockedTermID, in database: some Querying) async throws -> BlockedTerm? {
        try await database.query(
            """
            SELECT \(BlockedTerm.columns)
            FROM blocked_terms
            WHERE id = \(id) AND action IS NOT NULL
            """
        ).one { try $0.next() }
    }

    static func find(_ text: String, in database: some Querying) async throws -> BlockedTerm? {
        try await database.query(
            """
            SELECT \(BlockedTerm.columns)
            FROM blocked_terms
            WHERE text = \(text) AND action IS NOT NULL
            """
        ).one { try $0.next() }
    }

    /// In the order of their ids.
    static func list(after id: Int64, limit: Int, in database: some Querying) async throws -> [BlockedTerm] {
        try await database.query(
            """
            SELECT \(BlockedTerm.columns)
            FROM blocked_terms
            WHERE id > \(id) AND action IS NOT NULL
            ORDER BY id
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// Whether there are as many as there may be.
    static func isFull(_ most: Int, in database: some Querying) async throws -> Bool {
        try await database.query(
            """
            SELECT count(*)
            FROM (SELECT FROM blocked_terms WHERE action IS NOT NULL ORDER BY id LIMIT \(most)) t
            """
        ).number() >= most
    }
}

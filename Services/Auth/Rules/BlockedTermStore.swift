// SPDX-License-Identifier: Apache-2.0
// The SQL of `blocked_terms` and `blocked_domains`, as whoever runs the place sees them.

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

struct BlockedDomain: Columned, Sendable {
    let id: BlockedDomainID
    let domain: BlockList.Domain
    let changed: Timestamp
    let version: Int64

    static let columns: SQL = "id, \(BlockList.Domain.columns), changed_at, version"

    init(columns: inout Columns) throws {
        id = try columns.next()
        domain = try columns.next()
        changed = try columns.next()
        version = try columns.next()
    }

    var event: BlockedDomainChanged {
        BlockedDomainChanged(
            domainID: id,
            domain: domain.name,
            blocksMail: domain.blocksMail,
            blocksLinks: domain.blocksLinks,
            changedAt: changed,
            subjectVersion: version
        )
    }
}

/// What a domain is blocked for.
enum DomainUse: String, CaseIterable, Sendable {
    case mail, links

    /// That a row of `blocked_domains` is blocked for it.
    var isBlocked: SQL { self == .mail ? "blocks_mail" : "blocks_links" }
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

enum BlockedDomainStore {
    static func find(_ id: BlockedDomainID, in database: some Querying) async throws -> BlockedDomain? {
        try await database.query(
            """
            SELECT \(BlockedDomain.columns)
            FROM blocked_domains
            WHERE id = \(id)
            """
        ).one { try $0.next() }
    }

    /// Also one that is blocked no more.
    static func find(_ domain: HostName, in database: some Querying) async throws -> BlockedDomain? {
        try await database.query(
            """
            SELECT \(BlockedDomain.columns)
            FROM blocked_domains
            WHERE domain = \(domain.text)
            """
        ).one { try $0.next() }
    }

    /// In the order of their ids.
    static func list(after id: Int64, limit: Int, in database: some Querying) async throws -> [BlockedDomain] {
        try await database.query(
            """
            SELECT \(BlockedDomain.columns)
            FROM blocked_domains
            WHERE id > \(id) AND (blocks_mail OR blocks_links)
            ORDER BY id
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// Those that are blocked for something, in the order of their ids.
    static func list(
        for use: DomainUse,
        after id: Int64,
        limit: Int,
        in database: some Querying
    ) async throws -> [BlockedDomain] {
        try await database.query(
            """
            SELECT \(BlockedDomain.columns)
            FROM blocked_domains
            WHERE id > \(id) AND \(use.isBlocked)
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
            FROM (SELECT FROM blocked_domains WHERE blocks_mail OR blocks_links ORDER BY id LIMIT \(most)) d
            """
        ).number() >= most
    }
}

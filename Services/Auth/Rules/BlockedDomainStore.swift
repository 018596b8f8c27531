// SPDX-License-Identifier: Apache-2.0
// The SQL of `blocked_domains`, as whoever runs the place sees them.

import Domain
import Events
import Postgres
import Serving

struct BlockedDomain: Columned, Sendable {
    let id: BlockedDomainID
    let domain: BlockList.Domain
    let changed: Timestamp
    let version: Int64

    static let columns: SQL = "id, \(BlockList.Domain.columns), changed_at, version"

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

extension BlockedDomain {
    init(columns: inout Columns) throws { self = try columns.read(Self.init) }
}

/// What a domain is blocked for.
enum DomainUse: String, CaseIterable, Sendable {
    case mail, links

    /// That a row of `blocked_domains` is blocked for it.
    var isBlocked: SQL { self == .mail ? "blocks_mail" : "blocks_links" }
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

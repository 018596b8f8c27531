// SPDX-License-Identifier: Apache-2.0
// The tables `blocked_terms` and `blocked_domains`: auth's own, and their projections elsewhere.

public import Domain
public import Events
public import Outbox
public import Postgres

extension TermAction: ColumnWord {}

extension BlockList.Term: Columned {
    public static let columns: SQL = "id, text, action, sees_through_digits"

    public init(columns: inout Columns) throws {
        self = try columns.read(BlockList.Term.init)
    }
}

extension BlockList.Domain: Columned {
    public static let columns: SQL = "domain, blocks_mail, blocks_links"

    public init(columns: inout Columns) throws {
        self = try columns.read(BlockList.Domain.init)
    }
}

/// A row of what is blocked no more stays for a while, so that an older word does not bring it back.
public enum BlockListStore {
    /// No event is delivered later than this.
    public static let afterlife = Duration.seconds(90 * 24 * 3600)

    /// How many words, and how many domains, there may be.
    public static let most = 5000

    /// The newest change of each table.
    public struct Versions: Hashable, Sendable {
        let terms: Int64
        let domains: Int64
    }

    public static func versions(in database: some Querying) async throws -> Versions {
        try await database.query(
            """
            SELECT coalesce((SELECT version FROM blocked_terms ORDER BY version DESC LIMIT 1), 0),
                coalesce((SELECT version FROM blocked_domains ORDER BY version DESC LIMIT 1), 0)
            """
        ).one(as: Versions.init) ?? Versions(terms: 0, domains: 0)
    }

    /// The words that are blocked.
    public static func terms(in database: some Querying) async throws -> [BlockList.Term] {
        try await database.query(
            """
            SELECT \(BlockList.Term.columns)
            FROM blocked_terms
            WHERE action IS NOT NULL
            ORDER BY id
            LIMIT \(most)
            """
        ).all { try $0.next() }
    }

    /// What a word is; nil for one that is not known, or is blocked no more.
    public static func text(of term: BlockedTermID, in database: some Querying) async throws -> String? {
        try await database.query(
            "SELECT text FROM blocked_terms WHERE id = \(term) AND action IS NOT NULL"
        ).one { try $0.next() }
    }

    /// The domains that are blocked for something.
    public static func domains(in database: some Querying) async throws -> [BlockList.Domain] {
        try await database.query(
            """
            SELECT \(BlockList.Domain.columns)
            FROM blocked_domains
            WHERE blocks_mail OR blocks_links
            ORDER BY id
            LIMIT \(2 * most)
            """
        ).all { try $0.next() }
    }

    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    public static func keep(_ term: BlockedTermChanged, repairing: Bool = false, in transaction: some Transacting) {
        let isNewer: SQL =
            repairing ? "excluded.version >= blocked_terms.version" : "excluded.version > blocked_terms.version"
        transaction.enqueue(
            """
            INSERT INTO blocked_terms (id, text, action, sees_through_digits, version, changed_at)
            VALUES (\(term.termID), \(term.text), \(term.action), \(term.seesThroughDigits), \(term.subjectVersion),
                \(term.changedAt))
            ON CONFLICT (id) DO UPDATE
            SET text = excluded.text, action = excluded.action, sees_through_digits = excluded.sees_through_digits,
                version = excluded.version, changed_at = excluded.changed_at
            WHERE \(isNewer)
            """
        )
    }

    /// The same of a domain.
    public static func keep(
        _ domain: BlockedDomainChanged,
        repairing: Bool = false,
        in transaction: some Transacting
    ) {
        let isNewer: SQL =
            repairing ? "excluded.version >= blocked_domains.version" : "excluded.version > blocked_domains.version"
        transaction.enqueue(
            """
            INSERT INTO blocked_domains (id, domain, blocks_mail, blocks_links, version, changed_at)
            VALUES (\(domain.domainID), \(domain.domain), \(domain.blocksMail), \(domain.blocksLinks),
                \(domain.subjectVersion), \(domain.changedAt))
            ON CONFLICT (id) DO UPDATE
            SET domain = excluded.domain, blocks_mail = excluded.blocks_mail, blocks_links = excluded.blocks_links,
                version = excluded.version, changed_at = excluded.changed_at
            WHERE \(isNewer)
            """
        )
    }

    /// What goes in a rebuild: what holds and of which nobody told.
    public static let untold = [
        UntoldRows(from: "blocked_terms", where: "action IS NOT NULL", kind: "'blocked_term'", "id"),
        UntoldRows(from: "blocked_domains", where: "blocks_mail OR blocks_links", kind: "'blocked_domain'", "id"),
    ]

    /// Of what an event tells, so that a rebuild leaves it; nil for other events.
    public static func seen(_ event: any Event) -> Seen? {
        switch event {
        case let event as BlockedTermChanged: Seen("blocked_term", event.termID.rawValue)
        case let event as BlockedDomainChanged: Seen("blocked_domain", event.domainID.rawValue)
        default: nil
        }
    }

    /// What a queue does that keeps the projection.
    public static let reactions = [
        Reaction(to: BlockedTermChanged.self) { envelope, transaction in
            keep(envelope.data, repairing: envelope.isRetold, in: transaction)
        },
        Reaction(to: BlockedDomainChanged.self) { envelope, transaction in
            keep(envelope.data, repairing: envelope.isRetold, in: transaction)
        },
    ]

    private static let agedTerms = AgedRows(
        of: "blocked_terms",
        by: "id",
        since: "changed_at",
        where: "action IS NULL"
    )
    private static let agedDomains = AgedRows(
        of: "blocked_domains",
        by: "id",
        since: "changed_at",
        where: "NOT (blocks_mail OR blocks_links)"
    )

    /// Forgets what has not been blocked for long.
    public static func sweeps(now: @escaping @Sendable () -> Timestamp) -> [Sweep] {
        [agedTerms, agedDomains].map { $0.sweep(after: afterlife, every: .seconds(3600), now: now) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Search in process, as one that keeps what others own.

import Domain
import Outbox
import Postgres
import Support

@testable import SearchService

struct SearchPart: Sendable {
    let database: Database
    let queues: [EventQueue]
    private let index: PostgresIndex

    static let migrations = SearchService.migrations

    init(_ database: Database) {
        self.database = database
        index = PostgresIndex(database, segmentSize: 16, patience: .seconds(30))
        queues = SearchService.queues(
            Dependencies(database: database, index: index, now: Timestamp.now, site: Part.site)
        )
    }

    /// The newest that somebody finds.
    func found(_ text: String, _ kind: SearchKind = .post, for viewer: AccountID?) async throws -> [Int64] {
        var request = SearchRequest(kind, SearchQuery(text), viewer: viewer)
        request.order = .newest
        request.limit = 80
        return try await index.find(request).hits.map(\.id)
    }

    func messages(_ text: String, for viewer: AccountID?) async throws -> [Int64] {
        try await found(text, .message, for: viewer)
    }

    /// Whom and what somebody finds by a name.
    func named(_ text: String, for viewer: AccountID?) async throws -> Set<String> {
        let kinds = [SearchKind.account, .playground, .channel, .project, .book]
        let request = NameRequest(text, kinds, viewer: viewer, limit: 80)
        return Set(try await index.complete(request).map { "\($0.kind) \($0.id)" })
    }

    // MARK: What is kept

    /// What is in the tables; without versions, and without what is nowhere used any more.
    static let kept: [SQL] = [
        """
        SELECT concat_ws('|', 'account', id, handle, indexable, gone, profile, followers, is_suggested, hides_follows, languages)
        FROM accounts ORDER BY id
        """,
        """
        SELECT concat_ws('|', 'document', d.kind, d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source,
            cardinality(d.keys))
        FROM documents d WHERE NOT d.gone AND \(isUsed("d")) ORDER BY d.kind, d.id
        """,
        "SELECT 'name ' || n::text FROM names n WHERE \(isUsed("n")) ORDER BY n.kind, n.id, n.position",
        "SELECT concat_ws('|', 'tie', kind, account_id, target_id) FROM ties WHERE active ORDER BY 1",
        "SELECT concat_ws('|', 'member', account_id, place_id, term) FROM memberships WHERE active ORDER BY 1",
        "SELECT concat_ws('|', 'place', id, parent_id, name) FROM places WHERE NOT gone ORDER BY 1",
        "SELECT concat_ws('|', 'shelved', record_id, account_id, book_id, item) FROM shelved_books WHERE shown ORDER BY 1",
        "SELECT 'use ' || u::text FROM uses u ORDER BY 1",
        """
        SELECT concat_ws('|', 'popular', p.post_id, p.popularity) FROM popular p
        JOIN documents d ON d.kind = 2 AND d.id = p.post_id AND NOT d.gone ORDER BY 1
        """,
    ]

    /// A hashtag that was edited away stays until a rebuild.
    private static func isUsed(_ row: SQL) -> SQL {
        "(\(row).kind <> 3 OR EXISTS (SELECT FROM uses u WHERE u.kind = 3 AND u.thing_id = \(row).id))"
    }

    static let tables: SQL = """
        accounts, ties, memberships, places, documents, names, words, uses, links, popular, segments, frequent, shelved_books, whole_pairs
        """

    /// Damage to each table, and to what its rows hang on.
    static let damages: [SQL] = [
        "UPDATE documents SET source = 'damaged', form = 'damaged' WHERE id % 3 = 0 AND NOT gone",
        "UPDATE documents SET keys = '{}' WHERE id % 7 = 1 AND NOT gone",
        "UPDATE documents SET audience = 0, people = '{}' WHERE id % 7 = 2 AND NOT gone AND audience > 1",
        "UPDATE documents SET popularity = popularity + 5 WHERE id % 7 = 3 AND NOT gone",
        "DELETE FROM documents WHERE id % 5 = 0 AND NOT gone",
        """
        INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
        SELECT kind, 17, version, 0, '{}', 0, 0, false, keys, form, source FROM documents WHERE NOT gone ORDER BY id LIMIT 1
        """,
        "UPDATE names SET typed = 'damaged' WHERE id % 2 = 0",
        "DELETE FROM names WHERE id % 5 = 1",
        "INSERT INTO names (kind, id, position, typed, within, weight) VALUES (1, 17, 0, 'damaged', false, 9)",
        "UPDATE accounts SET handle = 'damaged', indexable = NOT indexable WHERE id % 3 = 0",
        "DELETE FROM accounts WHERE id % 5 = 0",
        "INSERT INTO accounts (id, version, handle, indexable, gone) VALUES (17, 5, 'damaged', true, false)",
        "DELETE FROM ties WHERE active AND target_id % 3 = 0",
        "UPDATE ties SET active = false WHERE active AND target_id % 3 = 1",
        "INSERT INTO ties (kind, account_id, target_id, version, active) VALUES (1, 2, 3, 4, true)",
        "DELETE FROM memberships WHERE active AND account_id % 3 = 0",
        "UPDATE memberships SET active = false WHERE active AND account_id % 3 = 1",
        "INSERT INTO memberships (account_id, place_id, version, active, term) VALUES (1, 2, 3, true, 4)",
        "UPDATE places SET name = 'damaged'",
        "INSERT INTO places (id, version, name, gone) VALUES (17, 1, 'damaged', false)",
        "DELETE FROM uses WHERE post_id % 3 = 0",
        "INSERT INTO uses SELECT post_id, kind, 17, account_id FROM uses WHERE post_id % 3 = 1 ON CONFLICT DO NOTHING",
        "UPDATE popular SET popularity = popularity + 7 WHERE post_id % 3 = 0",
        "DELETE FROM popular WHERE post_id % 5 = 0",
        "INSERT INTO popular VALUES (17, 99, 1)",
        "DELETE FROM shelved_books WHERE shown AND record_id % 3 = 0",
        "UPDATE shelved_books SET shown = false WHERE shown AND record_id % 3 = 1",
        "UPDATE shelved_books SET item = replace(item, 'Book', 'damaged') WHERE shown AND record_id % 3 = 2",
        "INSERT INTO shelved_books (record_id, version, shown, account_id, book_id, item) VALUES (17, 1, true, 2, 17, '{}')",
        "DELETE FROM words WHERE length(word) % 2 = 0",
        "UPDATE frequent SET shift = 9 - shift WHERE term % 2 = 0 AND shift < 10",
        "DELETE FROM segments WHERE number % 5 = 4 OR kind = 2 AND number > 6",
    ]
}

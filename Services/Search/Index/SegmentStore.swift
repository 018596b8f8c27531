// SPDX-License-Identifier: Apache-2.0
// The parts of the index by the age of what lies in them, and how terms are cut into lists of them.

import Domain
import Postgres

enum SegmentStore {
    /// Documents in a segment.
    static let size = 1024
    /// How many segments are looked at to learn which terms are frequent.
    private static let sample = 16
    /// Which part of the documents has a frequent term.
    private static let frequent = 0.001

    /// About how many documents of each kind there are: every full segment as many as it takes, and those of the newest.
    static func counts(in database: some Querying) async throws -> [SearchKind: Int] {
        let rows: [(SearchKind, Int)] = try await database.query(
            """
            SELECT s.kind, s.number * \(size) + (
                SELECT count(*) FROM (
                    SELECT 1 FROM documents d WHERE d.kind = s.kind AND d.id >= s.first_id LIMIT \(size)
                ) AS newest
            )
            FROM (SELECT DISTINCT ON (kind) kind, number, first_id FROM segments ORDER BY kind, number DESC) s
            """
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { $1 }
    }

    /// Those of these kinds whose newest segment is full, or that have none.
    static func full(_ kinds: [SearchKind], size: Int = size, in database: some Querying) async throws -> [SearchKind] {
        try await database.query(
            """
            SELECT k.kind FROM unnest(\(kinds.map(\.rawValue).sorted())) AS k (kind)
            LEFT JOIN LATERAL (
                SELECT s.first_id FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
            ) s ON true
            WHERE s.first_id IS NULL OR (
                SELECT count(*) FROM (
                    SELECT 1 FROM documents d WHERE d.kind = k.kind AND d.id >= s.first_id LIMIT \(size)
                ) AS newest
            ) = \(size)
            """
        ).all { try $0.next() }
    }

    /// Begins a segment behind all documents of a kind.
    ///
    /// - Returns: its number.
    static func open(_ kind: SearchKind, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            INSERT INTO segments (kind, number, first_id, neighbouring)
            SELECT k.kind, coalesce(s.number + 1, 0), CASE WHEN s.number IS NULL THEN \(Int64.min) ELSE (
                SELECT max(d.id) + 1 FROM documents d WHERE d.kind = k.kind
            ) END, coalesce(s.neighbouring, false) OR EXISTS (SELECT FROM neighbouring_keys n WHERE n.since <= now())
            FROM (SELECT CAST(\(kind.rawValue) AS smallint) AS kind) k
            LEFT JOIN LATERAL (
                SELECT s.number, s.neighbouring FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
            ) s ON true
            RETURNING number
            """
        ).number()
    }

    /// Whether terms are weighed when a segment begins: often while there are few.
    static func weighs(at number: Int) -> Bool {
        number > 0 && (number % (4 * sample) == 0 || number & (number - 1) == 0)
    }

    /// Learns from the documents before a segment how terms are to be cut from there on. A cut changes where a list would be four
    /// times too long or too short, so that it does not change by chance.
    static func weigh(_ kind: SearchKind, at number: Int, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH sample AS MATERIALIZED (
                SELECT s.number, s.neighbouring, s.first_id, lead(s.first_id) OVER (ORDER BY s.number) AS next_id FROM segments s
                WHERE s.kind = \(kind.rawValue) AND s.number >= \(number - sample) AND s.number <= \(number)
            ),
            cuts AS MATERIALIZED (
                SELECT f.term, f.since, f.shift, lead(f.since) OVER (PARTITION BY f.term ORDER BY f.since) AS next FROM frequent f
                WHERE f.kind = \(kind.rawValue)
            ),
            known AS (
                SELECT s.number, c.term, \(key("c.term", "s", "c.shift")) AS key
                FROM sample s JOIN cuts c ON c.since <= s.number AND (c.next IS NULL OR c.next > s.number)
            ),
            counted AS (
                SELECT s.number, s.neighbouring, t.key, count(*) AS uses
                FROM sample s
                JOIN documents d ON d.kind = \(kind.rawValue) AND d.id >= s.first_id AND d.id < s.next_id
                CROSS JOIN LATERAL unnest(d.keys) AS t (key)
                GROUP BY s.number, s.neighbouring, t.key
            ),
            terms AS (
                SELECT coalesce(k.term, \(term("c.key", "c", whole))) AS term, sum(c.uses) AS uses
                FROM counted c LEFT JOIN known k ON k.number = c.number AND k.key = c.key
                GROUP BY 1
            ),
            size AS (
                SELECT count(*) AS documents FROM sample s
                JOIN documents d ON d.kind = \(kind.rawValue) AND d.id >= s.first_id AND d.id < s.next_id
            ),
            weighed AS (
                SELECT coalesce(t.term, c.term) AS term, c.shift AS before, t.uses >= greatest(8, \(frequent) * z.documents) AS frequent,
                    CASE WHEN t.uses IS NULL THEN \(whole) ELSE least(\(whole), greatest(0, floor(
                        ln(\(Lists.length * 1.4) * z.documents / (CAST(t.uses AS float8) * \(size))) / ln(2)
                    ))) END AS shift
                FROM terms t FULL JOIN (SELECT * FROM cuts WHERE next IS NULL) c ON c.term = t.term CROSS JOIN size z
            )
            INSERT INTO frequent (kind, term, since, shift)
            SELECT \(kind.rawValue), w.term, \(number), w.shift FROM weighed w
            WHERE abs(w.shift - coalesce(w.before, \(whole))) >= 2 AND (w.frequent OR w.before IS NOT NULL)
            ON CONFLICT (kind, term, since) DO NOTHING
            """
        )
    }

    /// Those that are known, with what was begun since.
    ///
    /// - Returns: nil where those that are known are not there any more.
    static func lists(of kind: SearchKind, after known: Lists, in database: some Querying) async throws -> Lists? {
        // The newest that is known comes again, to tell that it is there.
        let newest = known.newest ?? -1
        let rows: [(Int, Int64?, Bool, Int, Int, Bool)] = try await database.query(
            """
            SELECT s.number, s.first_id, s.neighbouring, CAST(0 AS integer), CAST(0 AS smallint), (\(TermUpgradeStore.isOver))
            FROM segments s
            WHERE s.kind = \(kind.rawValue) AND s.number >= \(newest)
            UNION ALL
            SELECT f.since, NULL, false, f.term, f.shift, true FROM frequent f WHERE f.kind = \(kind.rawValue) AND f.since > \(newest)
            ORDER BY 1
            """
        ).all { (try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        var lists = known
        lists.haveCloseTerms = rows.allSatisfy(\.5)
        if let last = known.firsts.last {
            guard let first = rows.first, first.0 == newest, first.1 == last else { return nil }
        }
        for (number, first, isNeighbouring, term, shift, _) in rows where number > newest {
            if let first {
                // One that is missing is as if nothing lay in it.
                repeat { lists.add(segment: first, isNeighbouring: isNeighbouring) } while lists.firsts.count <= number
            } else {
                lists.add(Lists.Cut(since: number, shift: shift), of: Int32(truncatingIfNeeded: term))
            }
        }
        return lists
    }

    /// `Lists.whole`.
    static let whole: SQL = "10"

    /// Of a term in a segment, as `Lists.key` and `Lists.scatteredKey` say.
    private static func key(_ term: SQL, _ segment: SQL, _ shift: SQL) -> SQL {
        """
        CASE WHEN \(segment).neighbouring THEN \(wrapped("\(term) + 2147483648 + \(offset(segment, shift))"))
            ELSE \(term) # \(mask(segment, shift)) END
        """
    }

    /// Of a key in a segment, the other way round.
    private static func term(_ key: SQL, _ segment: SQL, _ shift: SQL) -> SQL {
        """
        CASE WHEN \(segment).neighbouring THEN \(wrapped("\(key) + 2147483648 - \(offset(segment, shift))"))
            ELSE \(key) # \(mask(segment, shift)) END
        """
    }

    private static func offset(_ segment: SQL, _ shift: SQL) -> SQL {
        "((\(segment).number >> \(shift)) + \(shift) * 2654404609)"
    }

    private static func mask(_ segment: SQL, _ shift: SQL) -> SQL {
        wrapped("(\(segment).number >> \(shift)) * 2654435761 + \(shift) * 2654404609 + 12345")
    }

    /// The lowest 32 bits of a number, less half of what they can say.
    private static func wrapped(_ number: SQL) -> SQL {
        "CAST(((\(number)) & 4294967295) - 2147483648 AS integer)"
    }
}

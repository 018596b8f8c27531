// SPDX-License-Identifier: Apache-2.0
// Names while they are typed, among a million.

import Domain
import Postgres
import SearchService

enum Names {
    /// Each name is borne by so many.
    private static let copies = 50
    private static let distinct = 20_000
    private static let families = Array("김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허유남심노")
    private static let syllables = Array("민서지현수영준은하윤도예주우진경연호아원성희정선재나유태기동혜미승규소인시")
    private static let latin = "ki mi na ra jo sa to ha be lu ma ri shi ko an el".split(separator: " ").map(String.init)

    private static func name(_ number: Int) -> [String] {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        func next(_ count: Int) -> Int {
            state = (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 32
            return Int(state % UInt64(count))
        }
        // Few families have most people.
        let family = families[min(next(families.count), next(families.count))]
        let given = String([syllables[next(syllables.count)], syllables[next(syllables.count)]])
        let handle = (0...(1 + next(3))).map { _ in latin[next(latin.count)] }.joined()
        return ["\(family)\(given)", "\(handle)\(next(1000))"]
    }

    /// Puts 20,000 in as a consumer does, and 49 namesakes of each by themselves, the less popular the later; those are not found by
    /// slips, which are not asked for here.
    static func load(into database: Database) async throws {
        let index = PostgresIndex(database)
        for first in stride(from: 0, to: distinct, by: 1000) {
            try await index.put(
                (first..<(first + 1000)).map { number in
                    let names = name(number)
                    return SearchDocument(
                        kind: .account,
                        id: Int64(number + 1) * 1000,
                        version: 1,
                        author: AccountID(Int64(number % Benchmark.people + 1)),
                        popularity: 1 << (number.trailingZeroBitCount % 16),
                        names: names,
                        text: names.joined(separator: " ")
                    )
                }
            )
        }
        _ = try await database.query(
            """
            INSERT INTO documents (kind, id, version, author_id, audience, people, popularity, popularity_version, gone, keys, form, source)
            SELECT kind, id + copy, version, author_id, audience, people, popularity / (1 + copy), 0, false, '{}', form, source
            FROM documents, generate_series(1, \(copies - 1)) AS copy WHERE kind = 1
            """,
            deadline: .seconds(1200)
        )
        _ = try await database.query(
            """
            INSERT INTO names (kind, id, position, typed, initials, near, within, weight)
            SELECT n.kind, n.id + copy, n.position, n.typed, n.initials, NULL, n.within,
                length(ltrim(CAST(CAST(d.popularity / (1 + copy) AS bit(32)) AS text), '0'))
            FROM names n JOIN documents d ON d.kind = n.kind AND d.id = n.id, generate_series(1, \(copies - 1)) AS copy
            """,
            deadline: .seconds(1200)
        )
        _ = try await database.query("VACUUM ANALYZE names, documents", deadline: .seconds(600))
        let counts: [Int] = try await database.query("SELECT count(DISTINCT id) FROM names", deadline: .seconds(600))
            .all {
                try $0.next()
            }
        print("\(counts.first ?? 0) accounts with names")
    }

    static func complete(_ database: Database, clients: Int, seconds: Int) async throws {
        let index = PostgresIndex(database)
        for text in ["ㄱ", "ki", "김", "김민", "minara", "ㄱㅁㅅ"] {
            for limit in [10, 80] {
                let ask: @Sendable (Int) async throws -> Bool = { _ in
                    try await !index.complete(NameRequest(text, [.account], viewer: AccountID(7), limit: limit)).isEmpty
                }
                for number in 0..<20 { _ = try await ask(number) }
                let measured = try await Measured.asking(database, clients: clients, seconds: seconds, ask)
                print("the first \(limit) names for \(text): \(measured)")
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What is asked often.

import Domain
import Postgres
import TextAnalysis

/// A question that somebody asked.
struct AskedQuery: Hashable, Sendable {
    let text: String
    let asker: AccountID

    /// Nil for what is no question that others might ask: with names of people or places in it, too short, too long.
    init?(_ text: String, by asker: AccountID) {
        let words = text.lowercased().split { $0.isWhitespace || $0.isNewline }
        let joined = words.joined(separator: " ")
        guard (2...40).contains(joined.count), joined.utf8.count <= 160,
            !joined.contains(where: { "@:\"\0".contains($0) }),
            !NameKeys.typed(joined).isEmpty
        else { return nil }
        self.text = joined
        self.asker = asker
    }

    var id: Int64 { stableNumber("query", text) }
    /// Another one for each question, so that nobody's questions can be put together.
    var askerID: Int64 { stableNumber("asker", text, "\(asker)") }
}

enum QueryStore {
    /// How many people must have asked something before it is shown to others, or kept as text at all.
    static let people = 5

    /// Keeps who asked what as numbers, and the text of what enough people have asked.
    ///
    /// - Parameter asked: each once.
    static func keep(_ asked: [AskedQuery], at now: Timestamp, in database: some Querying) async throws {
        _ = try await database.query(
            """
            WITH asked AS (
                SELECT * FROM unnest(
                    \(asked.map(\.id)), \(asked.map(\.askerID)), \(asked.map(\.text)), \(asked.map { NameKeys.typed($0.text) })
                ) AS q (query_id, asker_id, text, typed)
            ), kept AS (
                INSERT INTO askers (query_id, asker_id, asked_at)
                SELECT query_id, asker_id, \(now) FROM asked ORDER BY query_id, asker_id
                ON CONFLICT (query_id, asker_id) DO UPDATE SET asked_at = excluded.asked_at
                RETURNING query_id, asker_id
            ), known AS (
                SELECT a.query_id, a.text, a.typed, (
                    SELECT count(*) FROM (
                        SELECT k.asker_id FROM askers k WHERE k.query_id = a.query_id
                        UNION SELECT n.asker_id FROM kept n WHERE n.query_id = a.query_id
                        LIMIT 1000
                    ) AS everybody
                ) AS people
                FROM (SELECT DISTINCT ON (query_id) query_id, text, typed FROM asked ORDER BY query_id) a
            )
            INSERT INTO popular_queries (query_id, typed, text, people, asked_at)
            SELECT query_id, typed, text, people, \(now) FROM known WHERE people >= \(people) ORDER BY query_id
            ON CONFLICT (query_id) DO UPDATE SET people = excluded.people, asked_at = excluded.asked_at
            """
        )
    }

    /// What many people ask that begins so, what most ask first; nothing for no text.
    static func popular(beginning text: String, in database: some Querying) async throws -> [String] {
        let typed = NameKeys.typed(text)
        guard !typed.isEmpty else { return [] }
        return try await database.query(
            """
            SELECT q.text FROM (
                SELECT p.text, p.people FROM popular_queries p
                WHERE p.typed >= \(typed) AND p.typed < \(typed + "\u{10FFFF}")
                LIMIT 400
            ) q
            ORDER BY q.people DESC, q.text
            LIMIT 20
            """
        ).all { try $0.next() }
    }
}

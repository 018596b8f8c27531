// SPDX-License-Identifier: Apache-2.0
// How often sources of books were asked.

import Domain
import Postgres

enum BookAskStore {
    /// Counts one more on the day; false, and nothing, where the source was asked so often already.
    static func spend(_ source: BookSourceName, at now: Timestamp, most: Int, in database: some Querying) async throws
        -> Bool
    {
        try await database.query(
            """
            INSERT INTO book_asks AS a (source, day, asked) VALUES (\(source.rawValue), CAST(\(now.date) AS date), 1)
            ON CONFLICT (source, day) DO UPDATE SET asked = a.asked + 1
            WHERE a.asked < \(most)
            """
        ).affected == 1
    }

    /// Removes some of days before another.
    static func forget(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(
                of: "book_asks",
                by: "source, day",
                where: "day < CAST(\(moment.date) AS date)",
                inOrderOf: "day"
            )
        ).affected
    }
}

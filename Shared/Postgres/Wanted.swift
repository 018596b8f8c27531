// SPDX-License-Identifier: Apache-2.0
// What was found elsewhere, in its order.

extension SQL {
    /// `WITH wanted AS (…)`: ids with their places from 1 on, each once, at the first of its places.
    ///
    /// - Parameter first: selects ids, with the place 0, that come before them.
    public static func wanted(_ ids: [some PostgresArrayElement], after first: SQL) -> SQL {
        """
        WITH wanted AS (
            SELECT id, min(place) AS place
            FROM (
                SELECT id, place FROM unnest(\(ids)) WITH ORDINALITY AS f (id, place)
                UNION ALL
                \(first)
            ) w
            GROUP BY id
        )
        """
    }
}

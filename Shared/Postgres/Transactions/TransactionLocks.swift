// SPDX-License-Identifier: Apache-2.0
// Locks on what has no row.

extension SQL {
    /// Takes advisory locks until the transaction ends, in the order of their numbers: who takes all that they need at once is part of
    /// no circle.
    ///
    /// - Parameters:
    ///   - shared: numbers that others may share meanwhile, and nobody may claim.
    ///   - claimed: numbers that are had alone. Of one that is shared, too, this is what counts.
    public static func locks(sharing shared: Set<Int64>, claiming claimed: Set<Int64>) -> SQL {
        let numbers = shared.union(claimed).sorted()
        return """
            SELECT CASE WHEN is_claimed THEN pg_advisory_xact_lock(number) ELSE pg_advisory_xact_lock_shared(number) END
            FROM unnest(\(numbers), \(numbers.map(claimed.contains))) AS l (number, is_claimed)
            """
    }
}

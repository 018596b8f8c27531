// SPDX-License-Identifier: Apache-2.0
// The events that a service has recorded and nobody has relayed.

package import Postgres

/// The envelopes in the outbox, oldest first.
package func recordedEvents(in database: Database) async throws -> [[UInt8]] {
    try await database.query("SELECT envelope FROM outbox ORDER BY id").map { row in
        var columns = row.columns
        return try columns.next()
    }
}

// SPDX-License-Identifier: Apache-2.0
// What the connections to the database are doing.

import Postgres
import ServiceKit

/// Shows a database's connections: what is open, lent out and waited for.
func measure(_ database: Database, _ metrics: Metrics) {
    metrics.gauge("madang_database_connections", help: "Open connections to the database.") {
        Double(database.statistics.open)
    }
    metrics.gauge("madang_database_transactions", help: "Transactions that have a connection.") {
        Double(database.statistics.exclusiveInUse)
    }
    metrics.gauge("madang_database_transactions_most", help: "Transactions that may have a connection at a time.") {
        Double(database.mostTransactions)
    }
    metrics.gauge("madang_database_waiting", help: "Statements and transactions that wait for a connection.") {
        Double(database.statistics.waiting)
    }
    metrics.total("madang_database_reconnects_total", help: "Connections to the database made anew after a loss.") {
        Double(database.statistics.reconnects)
    }
}

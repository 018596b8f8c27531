// SPDX-License-Identifier: Apache-2.0
// What every query of search works with.

package import Domain
import Outbound
package import Postgres

/// Plain values, built once at the start and passed down.
package struct Dependencies: Sendable {
    let database: Database
    let index: any SearchIndex
    let now: @Sendable () -> Timestamp
    let site: Site
    let lag: IndexLag
    let trends = TrendCache()
    let queries = QueryLog()
    var books = BookCatalogue()
    /// Nil where nobody counts how apps are used.
    var usage: UsageLog?
    /// Asks others on the internet.
    let outbound = OutboundClient()
    /// The database for a question: each statement is given up after `patience`.
    let bounded: any Querying

    /// - Parameter patience: how long a statement of a question may take.
    package init(
        database: Database,
        index: any SearchIndex,
        patience: Duration = PostgresIndex.patience,
        now: @escaping @Sendable () -> Timestamp,
        site: Site
    ) {
        self.database = database
        bounded = database.bounded(by: patience)
        self.index = index
        self.now = now
        self.site = site
        lag = IndexLag(now: now)
    }
}

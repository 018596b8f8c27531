// SPDX-License-Identifier: Apache-2.0
// What every query of search works with.

package import Domain
package import Postgres

/// Plain values, built once at the start and passed down.
package struct Dependencies: Sendable {
    let database: Database
    let index: any SearchIndex
    let now: @Sendable () -> Timestamp
    let site: Site
    let lag: IndexLag

    package init(database: Database, index: any SearchIndex, now: @escaping @Sendable () -> Timestamp, site: Site) {
        self.database = database
        self.index = index
        self.now = now
        self.site = site
        lag = IndexLag(now: now)
    }
}

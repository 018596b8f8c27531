// SPDX-License-Identifier: Apache-2.0
// What every command and query of notifications works with.

package import Domain
package import Postgres

/// Plain values, built once at the start and passed down.
package struct Dependencies: Sendable {
    let database: Database
    let now: @Sendable () -> Timestamp
    let site: Site
    let presence = Presence()

    package init(database: Database, now: @escaping @Sendable () -> Timestamp, site: Site) {
        self.database = database
        self.now = now
        self.site = site
    }
}

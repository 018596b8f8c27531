// SPDX-License-Identifier: Apache-2.0
// What search owns.

import Foundation
package import Postgres

/// Finds things: one index of everything that can be found, and who may see it.
package enum SearchService {
    /// The tables of the index.
    package static let migrations = [
        MigrationSource(name: "search", directory: Bundle.module.bundlePath + "/Migrations")
    ]
}

// SPDX-License-Identifier: Apache-2.0
// The tables that every service with events has.

import Foundation
package import Postgres

/// The tables `outbox`, `inbox` and what belongs to them, in the schema of the service.
package let outboxMigrations = MigrationSource(
    name: "outbox",
    directory: Bundle.module.bundleURL.appendingPathComponent("Migrations").path
)

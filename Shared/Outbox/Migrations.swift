// SPDX-License-Identifier: Apache-2.0
// The tables that every service with events has.

import Foundation
public import Postgres

/// The release of Madang that this program is part of, as its migrations count: one higher at each release that has any.
///
/// A program runs on the schemas of its own release and of the next one.
public let schemaRelease = 2

/// The tables `outbox`, `inbox` and what belongs to them, in the schema of the service.
public let outboxMigrations = MigrationSource(
    name: "outbox",
    directory: Bundle.module.bundleURL.appendingPathComponent("Migrations").path
)

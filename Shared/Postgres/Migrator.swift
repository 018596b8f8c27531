// SPDX-License-Identifier: Apache-2.0
// Brings a schema to its newest form.

package import Logging

/// Numbered SQL files of one folder (`0001_name.sql`, forward only) under a name such as `posts` or `outbox`.
package struct MigrationSource: Sendable {
    package let name: String
    package let directory: String

    package init(name: String, directory: String) {
        self.name = name
        self.directory = directory
    }
}

/// Applies each migration once, in order, each in a transaction, under an advisory lock.
package struct Migrator: Sendable {
    package enum Failure: Error, Sendable {
        /// A file that was applied has another checksum now.
        case edited(String)
        /// A number is missing or given twice.
        case numbering(String)
        /// The database has migrations that this program does not know: it is newer than the program.
        case unknown(String)
        case failed(String, String)
    }

    package init(_ configuration: DatabaseConfiguration, sources: [MigrationSource], logger: Logger) { fatalError("stub") }

    /// - Returns: the names of the migrations that were applied now, such as `posts/0001_init`.
    package func migrate() async throws -> [String] { fatalError("stub") }

    /// Throws unless every migration is applied and none is unknown: what a service checks at its start.
    package func check() async throws { fatalError("stub") }
}

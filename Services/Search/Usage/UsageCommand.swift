// SPDX-License-Identifier: Apache-2.0
// The command `usage`, beside the processes that serve.

import Domain
import Logging
import Postgres
import ServiceKit
import Serving

extension SearchService {
    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: usage [DAYS], from 1 to \(UsageSweeps.days)"
    }

    /// The command `usage`: what apps told in the last days, today among them, as CSV (RFC 4180).
    static func usage(_ config: Config, _ logger: Logger, _ arguments: [String]) async throws {
        guard arguments.count <= 1, let days = Int(arguments.first ?? "30"), (1...UsageSweeps.days).contains(days)
        else {
            throw Usage()
        }
        let database = Database(config.service.database, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await usage(of: days, until: Timestamp.now(), in: database) { say($0) }
        }
    }

    /// Writes the lines, a day after the other. No value of them needs quotation marks: all are words, numbers and days.
    static func usage(
        of days: Int,
        until now: Timestamp,
        in database: some Querying,
        write: (String) -> Void
    ) async throws {
        write("day,name,platform,version,events")
        for ago in (0..<days).reversed() {
            let day = (now - .seconds(86_400 * ago)).date
            for line in try await UsageStore.usage(on: day, in: database) {
                write("\(day),\(line.name),\(line.platform),\(line.version),\(line.events)")
            }
        }
    }
}

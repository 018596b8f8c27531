// SPDX-License-Identifier: Apache-2.0
// POST /internal/found/records: those records of reading that search found.

import Calls
import Domain
import Web

/// Shows records in the order in which they were found, without those that the viewer may not see.
enum ShowFoundRecords {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let found = try FoundThings<Kind.ReadingRecord>(request.parameters())
        let records = try await RecordStore.found(found.ids, to: request.viewer, in: dependencies.database)
        return .json(array: records.map { $0.record.view(site: dependencies.site, reader: $0.reader) })
    }
}

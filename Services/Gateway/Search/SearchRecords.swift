// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/search/records?q=: records of reading by their books and by what is said of these.

import Calls
import Domain

/// Finds records that the caller may see: everybody's public ones, and those that are shown to followers.
enum SearchRecords {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        let page = try await request.findPage(of: .record)
        let shown = try await request.show(records: page[.record].map { RecordID($0.id) })
        return request.answer(page.json("records", page[.record], shown))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Lists of one kind that are paged by cursors.

import Calls
import Domain
import JSON
import NIOCore
import Surface
import Views
import Web

extension WorkRequest {
    /// The page of `q` that `cursor` names, with `account_id`, `max_id`, `min_id` and `since_id` as other searches have them.
    func findPage(of kind: FoundKind) async throws -> SearchFindings {
        if principal != nil { try require(.app("read:search")) }
        let parameters = try parameters()
        let question = SearchQuestion(
            try parameters.sought(),
            [kind],
            limit: try parameters.number("limit", default: 20, 1...40),
            before: try parameters.cursor("max_id"),
            after: try parameters.cursor("min_id") ?? parameters.cursor("since_id"),
            author: try parameters.id("account_id"),
            cursor: try parameters.string("cursor")
        )
        return try await find(question)
    }
}

extension SearchFindings {
    /// What was found as its owner shows it; who may not see some of it has a shorter page.
    func json(_ name: StaticString, _ found: [Found], _ shown: ByteBuffer) -> [UInt8] {
        JSONWriter.object { json in
            json.member(name, json: shown)
            json.object("highlights") { json in json.member(name, excerptsOf: found, shown: shown) }
            json.member("next_cursor", next)
        }
    }
}

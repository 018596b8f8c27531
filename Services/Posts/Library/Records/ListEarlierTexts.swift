// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf/records/:id/texts: what was written and lost to a later write from another device.

import Domain
import Views
import Web

/// The texts of a record that were replaced by somebody who did not know of them, the newest first.
enum ListEarlierTexts {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let record = try await GetOwnRecord.require(request.recordName(), of: owner, dependencies)
        let texts = try await EarlierTextStore.texts(
            of: record.id,
            limit: dependencies.limits.library.earlierTexts,
            in: dependencies.database
        )
        return .json(array: texts.map(EarlierTextView.init))
    }
}

private struct EarlierTextView: ObjectView {
    let kept: KeptText

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", kept.id)
        json.member("field", kept.text.field.rawValue)
        json.member("text", kept.text.text)
        json.member("replaced_at", kept.id.timestamp)
    }
}

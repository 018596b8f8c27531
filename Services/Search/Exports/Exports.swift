// SPDX-License-Identifier: Apache-2.0
// What search hands over of somebody who asks for everything that is theirs.

import Domain
import Events
import Outbox

enum Exports {
    /// All else that search has are copies of what the others hand over.
    static let part = ExportPart([
        .object(
            "search/profile.json",
            ExportWords(
                en: "How you can be found.",
                ko: "검색에서 어떻게 보이는지.",
                ja: "検索でどう見つかるか。"
            )
        ) { try await ExportedStore.profile(of: $0, in: $1) }
    ])
}

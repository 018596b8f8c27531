// SPDX-License-Identifier: Apache-2.0
// The queue posts.terms: what may not be written here, as auth tells it.

import Domain
import Events
import Outbox
import Postgres
import Serving

enum BlockedTerms {
    static let queue = EventQueue(
        "posts.terms",
        rebuild: Rebuild(
            seen: { BlockListStore.seen($0).map { [$0] } ?? [] },
            withdrawals: BlockListStore.untold
        ),
        BlockListStore.reactions
    )

    /// Throws where one of the texts may not be written here.
    ///
    /// - Returns: the word of which whoever runs the place wants to hear; nil for none.
    static func check(
        _ texts: [String?],
        _ dependencies: Dependencies,
        in database: some Querying
    ) async throws -> BlockedTermID? {
        try await dependencies.blocks.list(in: database).check(texts)
    }
}

extension ProfileDraft {
    /// All that others read of it.
    var texts: [String?] { [displayName, note] + (fields ?? []).flatMap { [$0.name, $0.value] } }
}

extension Project.Revision {
    /// All that others read of it.
    var texts: [String?] {
        [title, summary, text, category ?? nil, place ?? nil, frequency ?? nil, contactURL ?? nil]
            + (labels ?? []).map { $0 } + (roles ?? []).map(\.name)
    }
}

extension RecordContent {
    /// All that others read of it: nothing where it is its owner's alone.
    var sharedTexts: [String?] { visibility == .private ? [] : [oneLine, review] + quotes.map(\.text) }
}

// SPDX-License-Identifier: Apache-2.0
// Whom a text names.

import Domain
import Events
import Views

extension MentionSnapshot {
    /// The accounts that a text names, in its order; names that nobody has stay text.
    static func all(in text: String, _ dependencies: Dependencies) async throws -> [MentionSnapshot] {
        let names = PostText.mentions(in: text, domain: dependencies.site.domain)
        guard !names.isEmpty else { return [] }
        let ids = try await AccountStore.ids(of: names, in: dependencies.database)
        return names.compactMap { name in ids[name].map { MentionSnapshot(id: $0, username: name) } }
    }
}

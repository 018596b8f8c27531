// SPDX-License-Identifier: Apache-2.0
// Of whom a request is, when it is of several.

import Domain
import Web

extension Parameters {
    /// The ids of `id[]`, each once, at most `limit`.
    func accounts(limit: Int) throws -> [AccountID] {
        var seen: Set<AccountID> = []
        let ids: [AccountID] = try ids("id") ?? []
        return Array(ids.filter { seen.insert($0).inserted }.prefix(limit))
    }
}

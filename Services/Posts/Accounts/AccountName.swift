// SPDX-License-Identifier: Apache-2.0
// How clients write whom they mean.

import Domain
import Web

extension Username {
    /// Of `name`, `@name` or `name@domain` with this server's domain; nil for a name that is none here.
    init?(acct: String, domain: String) {
        let parts = acct.drop(while: { $0 == "@" }).split(
            separator: "@",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let name = parts.first else { return nil }
        if parts.count == 2, let host = parts.last, host.lowercased() != domain.lowercased() { return nil }
        self.init(name)
    }
}

extension Parameters {
    /// The ids of `id[]`, each once, at most `limit`.
    func accounts(limit: Int) throws -> [AccountID] {
        var seen: Set<AccountID> = []
        let ids: [AccountID] = try ids("id") ?? []
        return Array(ids.filter { seen.insert($0).inserted }.prefix(limit))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Things of the index in one line each.

import Domain
import Postgres

enum NameTexts {
    /// `@mina`, `#여행`, or the title.
    static func of(_ ids: [Int64], _ kind: SearchKind, in database: some Querying) async throws -> [Int64: String] {
        guard !ids.isEmpty else { return [:] }
        if kind == .account {
            let handles = try await PeopleStore.handles(of: ids.map { AccountID($0) }, in: database)
            return Dictionary(handles.map { ($0.key.rawValue, "@\($0.value)") }) { $1 }
        }
        let sign = kind == .hashtag ? "#" : ""
        return try await DocumentStore.texts(of: ids, kind, in: database)
            .mapValues { sign + ($0.split(separator: "\n").first.map(String.init) ?? "") }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Snapshots of accounts and posts as columns.

package import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONB {
    package init(snapshot: some Encodable) throws {
        self.init(Array(try JSONEncoder().encode(snapshot)))
    }

    package func snapshot<Snapshot: Decodable>(_: Snapshot.Type = Snapshot.self) throws -> Snapshot {
        try JSONDecoder().decode(Snapshot.self, from: Data(json))
    }
}

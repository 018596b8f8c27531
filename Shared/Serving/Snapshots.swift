// SPDX-License-Identifier: Apache-2.0
// Snapshots of accounts and posts as columns.

package import Events
import JSON
package import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONB {
    package init(snapshot: some Encodable) throws {
        if let form = snapshot as? any JSONForm, form.hasForm {
            var json = JSONWriter()
            form.write(to: &json)
            self.init(json.bytes)
        } else {
            self.init(Array(try JSONEncoder().encode(snapshot)))
        }
    }

    package func snapshot<Snapshot: Decodable>(_: Snapshot.Type = Snapshot.self) throws -> Snapshot {
        if let form = Snapshot.self as? any JSONForm.Type, let snapshot = form.value(of: json) as? Snapshot {
            return snapshot
        }
        return try JSONDecoder().decode(Snapshot.self, from: Data(json))
    }
}

extension JSONForm {
    /// Nil for what is not in this form.
    fileprivate static func value(of jsonb: [UInt8]) -> Any? {
        try? JSONFormReader.read(Self.self, from: jsonb[...], by: .jsonb)
    }
}

/// A value that is kept as JSON.
package protocol ColumnJSON: PostgresDecodable, Decodable {}

extension ColumnJSON {
    package init(cell: Cell) throws { self = try JSONB(cell: cell).snapshot() }
}

extension CardSnapshot: ColumnJSON {}
extension MediaProcessed: ColumnJSON {}
extension ProfileExtras: ColumnJSON {}
extension ProjectState: ColumnWord {}
extension ApplicationState: ColumnWord {}

// SPDX-License-Identifier: Apache-2.0
// Snapshots of accounts and posts as columns.

public import Events
import JSON
public import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONB {
    public init(snapshot: some Encodable) throws {
        self.init(try JSONWriter.form(of: snapshot) ?? Array(JSONEncoder().encode(snapshot)))
    }

    public func snapshot<Snapshot: Decodable>(_: Snapshot.Type = Snapshot.self) throws -> Snapshot {
        try JSONFormReader.value(Snapshot.self, from: json[...], by: .jsonb)
            ?? JSONDecoder().decode(Snapshot.self, from: Data(json))
    }
}

/// A value that is kept as JSON.
public protocol ColumnJSON: PostgresDecodable, Decodable {}

extension ColumnJSON {
    public init(cell: Cell) throws { self = try JSONB(cell: cell).snapshot() }
}

extension CardSnapshot: ColumnJSON {}
extension MediaProcessed: ColumnJSON {}
extension ProfileExtras: ColumnJSON {}
extension ProjectState: ColumnWord {}
extension ApplicationState: ColumnWord {}

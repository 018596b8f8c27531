// SPDX-License-Identifier: Apache-2.0
// The words of chat as columns.

import Events
import Postgres
import Serving

/// Which messages of a channel notify a member.
enum NotifyLevel: String, Sendable, CaseIterable {
    case all, mentions, none
}

/// A word that is kept as text.
protocol ColumnWord: RawRepresentable<String>, PostgresEncodable, PostgresDecodable {}

extension ColumnWord {
    package static var postgresType: UInt32 { String.postgresType }

    package func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }

    package init(cell: Cell) throws {
        guard let word = Self(rawValue: try String(cell: cell)) else { throw cell.mismatch("not a \(Self.self)") }
        self = word
    }
}

/// A value that is kept as JSON.
protocol ColumnJSON: PostgresDecodable, Decodable {}

extension ColumnJSON {
    package init(cell: Cell) throws { self = try JSONB(cell: cell).snapshot() }
}

extension AccountSnapshot: ColumnJSON {}
extension MediaProcessed: ColumnJSON {}
extension NotifyLevel: ColumnWord {}
extension ChatRole: ColumnWord {}
extension ChannelType: ColumnWord {}

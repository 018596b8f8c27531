// SPDX-License-Identifier: Apache-2.0
// The words of chat as columns.

import Domain
import Events
import Postgres

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

extension NotifyLevel: ColumnWord {}
extension ChatRole: ColumnWord {}
extension ChannelType: ColumnWord {}

// SPDX-License-Identifier: Apache-2.0
// Names that apps give to what they make without a network.

import Domain
import Postgres
import Web

/// A UUID in any version (RFC 9562).
struct ClientID: Hashable, Sendable, CustomStringConvertible {
    /// Sixteen.
    let bytes: [UInt8]

    /// Parses 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12; nil for anything else.
    init?(_ text: some StringProtocol) {
        let parts = text.utf8.prefix(37).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        var bytes: [UInt8] = []
        var half: UInt8?
        for digit in parts.joined() {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            if let high = half {
                bytes.append(high << 4 | UInt8(value))
                half = nil
            } else {
                half = UInt8(value)
            }
        }
        self.bytes = bytes
    }

    var description: String {
        [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }.joined(separator: "-")
    }
}

extension ClientID: PostgresEncodable, PostgresDecodable, PostgresArrayElement {
    static var postgresType: UInt32 { 2950 }
    static var postgresArrayType: UInt32 { 2951 }

    func encode(into bytes: inout [UInt8]) { bytes += self.bytes }

    init(cell: Cell) throws {
        guard cell.type == Self.postgresType, cell.bytes.count == 16 else { throw cell.mismatch("not a UUID") }
        bytes = cell.bytes
    }
}

/// How a path or a write names a record: by the server's id or by the app's.
enum RecordName: Hashable, Sendable {
    case id(RecordID)
    case client(ClientID)

    init?(_ text: some StringProtocol) {
        if let id = RecordID(text) {
            self = .id(id)
        } else if let id = ClientID(text) {
            self = .client(id)
        } else {
            return nil
        }
    }
}

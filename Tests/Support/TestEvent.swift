// SPDX-License-Identifier: Apache-2.0
// What a service has recorded, for tests to look at.

package import Events
internal import Foundation

/// An event as it waits in the outbox.
package struct TestEvent: Sendable {
    package let type: String
    package let subject: String
    package let version: Int64
    /// All of its message.
    package let text: String

    package init(_ message: [UInt8]) throws {
        struct Header: Decodable {
            let type: String
            let subject: String
            let version: Int64
        }
        let header = try JSONDecoder().decode(Header.self, from: Data(parts(ofMessage: message).envelope))
        type = header.type
        subject = header.subject
        version = header.version
        text = String(decoding: message, as: UTF8.self)
    }
}

extension LiveHeader {
    /// The payload as text.
    package var text: String { String(decoding: payload, as: UTF8.self) }
}

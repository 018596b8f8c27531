// SPDX-License-Identifier: Apache-2.0
// Sizes and times of Socket.IO connections.

/// What bounds a client. Times are in milliseconds.
package struct SocketIOSettings: Sendable {
    package var engine = EngineSettings()
    /// How long a connection may be without a namespace.
    package var connectTimeout: Int64 = 45_000
    /// Namespaces on one connection; more are refused.
    package var namespaces = 1000
    /// Octets of a namespace's name.
    package var namespaceName = 256
    /// Attachments of a packet.
    package var attachments = 32
    /// Nesting of a payload.
    package var depth = 64

    package init() {}

    /// Octets of all attachments of a packet together.
    var attachmentBytes: Int { engine.maxPayload * 4 }
}

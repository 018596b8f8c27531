// SPDX-License-Identifier: Apache-2.0
// Sizes and times of Socket.IO connections.

/// What bounds a client. Times are in milliseconds.
public struct SocketIOSettings: Sendable {
    public var engine = EngineSettings()
    /// How long a connection may be without a namespace.
    public var connectTimeout: Int64 = 45_000
    /// Namespaces on one connection; more are refused.
    public var namespaces = 1000
    /// Octets of a namespace's name.
    public var namespaceName = 256
    /// Attachments of a packet.
    public var attachments = 32
    /// Nesting of a payload.
    public var depth = 64

    public init() {}

    /// Octets of all attachments of a packet together.
    var attachmentBytes: Int { engine.maxPayload * 4 }
}

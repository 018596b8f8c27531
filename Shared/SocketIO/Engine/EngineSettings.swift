// SPDX-License-Identifier: Apache-2.0
// Sizes and times of Engine.IO connections.

/// What an operator may set, and what bounds a client. Times are in milliseconds.
public struct EngineSettings: Sendable {
    public var pingInterval: Int64 = 25_000
    public var pingTimeout: Int64 = 20_000
    /// Octets of the longest request body and of the longest WebSocket message.
    public var maxPayload = 1_000_000
    /// The same until the session is trusted, so that strangers hold little; nil when there is no difference.
    public var strangerPayload: Int?
    /// How long a WebSocket may take to be probed and to take over.
    public var upgradeTimeout: Int64 = 10_000
    /// How long what is left is kept for a client that does not poll, when the connection is ended from here.
    public var closingTimeout: Int64 = 10_000
    /// A poll that only waits for an upgrade is answered after this long.
    public var noopDelay: Int64 = 50
    /// Packets in one answer to a poll: widely used clients refuse more (python-engineio's `max_decode_packets`).
    public var pollPackets = 16
    /// Messages and octets that may wait for a slow reader.
    public var backlog = 16_384
    public var backlogBytes = 4 << 20
    /// What is preferred of a WebSocket's compression; nil compresses nothing.
    public var deflate: WebSocketDeflate?
    /// Messages shorter than this are not compressed.
    public var compressionThreshold = 1024

    public init() {}

    public var webSocket: WebSocketSettings {
        var settings = WebSocketSettings()
        settings.message = firstPayload
        settings.queue = backlog
        settings.queueBytes = backlogBytes
        // Engine.IO has a heartbeat of its own.
        settings.ping = nil
        settings.compressionThreshold = compressionThreshold
        return settings
    }

    /// What a session begins with.
    var firstPayload: Int { min(strangerPayload ?? maxPayload, maxPayload) }

    /// How often deadlines are looked at.
    var tick: Int64 { min(500, max(5, min(pingInterval, pingTimeout) / 20)) }
}

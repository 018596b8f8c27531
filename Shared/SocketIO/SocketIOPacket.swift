// SPDX-License-Identifier: Apache-2.0
// Packets of Socket.IO v5 to clients, as bytes that are made once and sent to many.

import JSON
public import NIOCore

/// An event or acknowledgement, encoded for one namespace.
///
/// Made once, on any thread, and shared by every socket that gets it: the bytes are the same for all, over polling
/// and over WebSocket.
public struct SocketIOPacket: Sendable {
    /// Engine.IO messages: the text, `4` before it, and its attachments.
    let messages: [WebSocketMessage]

    /// An event with arguments.
    ///
    /// - Parameters:
    ///   - arguments: each as JSON; binary ones as placeholders, `{"_placeholder":true,"num":n}`, for `attachments`.
    ///   - namespace: must be the namespace of every socket that it is sent to.
    public static func event(
        _ name: String,
        _ arguments: [ByteBuffer],
        attachments: [ByteBuffer] = [],
        namespace: String = "/"
    ) -> SocketIOPacket {
        let size = arguments.reduce(name.utf8.count + namespace.utf8.count + 32) { $0 + $1.readableBytes + 1 }
        var json = ByteBufferAllocator().buffer(capacity: size)
        json.writeStaticString("[")
        JSONText.write(name, to: &json)
        for argument in arguments {
            json.writeStaticString(",")
            json.writeImmutableBuffer(argument)
        }
        json.writeStaticString("]")
        return SocketIOPacket(
            type: attachments.isEmpty ? "2" : "5",
            attachments: attachments,
            namespace: namespace,
            id: nil,
            json: json
        )
    }

    /// An event with one argument, which is JSON.
    public static func event(
        _ name: String,
        json: some Collection<UInt8>,
        namespace: String = "/"
    ) -> SocketIOPacket { event(name, [ByteBuffer(bytes: json)], namespace: namespace) }

    static func acknowledgement(
        _ acknowledgement: SocketIOAcknowledgement,
        _ arguments: [ByteBuffer],
        attachments: [ByteBuffer],
        namespace: String
    ) -> SocketIOPacket {
        var json = ByteBufferAllocator().buffer(capacity: arguments.reduce(2) { $0 + $1.readableBytes + 1 })
        json.writeStaticString("[")
        for (index, argument) in arguments.enumerated() {
            if index > 0 { json.writeStaticString(",") }
            json.writeImmutableBuffer(argument)
        }
        json.writeStaticString("]")
        return SocketIOPacket(
            type: attachments.isEmpty ? "3" : "6",
            attachments: attachments,
            namespace: namespace,
            id: acknowledgement.id,
            json: json
        )
    }

    /// CONNECT with the socket's id.
    static func connect(id: String, namespace: String) -> SocketIOPacket {
        var json = ByteBuffer()
        json.writeStaticString(#"{"sid":"#)
        JSONText.write(id, to: &json)
        json.writeStaticString("}")
        return SocketIOPacket(type: "0", attachments: [], namespace: namespace, id: nil, json: json)
    }

    /// CONNECT_ERROR.
    static func refusal(_ message: String, data: ByteBuffer?, namespace: String) -> SocketIOPacket {
        var json = ByteBuffer()
        json.writeStaticString(#"{"message":"#)
        JSONText.write(message, to: &json)
        if let data {
            json.writeStaticString(#","data":"#)
            json.writeImmutableBuffer(data)
        }
        json.writeStaticString("}")
        return SocketIOPacket(type: "4", attachments: [], namespace: namespace, id: nil, json: json)
    }

    static func disconnect(namespace: String) -> SocketIOPacket {
        SocketIOPacket(type: "1", attachments: [], namespace: namespace, id: nil, json: ByteBuffer())
    }

    /// `<type>[<attachments>-][<namespace>,][<id>][JSON]`, Socket.IO protocol v5, "Packet encoding".
    private init(
        type: StaticString,
        attachments: [ByteBuffer],
        namespace: String,
        id: UInt64?,
        json: ByteBuffer
    ) {
        var text = ByteBufferAllocator().buffer(capacity: json.readableBytes + namespace.utf8.count + 48)
        text.writeStaticString("4")
        text.writeStaticString(type)
        if !attachments.isEmpty { text.writeString("\(attachments.count)-") }
        if namespace != "/" {
            text.writeString(namespace)
            text.writeStaticString(",")
        }
        if let id { text.writeString(String(id)) }
        text.writeImmutableBuffer(json)
        messages =
            [WebSocketMessage(text: text.readableBytesView)]
            + attachments.map { WebSocketMessage(binary: $0.readableBytesView) }
    }
}

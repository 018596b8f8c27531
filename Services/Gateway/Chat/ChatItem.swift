// SPDX-License-Identifier: Apache-2.0
// Something to be written to connections, encoded once for all of them.

import Calls
import Domain
import JSON
import NIOCore
import SocketIO
import Views

/// An event of the default namespace, and what it is in a room's own. Belongs to one event loop.
final class ChatItem {
    let event: String
    let payload: ByteBuffer
    let except: [AccountID]
    private var rooms: [String: SocketIOPacket?] = [:]

    init(_ event: String, _ payload: ByteBuffer, except: [AccountID] = []) {
        self.event = event
        self.payload = payload
        self.except = except
    }

    convenience init(_ event: String, _ write: (inout JSONWriter) -> Void) {
        self.init(event, ByteBuffer(bytes: JSONWriter.object(write)))
    }

    /// A new message as it is told to those who have an older state of it.
    private(set) lazy var asChange: ChatItem =
        RawMessage(RawJSON(payload)).map { ChatItem.changed($0) } ?? ChatItem("message:edited", payload)

    private(set) lazy var packet = SocketIOPacket.event(event, [payload])

    /// What a room's own namespace gets: new messages, in the form that its clients know.
    func packet(inRoom namespace: String, _ dialects: Dialects) -> SocketIOPacket? {
        if let known = rooms[namespace] { return known }
        let packet = dialects.room(namespace)?.dialect.event(ofMessage: payload).map {
            SocketIOPacket.event($0.name, json: $0.payload, namespace: namespace)
        }
        rooms[namespace] = packet
        return packet
    }

    static func resync(_ head: ChannelHead) -> ChatItem { ChatItem("resync") { head.members("channel_id", to: &$0) } }

    static func online(_ accounts: Set<AccountID>) -> ChatItem {
        ChatItem("presence") { $0.member("online", accounts.sorted().map(\.description)) }
    }

    /// A message that came earlier, in its newest state.
    static func changed(_ message: RawMessage) -> ChatItem {
        ChatItem(message.isDeleted ? "message:deleted" : "message:edited", message.bytes)
    }
}

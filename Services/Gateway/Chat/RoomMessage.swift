// SPDX-License-Identifier: Apache-2.0
// A message as it is sent to a room's own namespace.

import NIOCore
import Views

enum RoomMessage {
    /// The event and its payload; nil for what is no message.
    static func event(of message: ByteBuffer) -> (name: String, payload: ByteBuffer)? {
        let json = RawJSON(message)
        guard let id = json.member("id"), let channel = json.member("channel_id"), let account = json.member("account")
        else { return nil }
        let type = json.member("channel_type")?.text
        let isDirect = type == "direct" || type == "group"
        func copy(_ value: RawJSON?, _ json: inout JSONWriter) {
            if let value { json.raw(value.bytes.readableBytesView) } else { json.null() }
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.name(isDirect ? "room_id" : "channel_id")
            copy(channel, &writer)
            writer.name(isDirect ? "dm_id" : "chat_id")
            copy(id, &writer)
            if !isDirect { writer.member("channelName", "") }
            writer.name("content")
            copy(json.member("text"), &writer)
            writer.name("createdAt")
            copy(json.member("created_at"), &writer)
            writer.member(
                "files",
                array: { writer in
                    for file in json.member("attachments")?.elements ?? [] { copy(file.member("url"), &writer) }
                }
            )
            writer.member(
                "user",
                object: { writer in
                    writer.name("user_id")
                    copy(account.member("id"), &writer)
                    writer.member("email", "")
                    writer.name("nickname")
                    copy(account.member("display_name"), &writer)
                    writer.name("profileImage")
                    copy(account.member("avatar"), &writer)
                }
            )
        }
        return (isDirect ? "dm" : "channel", ByteBuffer(bytes: writer.bytes))
    }
}

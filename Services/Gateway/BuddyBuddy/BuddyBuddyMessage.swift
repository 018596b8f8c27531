// SPDX-License-Identifier: Apache-2.0
// A message of ours as Buddy Buddy reads it, over HTTP and in the events `channel` and `dm` of its sockets.

import FoundationEssentials
import GatewayService
import Views

/// One message in the form that the app stores by its id.
struct BuddyBuddyMessage: ObjectView {
    let message: MessageBody
    /// Of messages in channels; the app shows it nowhere but cannot read a message without.
    let channelName: String

    init(_ message: MessageBody, channelName: String = "") {
        self.message = message
        self.channelName = channelName
    }

    /// The event of a room's namespace out of our Message as JSON; nil when it is none.
    ///
    /// Pure, and the same for every socket of a room: call it once for a message.
    static func event(of message: some Collection<UInt8>, channelName: String = "") -> DialectEvent? {
        guard let body = try? JSONDecoder().decode(MessageBody.self, from: Data(message)) else { return nil }
        let payload = BuddyBuddyMessage(body, channelName: channelName).json()
        return DialectEvent(body.isDirect ? "dm" : "channel", payload: payload)
    }

    func writeMembers(to json: inout JSONWriter) {
        if message.isDirect {
            json.member("dm_id", message.id)
            json.member("room_id", message.channelID)
        } else {
            json.member("channel_id", message.channelID)
            json.member("channelName", channelName)
            json.member("chat_id", message.id)
        }
        json.member("content", content)
        json.member("createdAt", message.createdAt)
        json.member("files", files)
        json.member("user", BuddyBuddyUser(message.account))
    }

    /// The app knows no GIFs: one that stands alone is at least a link.
    private var content: String { message.text.isEmpty ? message.gif?.url ?? "" : message.text }

    private var files: [String] {
        // Also what is not ready yet: the app never asks for a message twice.
        (message.attachments ?? []).filter { $0.state != "failed" }
            .map { BuddyBuddyFiles.path(of: $0.id, in: message.id) }
    }
}

/// A person in lists and messages. Nobody's address of mail is told to others; the app must have the member.
struct BuddyBuddyUser: ObjectView {
    let person: PersonBody

    init(_ person: PersonBody) { self.person = person }

    func writeMembers(to json: inout JSONWriter) {
        json.member("user_id", person.id)
        json.member("email", "")
        json.member("nickname", person.name)
        json.member("profileImage", person.avatar.map(BuddyBuddyPath.of))
    }
}

/// Pictures: the app puts its base URL and `/v1` before what it is told.
enum BuddyBuddyPath {
    static let avatar = "/assets/avatar.png"
    static let cover = "/assets/thumbnail.png"

    /// The path of a URL of ours.
    static func of(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a notification shows of a message in chat.

import Domain
import Views

/// The beginning of a message and where it was said.
struct MessageExcerpt: ObjectView {
    let id: MessageID
    let channelID: ChannelID
    let channelType: String
    /// Empty for direct messages.
    let channelName: String
    let playgroundID: PlaygroundID?
    let seq: Int64
    /// Plain text.
    let text: String

    /// Characters of a message that a notification shows.
    static let length = 200

    /// The beginning of a text, with a mark where it goes on.
    static func text(of text: String) -> String {
        guard let end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return text[..<end] + "…"
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("channel_id", channelID)
        json.member("channel_type", channelType)
        json.member("channel_name", channelName)
        json.member("playground_id", playgroundID?.description)
        json.member("seq", seq)
        json.member("text", text)
    }
}

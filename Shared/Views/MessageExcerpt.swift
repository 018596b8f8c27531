// SPDX-License-Identifier: Apache-2.0
// What a notification shows of a message in chat.

package import Domain

/// The beginning of a message and where it was said.
package struct MessageExcerpt: ObjectView {
    package let id: MessageID
    package let channelID: ChannelID
    package let channelType: String
    /// Empty for direct messages.
    package let channelName: String
    package let playgroundID: PlaygroundID?
    package let seq: Int64
    /// Plain text.
    package let text: String

    package init(
        id: MessageID,
        channelID: ChannelID,
        channelType: String,
        channelName: String,
        playgroundID: PlaygroundID?,
        seq: Int64,
        text: String
    ) {
        self.id = id
        self.channelID = channelID
        self.channelType = channelType
        self.channelName = channelName
        self.playgroundID = playgroundID
        self.seq = seq
        self.text = text
    }

    /// Characters of a message that a notification shows.
    package static let length = 200

    /// The beginning of a text, with a mark where it goes on.
    package static func text(of text: String) -> String {
        guard let end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return text[..<end] + "…"
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("channel_id", channelID)
        json.member("channel_type", channelType)
        json.member("channel_name", channelName)
        json.member("playground_id", playgroundID?.description)
        json.member("seq", seq)
        json.member("text", text)
    }
}

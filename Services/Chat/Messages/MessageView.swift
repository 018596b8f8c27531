// SPDX-License-Identifier: Apache-2.0
// A message as clients see it: the same for everybody.

import Domain
import Events
import Postgres
import Views
import Web

/// A message, in answers and on sockets.
struct MessageView: ObjectView {
    let message: MessageRow
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        // Of somebody whom nobody may see it is told only that they said something.
        let isWithheld = message.author.isHidden
        let isEmpty = isWithheld || message.deletedAt != nil
        json.member("id", message.id)
        json.member("channel_id", message.channelID)
        json.member("playground_id", message.playgroundID)
        json.member("channel_type", message.channelType.rawValue)
        json.member("seq", message.seq)
        json.member("change", message.change)
        json.member("account", PersonView(person: message.author, site: site))
        json.member("text", isWithheld ? "" : message.text)
        json.member("language", message.language)
        json.member("attachments", isEmpty ? [] : message.attachments.map { AttachmentView(file: $0, site: site) })
        json.member("gif", written: isWithheld ? nil : message.gif?.json)
        json.member("card", isWithheld ? nil : message.card.map { CardView($0, site: site) })
        json.member("reply_to_id", message.replyToID)
        json.member("thread_id", message.threadID)
        writeThread(to: &json)
        json.member("reactions", written: message.reactions?.json, absent: "[]")
        json.member("mentions", written: isWithheld ? nil : message.mentions.json, absent: "[]")
        json.member("wide_mention", message.wideMention?.rawValue)
        json.member("client_id", message.clientID)
        json.member("pinned_at", message.pinnedAt)
        json.member("pinned_by", message.pinnerID)
        json.member("created_at", message.createdAt)
        json.member("edited_at", message.editedAt)
        json.member("deleted_at", message.deletedAt)
        if isWithheld { json.member("withheld", true) }
    }

    private func writeThread(to json: inout JSONWriter) {
        guard message.repliesCount > 0 else { return json.null("thread") }
        json.object("thread") { json in
            json.member("replies_count", message.repliesCount)
            json.member("last_reply_at", message.lastReplyAt)
        }
    }

}

extension Answer {
    static func messages(_ messages: [MessageRow], site: Site) -> Answer {
        .json(array: messages.map { MessageView(message: $0, site: site) })
    }
}

/// A file of a message, under links for those who read it now, and how far it has come.
private struct AttachmentView: ObjectView {
    let file: AttachedFile
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        let media = file.failed ? nil : file.media
        MediaView(file.id, media.map(MediaSnapshot.init), isOpen: false, site: site).writeMembers(to: &json)
        json.member("state", file.failed ? "failed" : media == nil ? "processing" : "ready")
    }
}

/// A GIF of a message.
struct GifView: ObjectView {
    let gif: GifSnapshot

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", gif.id)
        json.member("url", gif.url)
        json.member("preview_url", gif.previewURL)
        json.member("width", gif.width)
        json.member("height", gif.height)
        json.member("title", gif.title)
    }
}

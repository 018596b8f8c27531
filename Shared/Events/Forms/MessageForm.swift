// SPDX-License-Identifier: Apache-2.0
// How a message and its channel are written as JSON and read again.

public import JSON

extension MessageSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("attachment_ids", attachmentIDs)
            json.member("author_id", authorID)
            json.member("change", change)
            json.member("channel_id", channelID)
            json.member("created_at", createdAt)
            json.optional("deleted_at", deletedAt)
            json.optional("edited_at", editedAt)
            json.optional("gif", gif)
            json.member("id", id)
            json.optional("language", language)
            json.member("mentions", mentions)
            json.optional("reply_to_id", replyToID)
            json.member("seq", seq)
            json.member("text", text)
            json.optional("thread_id", threadID)
            json.optional("wide_mention", wideMention)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        attachmentIDs = try json.member("attachment_ids")
        authorID = try json.member("author_id")
        change = try json.member("change")
        channelID = try json.member("channel_id")
        createdAt = try json.member("created_at")
        deletedAt = try json.optional("deleted_at")
        editedAt = try json.optional("edited_at")
        gif = try json.optional("gif")
        id = try json.member("id")
        language = try json.optional("language")
        mentions = try json.member("mentions")
        replyToID = try json.optional("reply_to_id")
        seq = try json.member("seq")
        text = try json.member("text")
        threadID = try json.optional("thread_id")
        wideMention = try json.optional("wide_mention")
        try json.endObject()
    }
}

extension GifSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("height", height)
            json.member("id", id)
            json.member("preview_url", previewURL)
            json.member("title", title)
            json.member("url", url)
            json.member("width", width)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        height = try json.member("height")
        id = try json.member("id")
        previewURL = try json.member("preview_url")
        title = try json.member("title")
        url = try json.member("url")
        width = try json.member("width")
        try json.endObject()
    }
}

extension ChannelSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.optional("archived_at", archivedAt)
            json.member("created_at", createdAt)
            json.member("description", description)
            json.member("id", id)
            json.member("name", name)
            json.optional("owner_id", ownerID)
            json.optional("playground_id", playgroundID)
            json.member("type", type)
            json.member("version", version)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        archivedAt = try json.optional("archived_at")
        createdAt = try json.member("created_at")
        description = try json.member("description")
        id = try json.member("id")
        name = try json.member("name")
        ownerID = try json.optional("owner_id")
        playgroundID = try json.optional("playground_id")
        type = try json.member("type")
        version = try json.member("version")
        try json.endObject()
    }
}

extension ChannelType: JSONForm {}
extension WideMention: JSONForm {}

// SPDX-License-Identifier: Apache-2.0
// How a post is written as JSON and read again.

public import JSON

extension PostSnapshot: JSONForm {
    /// Posts with files are not the most, and what is known of a file is much.
    public var hasForm: Bool { media == nil }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("account_id", accountID)
            json.optional("app", app)
            json.member("boosts_count", boostsCount)
            json.member("created_at", createdAt)
            json.optional("edited_at", editedAt)
            json.member("favourites_count", favouritesCount)
            json.member("id", id)
            json.optional("in_reply_to_account_id", inReplyToAccountID)
            json.optional("in_reply_to_id", inReplyToID)
            json.optional("language", language)
            json.member("mentions", mentions)
            json.member("replies_count", repliesCount)
            json.member("sensitive", sensitive)
            json.member("spoiler_text", spoilerText)
            json.member("tags", tags)
            json.member("text", text)
            json.member("version", version)
            json.member("visibility", visibility)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        accountID = try json.member("account_id")
        app = try json.optional("app")
        boostsCount = try json.member("boosts_count")
        createdAt = try json.member("created_at")
        editedAt = try json.optional("edited_at")
        favouritesCount = try json.member("favourites_count")
        id = try json.member("id")
        inReplyToAccountID = try json.optional("in_reply_to_account_id")
        inReplyToID = try json.optional("in_reply_to_id")
        language = try json.optional("language")
        mentions = try json.member("mentions")
        repliesCount = try json.member("replies_count")
        sensitive = try json.member("sensitive")
        spoilerText = try json.member("spoiler_text")
        tags = try json.member("tags")
        text = try json.member("text")
        version = try json.member("version")
        visibility = try json.member("visibility")
        try json.endObject()
    }
}

extension MentionSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("username", username)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        id = try json.member("id")
        username = try json.member("username")
        try json.endObject()
    }
}

extension AppSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.optional("website", website)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        name = try json.member("name")
        website = try json.optional("website")
        try json.endObject()
    }
}

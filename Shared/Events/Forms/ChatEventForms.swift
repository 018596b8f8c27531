// SPDX-License-Identifier: Apache-2.0
// How what chat tells most is written as JSON and read again.

public import JSON

extension MessageTold: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("author", author)
            json.member("channel", channel)
            json.member("message", message)
            json.member("recipient_ids", recipientIDs)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        author = try json.member("author")
        channel = try json.member("channel")
        message = try json.member("message")
        recipientIDs = try json.member("recipient_ids")
        try json.endObject()
    }
}

extension MentionRaised: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("author", author)
            json.member("channel", channel)
            json.member("mentioned_ids", mentionedIDs)
            json.member("mentioned_if_connected_ids", mentionedIfConnectedIDs)
            json.member("message", message)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        author = try json.member("author")
        channel = try json.member("channel")
        mentionedIDs = try json.member("mentioned_ids")
        mentionedIfConnectedIDs = try json.member("mentioned_if_connected_ids")
        message = try json.member("message")
        try json.endObject()
    }
}

extension ConversationRead: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("account_id", accountID)
            json.member("channel_id", channelID)
            json.member("last_read_seq", lastReadSeq)
            json.member("subject_version", subjectVersion)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        accountID = try json.member("account_id")
        channelID = try json.member("channel_id")
        lastReadSeq = try json.member("last_read_seq")
        subjectVersion = try json.member("subject_version")
        try json.endObject()
    }
}

extension ChatUpdated: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("subject_version", subjectVersion)
            json.member("update", update)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        subjectVersion = try json.member("subject_version")
        update = try json.member("update")
        try json.endObject()
    }
}

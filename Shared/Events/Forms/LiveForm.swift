// SPDX-License-Identifier: Apache-2.0
// How the headers of live events are written as JSON and read again.

public import JSON

extension LiveUpdate: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("event", event)
            json.member("except", except)
            json.optional("has_media", hasMedia)
            json.optional("readers", readers)
            json.member("streams", streams)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        event = try json.member("event")
        except = try json.member("except")
        hasMedia = try json.optional("has_media")
        readers = try json.optional("readers")
        streams = try json.member("streams")
        try json.endObject()
    }
}

extension LiveUpdate.Readers: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("first", first)
            json.member("last", last)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        first = try json.member("first")
        last = try json.member("last")
        try json.endObject()
    }
}

extension ChatUpdate: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("account_ids", accountIDs)
            json.optional("change", change)
            json.optional("channel_id", channelID)
            json.member("closed", closed)
            json.member("event", event)
            json.member("except", except)
            json.member("joined", joined)
            json.member("left", left)
            json.optional("seq", seq)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        accountIDs = try json.member("account_ids")
        change = try json.optional("change")
        channelID = try json.optional("channel_id")
        closed = try json.member("closed")
        event = try json.member("event")
        except = try json.member("except")
        joined = try json.member("joined")
        left = try json.member("left")
        seq = try json.optional("seq")
        try json.endObject()
    }
}

extension ChatUpdate.Membership: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("account_id", accountID)
            json.member("channel_id", channelID)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        accountID = try json.member("account_id")
        channelID = try json.member("channel_id")
        try json.endObject()
    }
}

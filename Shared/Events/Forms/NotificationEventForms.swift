// SPDX-License-Identifier: Apache-2.0
// How what notifications tells most is written as JSON and read again.

public import JSON

extension NotificationCreated: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("account_id", accountID)
            json.member("notification_id", notificationID)
            json.member("type", type)
            json.member("update", update)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        accountID = try json.member("account_id")
        notificationID = try json.member("notification_id")
        type = try json.member("type")
        update = try json.member("update")
        try json.endObject()
    }
}

// SPDX-License-Identifier: Apache-2.0
// The JSON of a notification: exact, and with every member that clients require.

import Domain
import Testing
import Views

@testable import NotificationsService

@Suite struct NotificationViewTests {
    private struct Nothing: View {
        func write(to json: inout JSONWriter) { json.null() }
    }

    @Test func notificationsHaveWhatClientsRequire() {
        let notification = NotificationView(
            id: NotificationID(9),
            type: "mention",
            createdAt: Timestamp(milliseconds: 0),
            account: Nothing(),
            status: Nothing()
        )
        #expect(
            String(decoding: notification.json(), as: UTF8.self)
                == #"{"id":"9","type":"mention","group_key":"ungrouped-9","created_at":"1970-01-01T00:00:00.000Z","#
                + #""account":null,"status":null,"pleroma":{"is_seen":false}}"#
        )
    }
}

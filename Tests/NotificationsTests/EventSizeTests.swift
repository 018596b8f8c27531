// SPDX-License-Identifier: Apache-2.0
// Every event of notifications at its limits fits the outbox.

import Domain
import Events
import Support
import Testing

@Suite struct EventSizeTests {
    private static func events() -> [any Event] {
        let made = NotificationCreated(
            notificationID: .largest,
            accountID: .largest,
            type: "favourite",
            update: .largest("notification")
        )
        return [made, Former(made)]
    }

    @Test func `every event of notifications fits at its limits`() throws {
        try expectFitting(Self.events(), of: "notifications")
    }
}

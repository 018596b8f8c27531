// SPDX-License-Identifier: Apache-2.0
// Every event of gateways at its limits fits a message.

import Domain
import Events
import Support
import Testing

@Suite struct EventSizeTests {
    private static func events() -> [any Event] {
        [
            // A gateway with as many people as it holds, told to the others past any outbox.
            PresenceChanged(
                gatewayID: String(repeating: "g", count: 64),
                connected: .largest(10_000),
                disconnected: .largest(1),
                isWhole: true,
                subjectVersion: .max
            ),
            TypingStarted(channelID: .largest, accountID: .largest, subjectVersion: .max),
            // As many counts as a gateway tells at once.
            BudgetsSpent(
                gatewayID: String(repeating: "g", count: 16),
                spent: (0..<500).map { number in
                    BudgetsSpent.Spent(
                        gatewayID: String(repeating: "g", count: 16),
                        budget: "connections",
                        window: .max,
                        counts: [
                            BudgetsSpent.Count(key: "\(String(repeating: "f", count: 13))\(100 + number)", given: .max)
                        ]
                    )
                },
                asks: true,
                subjectVersion: .max
            ),
        ]
    }

    @Test func `every event of gateway fits at its limits`() throws {
        try expectFitting(Self.events(), of: "gateway")
    }
}

// SPDX-License-Identifier: Apache-2.0
// What the broker's definitions bring to notifications is what notifications reacts to.

import Outbox
import Support
import Testing

@testable import NotificationsService

@Suite struct BindingTests {
    @Test func `each queue of notifications is bound to what it reacts to, no more and no less`() async throws {
        try await Stage.run { stage in
            for queue in [stage.queue, stage.chat] {
                let declared = try declaredKeys(of: queue.name)
                #expect(declared == queue.reactions.map(\.type).sorted(), "\(queue.name)")
            }
        }
    }
}

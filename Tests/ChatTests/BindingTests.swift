// SPDX-License-Identifier: Apache-2.0
// What the broker's definitions bring to chat is what chat reacts to.

import Outbox
import Support
import Testing

@testable import ChatService

@Suite struct BindingTests {
    @Test func `the queue of chat is bound to what it reacts to, no more and no less`() async throws {
        try await ChatWorld.run { world in
            let queue = Projections.queue(world.dependencies)
            let declared = try declaredKeys(of: queue.name)
            #expect(declared == queue.reactions.map(\.type).sorted())
        }
    }
}

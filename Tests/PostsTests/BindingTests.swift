// SPDX-License-Identifier: Apache-2.0
// What the broker's definitions bring to posts is what posts reacts to.

import Outbox
import Support
import Testing

@testable import PostsService

@Suite struct BindingTests {
    @Test func `each queue of posts is bound to what it reacts to, no more and no less`() async throws {
        try await GraphWorld.run { world in
            for queue in [Accounts.queue, Fanout.queue(world.dependencies)] {
                let declared = try declaredKeys(of: queue.name)
                #expect(declared == queue.reactions.map(\.type).sorted(), "\(queue.name)")
            }
        }
    }
}

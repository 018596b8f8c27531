// SPDX-License-Identifier: Apache-2.0
// What is told of rebuilds fits the outbox, for a queue that reacts to everything there is.

import Domain
import Events
import Support
import Testing

@testable import Outbox

@Suite struct RebuildSizeTests {
    private static let queue = String(repeating: "q", count: 64)

    @Test func `what is told of a rebuild fits at its limits`() throws {
        for kind in Catalogue.rebuilds {
            let step = try #require(kind as? any RebuildStep.Type, "\(kind.type)")
            try expectFitting(step.largest(of: Self.queue))
        }
        for kind in Catalogue.retellings {
            try expectFitting(kind.init(queue: Self.queue, rebuildID: EventID.new(), told: .max))
        }
    }
}

private protocol RebuildStep: Event {
    static func largest(of queue: String) -> Self
}

extension RebuildAdvanced: RebuildStep {
    fileprivate static func largest(of queue: String) -> RebuildAdvanced {
        RebuildAdvanced(
            queue: queue,
            rebuildID: EventID.new(),
            types: Catalogue.all.map { $0.type },
            applied: Set(Catalogue.all.map { $0.owner }).map { RetoldCount(owner: $0, events: .max) },
            isAbandoned: true,
            subjectVersion: .max
        )
    }
}

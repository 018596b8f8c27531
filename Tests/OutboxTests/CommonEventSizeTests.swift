// SPDX-License-Identifier: Apache-2.0
// What every service tells in one form fits the outbox: of rebuilds, for a queue that reacts to everything there is, of exports and erasures.

import Domain
import Events
import Support
import Testing

@testable import Outbox

@Suite struct CommonEventSizeTests {
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

    /// A piece of the largest size, with more words than any has.
    @Test func `what is told of an export fits at its limits`() throws {
        for kind in Catalogue.exportPieces {
            try expectFitting(
                kind.init(
                    exportID: .largest,
                    number: .max,
                    file: String(repeating: "f", count: 100),
                    about: ExportWords(en: .wide(200), ko: .wide(200), ja: .wide(200)),
                    content: String(repeating: "_", count: Exporting.piece * 4 / 3 + 4),
                    isLast: true
                )
            )
        }
    }

    @Test func `what is told of an erasure fits at its limits`() throws {
        for kind in Catalogue.erasing { try expectFitting(kind.init(accountID: .largest)) }
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

// SPDX-License-Identifier: Apache-2.0
// The queue media.moderation: which entries of the catalogue of GIFs were reported, and which a moderator removed.

import Domain
import Events
import Outbox

/// Says what reported GIFs are, and takes those out of the catalogue that a moderator decided to remove. The catalogue is open to
/// everybody, so whoever reports one may see it.
enum Moderation {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "media.moderation",
            prefetch: 16,
            [
                Reaction(to: ThingReported.self) { envelope, transaction in
                    for thing in envelope.data.things where thing.kind == .gif {
                        let gif = try await MediaID(thing.id).asyncMap { try await GifStore.gif($0, in: transaction) }
                        try transaction.record(
                            ReportedThingTold<ThingKeepers.Media>(
                                reportID: envelope.data.reportID,
                                thing: thing,
                                // 0 is the operator's command.
                                authorID: gif?.importer == AccountID(0) ? nil : gif?.importer,
                                snapshot: gif?.asReported
                            )
                        )
                    }
                },
                Reaction(to: DecisionMade.self) { envelope, transaction in
                    guard envelope.data.action == .remove, let thing = envelope.data.thing, thing.kind == .gif,
                        let id = MediaID(thing.id), try await GifStore.lock(id, in: transaction) != nil
                    else { return }
                    try await RemoveGif.remove(id, at: dependencies.now(), in: transaction)
                },
            ]
        )
    }
}

extension Gif {
    fileprivate var asReported: ThingSnapshot {
        ThingSnapshot(title: text.title, text: text.altText, mediaIDs: [id], createdAt: created)
    }
}

extension Optional where Wrapped: Sendable {
    /// What `transform` gives of what is there.
    fileprivate func asyncMap<Value: Sendable>(_ transform: (Wrapped) async throws -> Value?) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}

// SPDX-License-Identifier: Apache-2.0
// The queue chat.moderation: what was reported of chat's, and what a moderator removed of it.

import Domain
import Events
import Outbox
import Views

/// Says what reported messages and playgrounds are, and removes those that a moderator decided to remove, as if whose they are had
/// done it: nobody is told which moderator it was.
enum Moderation {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "chat.moderation",
            prefetch: 16,
            [
                Reaction(to: ThingReported.self) { envelope, transaction in
                    let work = Work(dependencies, transaction)
                    for thing in envelope.data.things { try await tell(thing, of: envelope.data, in: work) }
                },
                Reaction(to: DecisionMade.self) { envelope, transaction in
                    guard envelope.data.action == .remove, let thing = envelope.data.thing else { return }
                    try await remove(thing, in: Work(dependencies, transaction))
                },
            ]
        )
    }

    /// As whoever reported it may see it; this place itself may see everything.
    private static func tell(_ thing: Thing, of report: ThingReported, in work: Work) async throws {
        var told: (author: AccountID, snapshot: ThingSnapshot)?
        switch thing.kind {
        case .message:
            if let id = MessageID(thing.id),
                let message = try await message(id, for: report.reporterID, in: work),
                message.deletedAt == nil
            {
                told = (message.author.id, message.asReported)
            }
        case .playground:
            if let id = PlaygroundID(thing.id),
                let seen = try await PlaygroundStore.seen(id, by: report.reporterID, in: work),
                report.reporterID == nil
                    || Permission.refusal(.see, seen.role, isOpen: seen.playground.isOpen) == nil
            {
                told = (seen.playground.ownerID, seen.playground.asReported)
            }
        case .account, .post, .project, .record, .gif: return
        }
        try work.record(
            ReportedThingTold<ThingKeepers.Chat>(
                reportID: report.reportID,
                thing: thing,
                authorID: told?.author,
                snapshot: told?.snapshot
            )
        )
    }

    private static func message(
        _ id: MessageID,
        for reporter: AccountID?,
        in work: Work
    ) async throws -> MessageRow? {
        guard let reporter else { return try await MessageStore.row(id, in: work) }
        return try await MessageStore.seen(id, by: reporter, in: work)?.message
    }

    /// Does nothing with what is gone.
    private static func remove(_ thing: Thing, in work: Work) async throws {
        switch thing.kind {
        case .message:
            guard let id = MessageID(thing.id), let message = try await MessageStore.row(id, in: work) else { return }
            _ = try await DeleteMessage.delete(message, by: message.author.id, in: work)
        case .playground:
            guard let id = PlaygroundID(thing.id) else { return }
            PlaygroundStore.hold(id, in: work)
            guard let playground = try await PlaygroundStore.seen(id, by: nil, in: work)?.playground,
                let owner = try await AccountStore.snapshot(playground.ownerID, in: work)
            else { return }
            let actor = Principal.Account(id: owner.id, username: owner.username)
            try await DeletePlayground.delete(
                PlaygroundChange(actor: actor, role: .owner, playground: playground, work: work)
            )
        case .account, .post, .project, .record, .gif: return
        }
    }
}

extension MessageRow {
    fileprivate var asReported: ThingSnapshot {
        ThingSnapshot(
            text: text,
            mediaIDs: attachmentIDs,
            placeID: channelID.description,
            createdAt: createdAt
        )
    }
}

extension PlaygroundRow {
    fileprivate var asReported: ThingSnapshot {
        ThingSnapshot(
            title: name,
            text: description,
            mediaIDs: [coverID].compactMap(\.self),
            createdAt: createdAt
        )
    }
}

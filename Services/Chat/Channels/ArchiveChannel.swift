// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/archive and /unarchive: nothing more is said in a channel, or again.

import Domain
import Events
import Outbox
import Web

/// Closes a channel for new messages; what was said stays to be read.
enum ArchiveChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .archive) { change in
            guard !change.channel.isDefault else { throw Problem.defaultChannel }
            guard change.channel.archivedAt == nil else { return }
            try await set(dependencies.now(), "archived", change, dependencies)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }

    fileprivate static func set(
        _ archivedAt: Timestamp?,
        _ action: String,
        _ change: ChannelChange,
        _ dependencies: Dependencies
    ) async throws {
        let transaction = change.transaction
        ChannelStore.setArchived(
            change.id,
            archivedAt,
            at: dependencies.now(),
            version: dependencies.nextNumber(),
            in: transaction
        )
        guard let seen = try await ChannelStore.seen(change.id, by: change.actor.id, in: transaction) else { return }
        try transaction.record(ChannelArchived(channel: seen.channel.snapshot))
        try await ChannelNews.tell(action, of: change.id, dependencies, in: transaction)
    }
}

/// Opens an archived channel again.
enum UnarchiveChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .archive) { change in
            guard change.channel.archivedAt != nil else { return }
            try await ArchiveChannel.set(nil, "unarchived", change, dependencies)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }
}

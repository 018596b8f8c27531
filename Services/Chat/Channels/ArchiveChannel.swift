// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/archive and /unarchive: nothing more is said in a channel, or again.

import Domain
import Events
import Web

/// Closes a channel for new messages; what was said stays to be read.
enum ArchiveChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .archive) { change in
            guard !change.channel.isDefault else { throw Problem.defaultChannel }
            guard change.channel.archivedAt == nil else { return }
            try await set(dependencies.now(), "archived", change)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }

    fileprivate static func set(_ archivedAt: Timestamp?, _ action: String, _ change: ChannelChange) async throws {
        let work = change.work
        ChannelStore.setArchived(change.id, archivedAt, at: work.stamp(), in: work)
        guard let seen = try await ChannelStore.seen(change.id, by: change.actor.id, in: work) else { return }
        try work.record(ChannelArchived(channel: seen.channel.snapshot))
        try await work.tell(action, of: change.id)
    }
}

/// Opens an archived channel again.
enum UnarchiveChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .archive) { change in
            guard change.channel.archivedAt != nil else { return }
            try await ArchiveChannel.set(nil, "unarchived", change)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }
}

// SPDX-License-Identifier: Apache-2.0
// What chat forgets.

import Domain
import Outbox
import Serving

/// Each table has its sweep here or its bound in the README.
enum Sweeps {
    /// How long an invitation that has ended can still be looked at by who came in by it.
    private static let inviteAfterlife = Duration.seconds(30 * 86_400)

    /// No event is delivered later than this; the end of a block, or of a project, keeps an older word from coming back until
    /// then.
    private static let endedBlocks = Duration.seconds(90 * 86_400)

    static func all(now: @escaping @Sendable () -> Timestamp) -> [Sweep] {
        [
            // A deleted channel may hold a million messages: it is taken from everybody in its transaction, emptied here…
            Sweep("messages", every: .seconds(10)) { try await MessageStore.forget(in: $0) },
            // … and removed when it is empty.
            Sweep("channels", every: .seconds(10)) { try await ChannelStore.forgetChannels(in: $0) },
            Sweep("invites") { try await InviteStore.forget(before: now() - inviteAfterlife, in: $0) },
            CardStore.sweep(unless: CardStore.isShown, now: now),
            Sweep("blocks") { try await BlockStore.forgetEnded(before: now() - endedBlocks, in: $0) },
            ProjectRoomStore.aged.sweep(after: endedBlocks, now: now),
            NewAccountActStore.sweep(now: now),
            ChangeStore.sweep,
        ] + BlockListStore.sweeps(now: now)
    }
}

// SPDX-License-Identifier: Apache-2.0
// The queue chat.projections: what chat must know of accounts, blocks, files and previews of links.

import Domain
import Events
import Outbox
import Serving

/// Keeps the newest of each; the tables end the same in whatever order events come, and however often.
enum Projections {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "chat.projections",
            rebuild: Rebuild(
                seen: seen,
                withdrawals: [
                    AccountStore.untold, BlockStore.untold, MediaStore.untold, CardStore.untold,
                    RestrictedAccounts.untold,
                ] + BlockListStore.untold
            ),
            [
                Reaction(to: AccountRegistered.self) { envelope, transaction in
                    let event = envelope.data
                    if try await ErasingStore.isGone(event.accountID, in: transaction) { return }
                    let account = AccountSnapshot(id: event.accountID, username: event.username)
                    try AccountStore.keep(account, in: transaction)
                },
                Reaction(to: ProfileUpdated.self) { envelope, transaction in
                    let account = envelope.data.account
                    if try await ErasingStore.isGone(account.id, in: transaction) { return }
                    try AccountStore.keep(account, repairing: envelope.isRetold, in: transaction)
                },
                Reaction(to: AccountBlocked.self) { envelope, transaction in
                    let (pair, work) = (envelope.data, Work(dependencies, transaction))
                    try await BlockChanged.react(pair, active: true, again: envelope.isRetold, in: work)
                },
                Reaction(to: AccountUnblocked.self) { envelope, transaction in
                    try await BlockChanged.react(envelope.data, active: false, in: Work(dependencies, transaction))
                },
                Reaction(to: MediaProcessed.self) { envelope, transaction in
                    let (news, work) = (MediaNews(envelope.data), Work(dependencies, transaction))
                    try await MediaChanged.react(news, again: envelope.isRetold, in: work)
                },
                Reaction(to: MediaFailed.self) { envelope, transaction in
                    let (news, work) = (MediaNews(envelope.data), Work(dependencies, transaction))
                    try await MediaChanged.react(news, again: envelope.isRetold, in: work)
                },
                Reaction(to: LinkPreviewReady.self) { envelope, transaction in
                    let (news, work) = (CardNews(envelope.data), Work(dependencies, transaction))
                    try await CardChanged.react(news, at: envelope.time, again: envelope.isRetold, in: work)
                },
                Reaction(to: AccountRestricted.self) { envelope, transaction in
                    try await RestrictionChanged.react(envelope.data, in: Work(dependencies, transaction))
                },
            ] + BlockListStore.reactions
        )
    }

    /// Who is told of, so that a rebuild leaves them.
    @Sendable private static func seen(_ event: any Event) -> [Seen] {
        switch event {
        case let event as AccountRegistered: [Seen("account", event.accountID.rawValue)]
        case let event as ProfileUpdated: [Seen("account", event.account.id.rawValue)]
        case let event as AccountBlocked: [Seen("block", event.actorID.rawValue, event.targetID.rawValue)]
        case let event as MediaProcessed: [Seen("media", event.mediaID.rawValue)]
        case let event as MediaFailed: [Seen("media", event.mediaID.rawValue)]
        case let event as LinkPreviewReady: [Seen("card", event.linkID.rawValue)]
        case let event as AccountRestricted: [RestrictedAccounts.seen(event)]
        default: BlockListStore.seen(event).map { [$0] } ?? []
        }
    }
}

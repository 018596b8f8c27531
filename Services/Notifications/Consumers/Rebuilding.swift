// SPDX-License-Identifier: Apache-2.0
// How what notifications keeps is rebuilt from what posts, chat and media tell again.

import Domain
import Events
import Outbox
import Serving

extension Rebuild {
    /// Of the queue `notifications.activity`.
    static let activity = Rebuild(
        seen: { seenInPosts($0) + seenAccounts($0) },
        withdrawals: [
            UntoldTable.mentions, .announcements, .actEntries, .acts, .posts, .silences, .accounts, .cards,
        ].map(\.rows) + [RestrictedAccounts.untold]
    )

    /// Of the queue `notifications.chat`. Accounts are told of by posts.
    static let chat = Rebuild(
        seen: seenInChat,
        withdrawals: [UntoldTable.chatEntries, .messages, .channels].map(\.rows)
    )

    private static func seenAccounts(_ event: any Event) -> [Seen] {
        (event as? any ShowingAccounts)?.accounts.map { Seen("account", $0.id.rawValue) } ?? []
    }

    private static func seen(_ post: PostSnapshot) -> [Seen] {
        [Seen("post", post.id.rawValue)]
            + post.recipients.map { Seen("mention", post.id.rawValue, $0.rawValue) }
    }

    private static func seen(_ kind: NotificationKind, _ subject: Int64, _ actor: AccountID) -> Seen {
        Seen(kind.rawValue, subject, actor.rawValue)
    }

    private static func seenInPosts(_ event: any Event) -> [Seen] {
        switch event {
        case let event as PostLiked:
            seen(event.post) + [seen(.favourite, event.post.id.rawValue, event.actor.id)]
        case let event as PostReposted:
            seen(event.post) + [seen(.reblog, event.post.id.rawValue, event.actor.id)]
        case let event as AccountFollowed: [seen(.follow, event.targetID.rawValue, event.actor.id)]
        case let event as FollowRequested: [seen(.followRequest, event.targetID.rawValue, event.actor.id)]
        case let event as AccountBlocked: [Seen("block", event.actorID.rawValue, event.targetID.rawValue)]
        case let event as AccountMuted: [Seen("mute", event.actorID.rawValue, event.targetID.rawValue)]
        case let event as LinkPreviewReady: [Seen("card", event.linkID.rawValue)]
        case let event as AccountRestricted: [RestrictedAccounts.seen(event)]
        case let event as any TellingPost: seen(event.post)
        default: []
        }
    }

    private static func seenInChat(_ event: any Event) -> [Seen] {
        switch event {
        case let event as any TellingMessage:
            [Seen("message", event.message.id.rawValue), Seen("channel", event.channel.id.rawValue)]
        case let event as ChannelCreated: [Seen("channel", event.channel.id.rawValue)]
        case let event as ChannelUpdated: [Seen("channel", event.channel.id.rawValue)]
        case let event as ChannelArchived: [Seen("channel", event.channel.id.rawValue)]
        default: []
        }
    }
}

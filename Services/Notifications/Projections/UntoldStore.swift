// SPDX-License-Identifier: Apache-2.0
// What goes at the end of a rebuild because nobody told of it. What was taken back or deleted keeps its row: nobody can tell
// that again, and it goes by its age.

import Outbox
import Postgres

/// Tables from which goes what nobody told of in a rebuild.
enum UntoldTable: Sendable {
    /// Of posts, accounts and what posts link to.
    case mentions, acts, announcements, actEntries, posts, silences, accounts, cards
    /// Of chat.
    case chatEntries, messages, channels

    fileprivate var table: SQL {
        switch self {
        case .mentions, .announcements, .actEntries, .chatEntries: "notifications"
        case .acts: "acts"
        case .posts: "posts"
        case .silences: "silences"
        case .accounts: "accounts"
        case .cards: "cards"
        case .messages: "messages"
        case .channels: "channels"
        }
    }

    fileprivate var condition: SQL {
        switch self {
        case .mentions: "type = 'mention'"
        case .announcements: "type IN ('status', 'update')"
        case .actEntries: "type IN ('favourite', 'reblog', 'follow', 'follow_request')"
        case .chatEntries: "type IN ('chat_mention', 'direct_message', 'channel_message')"
        case .acts: "active"
        case .posts: "snapshot IS NOT NULL"
        case .cards: "card IS NOT NULL"
        case .silences: "hides AND spent_from IS NULL"
        case .messages: "text IS NOT NULL"
        case .accounts, .channels: "true"
        }
    }

    fileprivate var kind: SQL {
        switch self {
        case .mentions: "'mention'"
        case .acts: "acts.kind"
        case .actEntries: "type"
        case .announcements, .posts: "'post'"
        case .silences: "silences.kind"
        case .accounts: "'account'"
        case .cards: "'card'"
        case .chatEntries, .messages: "'message'"
        case .channels: "'channel'"
        }
    }

    fileprivate var key: (SQL, SQL) {
        switch self {
        case .mentions: ("subject_id", "account_id")
        case .acts, .actEntries: ("subject_id", "actor_id")
        case .silences: ("account_id", "target_id")
        case .announcements, .chatEntries: ("subject_id", "0")
        case .cards: ("link_id", "0")
        case .posts, .accounts, .messages, .channels: ("id", "0")
        }
    }

    var rows: UntoldRows {
        let (first, second) = key
        return UntoldRows(from: table, where: condition, kind: kind, first, second)
    }
}

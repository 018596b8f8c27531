// SPDX-License-Identifier: Apache-2.0
// What people are notified of, and who is.

import Domain
import Events

/// A kind of notification, by the Mastodon API's `type`.
enum NotificationKind: String, Sendable, CaseIterable {
    /// Named in a post, or answered by one.
    case mention
    /// Posted by somebody of whom the recipient asked to hear.
    case status
    case favourite
    case reblog
    /// What the recipient boosted was edited: one entry a post, renewed by each edit.
    case update
    case follow
    case followRequest = "follow_request"
    /// Named in a message of chat.
    case chatMention = "chat_mention"
    /// Said to in direct messages: one entry a channel, which shows the newest.
    case directMessage = "direct_message"
    /// Said in a channel of a playground of which the recipient asked to hear everything: one entry a channel, too. Who is named
    /// by the message gets a mention instead.
    case channelMessage = "channel_message"
    /// Somebody applied to the recipient's project. What becomes of an application takes its place.
    case projectApplication = "project_application"
    /// The recipient's own application.
    case projectAccepted = "project_accepted"
    case projectDeclined = "project_declined"
    /// Somebody took an application to the recipient's project back.
    case projectWithdrawn = "project_withdrawn"
    /// Nobody may apply any more from tomorrow on: to the leader, and to who keeps the project.
    case projectDeadline = "project_deadline"
    /// A project changed that the recipient is in, or wants to be in: one entry a project, renewed by each change.
    case projectUpdate = "project_update"
    /// Named in the summary or the text of a project.
    case projectMention = "project_mention"
    /// Somebody filed a report: to those who moderate.
    case adminReport = "admin.report"
    /// A moderator decided about the recipient, or about something that they made.
    case moderationWarning = "moderation_warning"

    /// What a client sees that names no types. Those of chat and of projects are ours: a client that does not know them never
    /// meets them.
    static let usual: [NotificationKind] = [
        .mention, .status, .favourite, .reblog, .update, .follow, .followRequest, .adminReport, .moderationWarning,
    ]

    /// Those that show a post.
    static let ofPosts: [NotificationKind] = [.mention, .status, .favourite, .reblog, .update]

    /// Those that show a project.
    static let ofProjects: [NotificationKind] = ofApplications + [.projectDeadline, .projectUpdate, .projectMention]

    /// Those that show an application to a project, too.
    static let ofApplications: [NotificationKind] = [
        .projectApplication, .projectAccepted, .projectDeclined, .projectWithdrawn,
    ]

    /// Whether it shows a post.
    var concernsPost: Bool { NotificationKind.ofPosts.contains(self) }
    /// Whether it shows a message of chat.
    var concernsMessage: Bool { self == .chatMention || isRenewed }
    /// Whether a list shows only the newest of a channel.
    var isRenewed: Bool { self == .directMessage || self == .channelMessage }
    var concernsProject: Bool { NotificationKind.ofProjects.contains(self) }
    var concernsApplication: Bool { NotificationKind.ofApplications.contains(self) }
}

extension PostSnapshot {
    /// Whom the post itself notifies, each once: those it names and the author of the post it answers.
    ///
    /// A post for followers or for those named only is not shown to an author whom it does not name: whether they
    /// may see it is not known here.
    var recipients: [AccountID] {
        var recipients = mentions.map(\.id)
        if let answered = inReplyToAccountID, visibility == .public || visibility == .unlisted {
            recipients.append(answered)
        }
        var seen: Set<AccountID> = [accountID]
        return recipients.filter { seen.insert($0).inserted }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Every event there is.

/// The list of every event type: what fixtures, the AsyncAPI document and the broker's bindings are checked against.
public enum Catalogue {
    public static let all: [any Event.Type] =
        auth + posts + chat + media + notifications + gateway + rebuilding + erasing + former + exporting

    public static let auth: [any Event.Type] = [
        AccountRegistered.self, SessionRevoked.self, SessionEnded.self, RoleGiven.self, AccountLeaving.self,
        AccountDeleted.self, PrincipalChanged.self, BlockedTermChanged.self, BlockedDomainChanged.self,
    ]

    public static let posts: [any Event.Type] = profilesAndPosts + library + projects + moderation

    private static let profilesAndPosts: [any Event.Type] = [
        ProfileUpdated.self, PostCreated.self, ReplyCreated.self, PostEdited.self, PostDeleted.self, PostLiked.self,
        PostUnliked.self, PostReposted.self, PostUnreposted.self, AccountFollowed.self, AccountUnfollowed.self,
        FollowRequested.self, FollowRequestClosed.self, AccountBlocked.self, AccountUnblocked.self, AccountMuted.self,
        AccountUnmuted.self, PostAnnounced.self, TimelineUpdated.self,
    ]

    private static let library: [any Event.Type] = [
        RecordPublished.self, RecordUpdated.self, RecordWithdrawn.self, GoalReached.self,
    ]

    private static let projects: [any Event.Type] = [
        ProjectDrafted.self, ProjectPublished.self, ProjectUpdated.self, ProjectClosed.self, ProjectFinished.self,
        ProjectDeleted.self, ProjectAnnounced.self, ProjectMentionsChanged.self, ApplicationReceived.self,
        ApplicationAccepted.self, ApplicationDeclined.self, ApplicationWithdrawn.self, ProjectMembersChanged.self,
    ]

    private static let moderation: [any Event.Type] = [
        AccountRestricted.self, DecisionMade.self, ThingReported.self, ReportFiled.self, AppealMade.self,
        AppealDecided.self,
    ]

    public static let chat: [any Event.Type] = [
        PlaygroundCreated.self, PlaygroundUpdated.self, PlaygroundDeleted.self, MemberJoined.self, MemberLeft.self,
        RoleChanged.self, OwnershipTransferred.self, ChannelCreated.self, ChannelUpdated.self, ChannelArchived.self,
        ChannelDeleted.self, ConversationOpened.self, MessageSent.self, MessageEdited.self, MessageDeleted.self,
        MessageReacted.self, MessagePinned.self, ConversationRead.self, MentionRaised.self,
        MessageAwaited.self, ChatUpdated.self, ProjectRoomChanged.self, ProjectMemberLeft.self,
        ReportedThingTold<ThingKeepers.Chat>.self, ThingFlagged.self,
    ]

    /// Of the media service; chat and posts keep a projection of its files and of its cards, notifications of its cards.
    public static let media: [any Event.Type] = [
        MediaProcessed.self, MediaFailed.self, LinkPreviewReady.self, ReportedThingTold<ThingKeepers.Media>.self,
    ]

    public static let notifications: [any Event.Type] = [NotificationCreated.self]

    /// Events for services that nobody needs yet: told without an alarm, and bound to no queue. Who begins to react to
    /// one takes it off this list and binds it.
    public static let unneeded: [any Event.Type] = [
        RoleChanged.self, OwnershipTransferred.self, MessageReacted.self, MessagePinned.self, GoalReached.self,
        AppealMade.self, AppealDecided.self,
    ]

    /// What may show neither a file nor a link, and cannot have shown any before.
    public static let maybePlain: [any Event.Type] = [PostCreated.self, ReplyCreated.self, MessageSent.self]

    /// What may have reached its readers by the time it is told.
    public static let maybeReached: [any Event.Type] = [PostCreated.self, ReplyCreated.self]

    /// What is told of a thing once, before all else.
    public static let firsts: [any Event.Type] = [
        PostCreated.self, ReplyCreated.self, MessageSent.self, NotificationCreated.self,
    ]

    /// What the release before tells live.
    public static let former: [any Event.Type] = [
        Former<TimelineUpdated>.self, Former<NotificationCreated>.self, Former<ChatUpdated>.self,
    ]

    /// What those who rebuild and those who retell tell each other.
    public static let rebuilding: [any Event.Type] = rebuilds + retellings

    public static let rebuilds: [any Event.Type] = [
        RebuildAdvanced<RebuildAskers.Posts>.self, RebuildAdvanced<RebuildAskers.Chat>.self,
        RebuildAdvanced<RebuildAskers.Notifications>.self, RebuildAdvanced<RebuildAskers.Search>.self,
        RebuildAdvanced<RebuildAskers.Auth>.self, RebuildAdvanced<RebuildAskers.Media>.self,
    ]

    public static let retellings: [any RetellingEnd.Type] = [
        RetellingFinished<RetellingOwners.Auth>.self, RetellingFinished<RetellingOwners.Posts>.self,
        RetellingFinished<RetellingOwners.Chat>.self, RetellingFinished<RetellingOwners.Media>.self,
    ]

    /// What auth is told once nothing is left of an account.
    public static let erasing: [any ErasureEnd.Type] = [
        AccountErased<ErasureOwners.Posts>.self, AccountErased<ErasureOwners.Chat>.self,
        AccountErased<ErasureOwners.Media>.self, AccountErased<ErasureOwners.Notifications>.self,
        AccountErased<ErasureOwners.Search>.self,
    ]

    /// What is told for archives of what is somebody's.
    public static let exporting: [any Event.Type] = [ExportAsked.self, ExportReady.self] + exportPieces

    public static let exportPieces: [any ExportPiece.Type] = [
        ExportPartTold<ExportOwners.Auth>.self, ExportPartTold<ExportOwners.Posts>.self,
        ExportPartTold<ExportOwners.Chat>.self, ExportPartTold<ExportOwners.Notifications>.self,
        ExportPartTold<ExportOwners.Search>.self,
    ]

    /// What gateways tell each other about the people connected to them, and of the budgets they give from.
    public static let gateway: [any Event.Type] = [PresenceChanged.self, TypingStarted.self, BudgetsSpent.self]
}

// SPDX-License-Identifier: Apache-2.0
// Every event there is.

/// The list of every event type: what fixtures, the AsyncAPI document and the broker's bindings are checked against.
package enum Catalogue {
    package static let all: [any Event.Type] = auth + posts + notifications

    package static let auth: [any Event.Type] = [AccountRegistered.self, SessionRevoked.self]

    package static let posts: [any Event.Type] = [
        ProfileUpdated.self, PostCreated.self, ReplyCreated.self, PostEdited.self, PostDeleted.self, PostLiked.self,
        PostUnliked.self, PostReposted.self, PostUnreposted.self, AccountFollowed.self, AccountUnfollowed.self,
        FollowRequested.self, FollowRequestClosed.self, AccountBlocked.self, AccountUnblocked.self, AccountMuted.self,
        AccountUnmuted.self, TimelineUpdated.self,
    ]

    package static let notifications: [any Event.Type] = [NotificationCreated.self]
}

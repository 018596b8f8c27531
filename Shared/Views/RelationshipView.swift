// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Relationship (docs.joinmastodon.org/entities/Relationship).

package import Domain

/// How the asking account and another one stand to each other.
package struct RelationshipView: ObjectView, Hashable {
    package var id: AccountID
    package var following: Bool
    package var showingBoosts: Bool
    package var notifying: Bool
    package var languages: [String]
    package var followedBy: Bool
    package var blocking: Bool
    package var blockedBy: Bool
    package var muting: Bool
    package var mutingNotifications: Bool
    package var mutingExpiresAt: Timestamp?
    package var requested: Bool
    package var requestedBy: Bool
    package var note: String

    package init(
        id: AccountID,
        following: Bool = false,
        showingBoosts: Bool? = nil,
        notifying: Bool = false,
        languages: [String] = [],
        followedBy: Bool = false,
        blocking: Bool = false,
        blockedBy: Bool = false,
        muting: Bool = false,
        mutingNotifications: Bool = false,
        mutingExpiresAt: Timestamp? = nil,
        requested: Bool = false,
        requestedBy: Bool = false,
        note: String = ""
    ) {
        self.id = id
        self.following = following
        self.showingBoosts = showingBoosts ?? following
        self.notifying = notifying
        self.languages = languages
        self.followedBy = followedBy
        self.blocking = blocking
        self.blockedBy = blockedBy
        self.muting = muting
        self.mutingNotifications = mutingNotifications
        self.mutingExpiresAt = mutingExpiresAt
        self.requested = requested
        self.requestedBy = requestedBy
        self.note = note
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("following", following)
        json.member("showing_reblogs", showingBoosts)
        json.member("notifying", notifying)
        if languages.isEmpty { json.null("languages") } else { json.member("languages", languages) }
        json.member("followed_by", followedBy)
        json.member("blocking", blocking)
        json.member("blocked_by", blockedBy)
        json.member("muting", muting)
        json.member("muting_notifications", mutingNotifications)
        json.member("muting_expires_at", mutingExpiresAt)
        json.member("requested", requested)
        json.member("requested_by", requestedBy)
        json.member("domain_blocking", false)
        json.member("endorsed", false)
        json.member("note", note)
    }
}

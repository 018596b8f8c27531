// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Relationship (docs.joinmastodon.org/entities/Relationship).

import Domain
import Views

/// How the asking account and another one stand to each other.
struct RelationshipView: ObjectView, Hashable {
    let id: AccountID
    let following: Bool
    let showingBoosts: Bool
    let notifying: Bool
    let languages: [String]
    let followedBy: Bool
    let blocking: Bool
    let blockedBy: Bool
    let muting: Bool
    let mutingNotifications: Bool
    let mutingExpiresAt: Timestamp?
    let requested: Bool
    let requestedBy: Bool
    let note: String

    func writeMembers(to json: inout JSONWriter) {
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

// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Notification (docs.joinmastodon.org/entities/Notification).

import Domain
import Events
import Views

/// An entry of somebody's list of notifications.
struct NotificationView: ObjectView {
    let id: NotificationID
    /// The Mastodon type: `mention`, `favourite`, `reblog`, `follow`, `follow_request`…; and ours, `chat_mention`,
    /// `direct_message`, `channel_message` and those that begin with `project_`.
    let type: String
    let createdAt: Timestamp
    /// Who caused it.
    let account: any View
    /// The post that it is about.
    var status: (any View)?
    /// The message in chat that it is about; with our own types only.
    var message: MessageExcerpt?
    /// The project that it is about; with our own types only.
    var project: ProjectBrief?
    /// The application to the project that it is about.
    var application: ApplicationSnapshot?
    /// What was reported, for those who moderate.
    var report: ReportView?
    /// What a moderator decided.
    var warning: WarningView?
    /// Whether the marker is at it or beyond. Pleroma-FE reads it, and shows no notification that does not say.
    var isRead: Bool = false

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("type", type)
        json.member("group_key", "ungrouped-\(id)")
        json.member("created_at", createdAt)
        json.member("account", account)
        if let status { json.member("status", status) }
        if let message { json.member("message", message) }
        if let project { json.member("project", ProjectBriefView(project)) }
        if let application { json.member("application", ApplicationExcerpt(application: application)) }
        if let report { json.member("report", report) }
        if let warning { json.member("moderation_warning", warning) }
        json.object("pleroma") { $0.member("is_seen", isRead) }
    }
}

/// An application as a notification shows it: neither text in full.
struct ApplicationExcerpt: ObjectView {
    let application: ApplicationSnapshot

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", application.id)
        json.member("role", RoleName(id: application.roleID, name: application.roleName))
        json.member("state", application.state.rawValue)
        json.member("message", MessageExcerpt.text(of: application.message))
        json.member("note", MessageExcerpt.text(of: application.note))
    }
}

// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Notification (docs.joinmastodon.org/entities/Notification).

package import Domain
package import Events

/// An entry of somebody's list of notifications.
package struct NotificationView: ObjectView {
    package let id: NotificationID
    /// The Mastodon type: `mention`, `favourite`, `reblog`, `follow`, `follow_request`…; and ours, `chat_mention`,
    /// `direct_message`, `channel_message` and those that begin with `project_`.
    package let type: String
    package let createdAt: Timestamp
    /// Who caused it.
    package let account: any View
    /// The post that it is about.
    package let status: (any View)?
    /// The message in chat that it is about; with our own types only.
    package let message: MessageExcerpt?
    /// The project that it is about; with our own types only.
    package let project: ProjectBrief?
    /// The application to the project that it is about.
    package let application: ApplicationSnapshot?
    /// What was reported, for those who moderate.
    package let report: ReportView?
    /// What a moderator decided.
    package let warning: WarningView?
    /// Whether the marker is at it or beyond. Pleroma-FE reads it, and shows no notification that does not say.
    package let isRead: Bool

    package init(
        id: NotificationID,
        type: String,
        createdAt: Timestamp,
        account: any View,
        status: (any View)? = nil,
        message: MessageExcerpt? = nil,
        project: ProjectBrief? = nil,
        application: ApplicationSnapshot? = nil,
        report: ReportView? = nil,
        warning: WarningView? = nil,
        isRead: Bool = false
    ) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.account = account
        self.status = status
        self.message = message
        self.project = project
        self.application = application
        self.report = report
        self.warning = warning
        self.isRead = isRead
    }

    package func writeMembers(to json: inout JSONWriter) {
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

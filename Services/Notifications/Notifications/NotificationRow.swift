// SPDX-License-Identifier: Apache-2.0
// A notification with what it shows.

import Domain
import Events
import Serving
import Views

/// A notification with what it shows.
struct NotificationRow: Sendable {
    private let listed: ListedNotification
    private let shownActor: ShownAccount
    private let shownPost: ShownPost?
    let author: AccountSnapshot?

    var id: NotificationID { listed.id }
    var kind: NotificationKind { listed.kind }
    var createdAt: Timestamp { listed.createdAt }
    var actor: AccountSnapshot { shownActor.account }
    var post: PostSnapshot? { shownPost?.post }
    var message: MessageExcerpt? { listed.rare?.message }
    var project: ProjectBrief? { listed.rare?.project }
    var application: ApplicationSnapshot? { listed.rare?.application }
    var report: ReportFiled? { listed.rare?.report }
    var decision: DecisionMade? { listed.rare?.decision }
    var isRead: Bool { listed.isRead }

    /// Nil for one whose post is gone already while its own removal is under way.
    init?(_ listed: ListedNotification, _ accounts: [Int64: ShownAccount], _ posts: [Int64: ShownPost]) {
        guard let actor = accounts[listed.actor.id] else { return nil }
        shownActor = actor
        shownPost = listed.post.flatMap { posts[$0.id] }
        author = listed.author.flatMap { accounts[$0.id] }?.account
        guard !listed.kind.concernsPost || (shownPost != nil && author != nil) else { return nil }
        self.listed = listed
    }

    func view(site: Site) -> NotificationView {
        var status: (any View)?
        if let shownPost, let author, let edition = listed.author {
            status = shownPost.view(by: author, edition, listed.rare?.card, for: listed.viewer, site: site)
        }
        return NotificationView(
            id: id,
            type: kind.rawValue,
            createdAt: createdAt,
            account: shownActor.view,
            status: status,
            message: message,
            project: project,
            application: application,
            report: report.map { ReportView($0.report, target: $0.target, site: site) },
            warning: decision.map { WarningView(decision: $0, account: actor, site: site) },
            isRead: isRead
        )
    }
}

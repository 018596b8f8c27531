// SPDX-License-Identifier: Apache-2.0
// Every statement of projects and applications, for the catalogue of posts.

import Domain
import Events
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

extension StatementTests {
    // A project, its leader, and somebody who has to do with it, as the rows have them.
    private static let project = ProjectID(7)
    private static let leader = AccountID(8)
    private static let viewer = AccountID(9)
    private static let deleted = ProjectID(19_007)
    private static let now = Timestamp(milliseconds: 1_767_323_045_678)
    private static let notice = Duration.seconds(24 * 3600)

    private static func held(_ id: ProjectID, state: ProjectState = .recruiting) -> HeldProject {
        let project = ProjectSnapshot(
            id: id,
            leaderID: leader,
            state: state,
            title: "new",
            text: "https://a.example/7",
            category: "new",
            tags: ["new"],
            startsOn: "2026-02-01",
            deadline: now,
            createdAt: now,
            publishedAt: now,
            version: 2
        )
        return HeldProject(project, labels: ["new"])
    }

    static func projects(_ call: inout StatementCatalogue) {
        call("ProjectStore.row(_:viewer:in:)", walks: "projects_pkey") {
            _ = try await ProjectStore.row(project, viewer: viewer, in: $0)
        }
        call("ProjectStore.isLed(_:by:in:)") { _ = try await ProjectStore.isLed(project, by: viewer, in: $0) }
        call("ProjectStore.hold(_:in:)") { _ = try await ProjectStore.hold(project, in: $0) }
        for (duty, index) in [
            (ProjectDuty.close, "projects_deadline"), (.remind, "projects_reminder"), (.answer, "projects_unanswered"),
        ] {
            call("ProjectStore.due(_:at:notice:in:)", "\(duty)", walks: index) {
                _ = try await ProjectStore.due(duty, at: now, notice: notice, in: $0)
            }
            call("ProjectStore.take(_:_:at:notice:in:)", "\(duty)") {
                let id = ProjectID(duty == .close ? 15_007 : duty == .remind ? 16_007 : 17_007)
                _ = try await ProjectStore.take(id, duty, at: now, notice: notice, in: $0)
            }
        }
        call("ProjectStore.unfinished(of:in:)", walks: "projects_leader") {
            _ = try await ProjectStore.unfinished(of: leader, in: $0)
        }
        call("ProjectStore.insert(_:in:)") { try ProjectStore.insert(held(ProjectID(100_000)), in: $0) }
        call("ProjectStore.save(_:in:)") { try ProjectStore.save(held(project), in: $0) }
        call("ProjectStore.keep(_:keeping:in:)", walks: "project_edits_pkey") {
            try ProjectStore.keep(held(project).project, keeping: 20, in: $0)
        }
        call("ProjectStore.forms(of:limit:in:)", walks: "project_edits_pkey") {
            _ = try await ProjectStore.forms(of: project, limit: 20, in: $0)
        }
        call("ProjectStore.setVersion(_:of:in:)") { ProjectStore.setVersion(9, of: project, in: $0) }
        call("ProjectStore.setReminded(_:in:)") { ProjectStore.setReminded(held(project), in: $0) }
        call("ProjectStore.delete(_:version:at:in:)") { ProjectStore.delete(project, version: 9, at: now, in: $0) }
        call("ProjectStore.setRoom(_:in:)") {
            let room = ProjectRoomChanged(
                projectID: project,
                playgroundID: PlaygroundID(1),
                channelID: ChannelID(2),
                subjectVersion: 9
            )
            ProjectStore.setRoom(room, in: $0)
        }
        call("ProjectStore.show(_:in:version:_:)") { try ProjectStore.show([], in: project, version: 9, $0) }
        call("ProjectStore.bookmark(_:by:as:in:)") {
            _ = try await ProjectStore.bookmark(project, by: AccountID(70), as: 100_000, in: $0)
        }
        call("ProjectStore.unbookmark(_:by:in:)") { try await ProjectStore.unbookmark(project, by: viewer, in: $0) }
        call("ProjectStore.addViews(_:in:)") {
            try await ProjectStore.addViews([(project: project, count: 3)], in: $0)
        }
        call("ProjectErasureStore.deleted(before:in:)", walks: "projects_unerased") {
            _ = try await ProjectErasureStore.deleted(before: now, in: $0)
        }
        for rows in ProjectErasureStore.remains {
            call("ErasureStore.erase(from:in:)", rows.table.text) { _ = try await rows.erase(from: [project], in: $0) }
        }
        call("ProjectErasureStore.empty(_:at:in:)") {
            _ = try await ProjectErasureStore.empty([deleted], at: now, in: $0)
        }
        call("ProjectMemberStore.since(_:in:_:)") {
            _ = try await ProjectMemberStore.since(viewer, in: project, $0)
        }
        call("ProjectMemberStore.taken(of:in:)", walks: "project_members_pkey") {
            _ = try await ProjectMemberStore.taken(of: project, in: $0)
        }
        call("ProjectMemberStore.insert(_:into:as:since:at:in:)") {
            let role = ProjectRoleID(1)
            _ = try await ProjectMemberStore.insert(AccountID(70), into: project, as: role, since: 9, at: now, in: $0)
        }
        call("ProjectMemberStore.delete(_:from:in:)") { ProjectMemberStore.delete(viewer, from: project, in: $0) }
        call("ProjectMemberStore.renew(_:in:since:_:)") {
            ProjectMemberStore.renew(leader, in: project, since: 9, $0)
        }
        call("ProjectMemberStore.all(of:in:)", walks: "project_members_pkey") {
            _ = try await ProjectMemberStore.all(of: project, in: $0)
        }
        call("ProjectMemberStore.list(of:viewer:in:)", walks: "project_members_pkey") {
            _ = try await ProjectMemberStore.list(of: project, viewer: viewer, in: $0)
        }
        for (concern, index) in [
            (ProjectMemberStore.Concern.people, "applications_open"), (.keepers, "project_bookmarks_project"),
        ] {
            call("ProjectMemberStore.concerned(_:by:limit:in:)", "\(concern)", walks: index) {
                _ = try await ProjectMemberStore.concerned(concern, by: project, limit: 1000, in: $0)
            }
        }
        call("MediaStore.restore(_:of:by:in:)", "project", walks: "projects_leader") {
            MediaStore.restore(.project, of: MediaID(8000), by: leader, in: $0)
        }
    }

    static func boards(_ call: inout StatementCatalogue) {
        call("BoardStore.list(_:in:)") { BoardStore.list(held(project), in: $0) }
        let pages = [
            ("first", Page(limit: 20)), ("next", Page(before: 5007, limit: 20)), ("back", Page(after: 5007, limit: 20)),
        ]
        let filters = [("whole", [String]()), ("facets", ["t:tag7", "r:ios", "p:online", "c:web"])]
        for (order, index) in [
            (BoardOrder.newest, "project_facets_newest"), (.deadline, "project_facets_deadline"),
            (.applications, "project_facets_applied"),
        ] {
            for (variant, facets) in filters {
                let filter = BoardFilter(order: order, facets: facets)
                for (direction, page) in pages {
                    call("BoardStore.board(_:viewer:page:in:)", "\(order), \(variant), \(direction)", walks: index) {
                        _ = try await BoardStore.board(filter, viewer: viewer, page: page, in: $0)
                    }
                }
            }
            for (direction, page) in pages {
                call("BoardStore.end(of:page:in:)", "\(order), \(direction)", walks: index) {
                    _ = try await BoardStore.end(of: BoardFilter(order: order), page: page, in: $0)
                }
            }
        }
        call("BoardStore.found(_:viewer:in:)", walks: "projects_pkey") {
            _ = try await BoardStore.found([project, ProjectID(5007)], viewer: viewer, in: $0)
        }
        for (direction, page) in [("newest", Page(limit: 20)), ("forwards", Page(after: 1, limit: 20))] {
            call("BoardStore.projects(of:viewer:page:in:)", "leader, \(direction)", walks: "projects_leader") {
                _ = try await BoardStore.projects(of: .leader(leader), viewer: viewer, page: page, in: $0)
            }
            call("BoardStore.projects(of:viewer:page:in:)", "member, \(direction)", walks: "project_members_account") {
                _ = try await BoardStore.projects(of: .member(viewer), viewer: viewer, page: page, in: $0)
            }
            call("BoardStore.bookmarked(by:page:in:)", direction, walks: "project_bookmarks_list") {
                _ = try await BoardStore.bookmarked(by: viewer, page: page, in: $0)
            }
        }
    }

    static func applications(_ call: inout StatementCatalogue) {
        let id = ApplicationID(7)
        var application = ApplicationSnapshot(
            id: ApplicationID(100_000),
            projectID: project,
            accountID: AccountID(70),
            roleID: ProjectRoleID(1),
            roleName: "iOS",
            createdAt: now
        )
        let new = application
        call("ApplicationStore.row(_:viewer:in:)") { _ = try await ApplicationStore.row(id, viewer: viewer, in: $0) }
        let lists: [(String, String, ApplicationList)] = [
            ("project", "applications_project", .project(project, nil)),
            ("project, open", "applications_state", .project(project, .open)),
            ("account", "applications_account", .account(viewer, nil)),
            ("account, open", "applications_account", .account(viewer, .open)),
        ]
        for (name, index, list) in lists {
            for (direction, page) in [("newest", Page(limit: 20)), ("forwards", Page(after: 1, limit: 20))] {
                call("ApplicationStore.page(_:of:viewer:in:)", "\(name), \(direction)", walks: index) {
                    _ = try await ApplicationStore.page(page, of: list, viewer: viewer, in: $0)
                }
            }
        }
        call("ApplicationStore.application(_:in:)") { _ = try await ApplicationStore.application(id, in: $0) }
        call("ApplicationStore.attempts(of:to:in:)", walks: "applications_pair") {
            _ = try await ApplicationStore.attempts(of: viewer, to: project, in: $0)
        }
        call("ApplicationStore.insert(_:in:)") { _ = try await ApplicationStore.insert(new, in: $0) }
        application.id = id
        application.state = .declined
        application.decidedAt = now
        let decided = application
        call("ApplicationStore.save(_:in:)") { ApplicationStore.save(decided, in: $0) }
        call("ApplicationStore.appliedFor(of:in:)") { _ = try await ApplicationStore.appliedFor(of: project, in: $0) }
        call("ApplicationStore.declineOpen(of:at:limit:in:)") {
            _ = try await ApplicationStore.declineOpen(of: project, at: now, limit: 100, in: $0)
        }
        call("ApplicationStore.recount(_:version:in:)") { ApplicationStore.recount(project, version: 9, in: $0) }
    }
}

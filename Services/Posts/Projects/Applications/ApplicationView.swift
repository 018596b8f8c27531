// SPDX-License-Identifier: Apache-2.0
// An application to a project, as whoever made it and the leader see it.

import Domain
import Events
import Views

/// Somebody's wish to be in a project.
struct ApplicationView: ObjectView {
    let application: ApplicationSnapshot
    /// Who made it.
    let account: AccountSnapshot
    let project: ProjectBrief
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", application.id)
        json.member("project", ProjectBriefView(project))
        json.member("account", AccountView(account, site: site))
        json.member("role", RoleName(id: application.roleID, name: application.roleName))
        json.member("message", application.message)
        json.member("state", application.state.rawValue)
        json.member("note", application.note)
        json.member("created_at", application.createdAt)
        json.member("decided_at", application.decidedAt)
    }
}

// SPDX-License-Identifier: Apache-2.0
// An application to a project, as whoever made it and the leader see it.

package import Domain
package import Events

/// Somebody's wish to be in a project.
package struct ApplicationView: ObjectView {
    package let application: ApplicationSnapshot
    /// Who made it.
    package let account: AccountSnapshot
    package let project: ProjectBrief
    package let site: Site

    package init(_ application: ApplicationSnapshot, by account: AccountSnapshot, project: ProjectBrief, site: Site) {
        self.application = application
        self.account = account
        self.project = project
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
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

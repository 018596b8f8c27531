// SPDX-License-Identifier: Apache-2.0
// A project, and a role in it, where they are not the subject.

package import Domain
package import Events

/// A role by its name.
package struct RoleName: ObjectView {
    let id: ProjectRoleID
    let name: String

    package init(id: ProjectRoleID, name: String) { (self.id, self.name) = (id, name) }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("name", name)
    }
}

/// A project where it is not the subject.
package struct ProjectBriefView: ObjectView {
    package let project: ProjectBrief

    package init(_ project: ProjectBrief) { self.project = project }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", project.id)
        json.member("title", project.title)
        json.member("state", project.state.rawValue)
        json.member("deadline", project.deadline)
    }
}

// SPDX-License-Identifier: Apache-2.0
// A project, and a role in it, where they are not the subject.

public import Domain
public import Events

/// A role by its name.
public struct RoleName: ObjectView {
    let id: ProjectRoleID
    let name: String

    public init(id: ProjectRoleID, name: String) { (self.id, self.name) = (id, name) }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("name", name)
    }
}

/// A project where it is not the subject.
public struct ProjectBriefView: ObjectView {
    public let project: ProjectBrief

    public init(_ project: ProjectBrief) { self.project = project }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", project.id)
        json.member("title", project.title)
        json.member("state", project.state.rawValue)
        json.member("deadline", project.deadline)
    }
}

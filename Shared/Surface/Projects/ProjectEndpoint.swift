// SPDX-License-Identifier: Apache-2.0
// The board of projects that look for people.

import Domain

/// The board of projects that look for people.
public enum ProjectEndpoint: String, EndpointGroup {
    case listProjects, createProject, listBookmarkedProjects, listAccountProjects, getProject, editProject,
        deleteProject, projectHistory, publishProject, closeProject, reopenProject, finishProject, transferProject,
        bookmarkProject, unbookmarkProject, listProjectMembers, leaveProject, removeProjectMember

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .listProjects: .get("/api/v1/projects", .anyone, answer: "[Project]")
        case .createProject:
            .post("/api/v1/projects", .account("write:projects"), isKeyed: true, answer: "Project")
        case .listBookmarkedProjects:
            .get("/api/v1/projects/bookmarks", .account("read:projects"), answer: "[Project]")
        case .listAccountProjects: .get("/api/v1/accounts/:id/projects", .anyone, answer: "[Project]")
        case .getProject: .get("/api/v1/projects/:id", .anyone, answer: "Project")
        case .editProject: .patch("/api/v1/projects/:id", .account("write:projects"), answer: "Project")
        case .deleteProject:
            .delete("/api/v1/projects/:id", .account("write:projects"), rate: .delete, answer: "any")
        case .projectHistory: .get("/api/v1/projects/:id/history", .anyone, answer: "[ProjectForm]")
        case .publishProject: .post("/api/v1/projects/:id/publish", .account("write:projects"), answer: "Project")
        case .closeProject: .post("/api/v1/projects/:id/close", .account("write:projects"), answer: "Project")
        case .reopenProject: .post("/api/v1/projects/:id/reopen", .account("write:projects"), answer: "Project")
        case .finishProject: .post("/api/v1/projects/:id/finish", .account("write:projects"), answer: "Project")
        case .transferProject: .post("/api/v1/projects/:id/transfer", .account("write:projects"), answer: "Project")
        case .bookmarkProject: .post("/api/v1/projects/:id/bookmark", .account("write:projects"), answer: "Project")
        case .unbookmarkProject:
            .post("/api/v1/projects/:id/unbookmark", .account("write:projects"), answer: "Project")
        case .listProjectMembers: .get("/api/v1/projects/:id/members", .anyone, answer: "[ProjectMember]")
        case .leaveProject: .post("/api/v1/projects/:id/leave", .account("write:projects"), answer: "any")
        case .removeProjectMember:
            .delete("/api/v1/projects/:id/members/:account_id", .account("write:projects"), answer: "any")
        }
    }
}

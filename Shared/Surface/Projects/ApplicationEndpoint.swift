// SPDX-License-Identifier: Apache-2.0
// People who want to be in a project, and what its leader says to them.

import Domain

/// People who want to be in a project, and what its leader says to them.
public enum ApplicationEndpoint: String, EndpointGroup {
    case apply, listProjectApplications, listApplications, getApplication, withdrawApplication, acceptApplication,
        declineApplication

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .apply:
            .post("/api/v1/projects/:id/applications", .account("write:projects"), answer: "ProjectApplication")
        case .listProjectApplications:
            .get("/api/v1/projects/:id/applications", .account("read:projects"), answer: "[ProjectApplication]")
        case .listApplications: .get("/api/v1/applications", .account("read:projects"), answer: "[ProjectApplication]")
        case .getApplication: .get("/api/v1/applications/:id", .account("read:projects"), answer: "ProjectApplication")
        case .withdrawApplication:
            .post("/api/v1/applications/:id/withdraw", .account("write:projects"), answer: "ProjectApplication")
        case .acceptApplication:
            .post("/api/v1/applications/:id/accept", .account("write:projects"), answer: "ProjectApplication")
        case .declineApplication:
            .post("/api/v1/applications/:id/decline", .account("write:projects"), answer: "ProjectApplication")
        }
    }
}

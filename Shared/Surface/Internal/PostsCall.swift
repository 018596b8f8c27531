// SPDX-License-Identifier: Apache-2.0
// What the gateway asks posts for.

/// What the gateway asks posts for.
public enum PostsCall: String, EndpointGroup {
    case getStatistics, makeAccount, getFoundAccounts, getFoundProjects, getFoundRecords

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .getStatistics: .get("/internal/statistics", .internal)
        case .makeAccount: .post("/internal/accounts", .internal)
        case .getFoundAccounts: .post("/internal/found/accounts", .anyone)
        case .getFoundProjects: .post("/internal/found/projects", .anyone)
        case .getFoundRecords: .post("/internal/found/records", .anyone)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Reports of people, and what they may say to decisions about them.

import Domain

/// Reports of people, and what they may say to decisions about them.
public enum ReportEndpoint: String, EndpointGroup {
    case report, listOwnDecisions, getOwnDecision, appealByLink, appeal, showAppealPage,
        submitAppealPage

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .report: .post("/api/v1/reports", .account("write:reports"), answer: "Report")
        case .listOwnDecisions: .get("/api/v1/decisions", .account("read:accounts"), answer: "[OwnDecision]")
        case .getOwnDecision: .get("/api/v1/decisions/:id", .account("read:accounts"), answer: "OwnDecision")
        // With the token of a letter: who is suspended cannot sign in.
        case .appealByLink: .post("/api/v1/decisions/appeal", .anyone, answer: "OwnDecision")
        case .appeal: .post("/api/v1/decisions/:id/appeal", .account("write:reports"), answer: "OwnDecision")
        case .showAppealPage: .get("/appeal", .anyone, isPage: true)
        case .submitAppealPage: .post("/appeal", .anyone, isPage: true)
        }
    }
}

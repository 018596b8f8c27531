// SPDX-License-Identifier: Apache-2.0
// The moderators' queue: reports with what was reported as it was, decisions, and appeals to them.

import Domain

/// The moderators' queue: reports with what was reported as it was, decisions, and appeals to them.
public enum ModerationEndpoint: String, EndpointGroup {
    case listQueue, getQueued, claimReport, releaseReport, closeReport, reopenQueued, noteReport, decide,
        listDecisions, getDecision, liftDecision, listAppeals, acceptAppeal, rejectAppeal, listDeeds

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .listQueue:
            .get("/api/v1/moderation/reports", .moderator("admin:read:reports"), answer: "[QueuedReport]")
        case .getQueued:
            .get("/api/v1/moderation/reports/:id", .moderator("admin:read:reports"), answer: "QueuedReport")
        case .claimReport: change("reports/:id/claim", "QueuedReport")
        case .releaseReport: change("reports/:id/release", "QueuedReport")
        case .closeReport: change("reports/:id/close", "QueuedReport")
        case .reopenQueued: change("reports/:id/reopen", "QueuedReport")
        case .noteReport: change("reports/:id/notes", "QueuedReport")
        case .decide:
            .post("/api/v1/moderation/decisions", .moderator("admin:write:accounts"), answer: "[Decision]")
        case .listDecisions:
            .get("/api/v1/moderation/decisions", .moderator("admin:read:accounts"), answer: "[Decision]")
        case .getDecision:
            .get("/api/v1/moderation/decisions/:id", .moderator("admin:read:accounts"), answer: "Decision")
        case .liftDecision:
            .post("/api/v1/moderation/decisions/:id/lift", .moderator("admin:write:accounts"), answer: "Decision")
        case .listAppeals:
            .get("/api/v1/moderation/appeals", .moderator("admin:read:accounts"), answer: "[Decision]")
        case .acceptAppeal:
            .post("/api/v1/moderation/appeals/:id/accept", .moderator("admin:write:accounts"), answer: "Decision")
        case .rejectAppeal:
            .post("/api/v1/moderation/appeals/:id/reject", .moderator("admin:write:accounts"), answer: "Decision")
        case .listDeeds:
            .get("/api/v1/moderation/log", .moderator("admin:read:accounts"), answer: "[ModerationDeed]")
        }
    }

    private func change(_ path: String, _ answer: String) -> Endpoint {
        .post("/api/v1/moderation/\(path)", .moderator("admin:write:reports"), answer: answer)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Accounts and sessions of first-party apps.

import Domain

/// Accounts and sessions of first-party apps.
public enum SessionEndpoint: String, EndpointGroup {
    case createAccount, changePassword, createSession, refreshSession, listSessions, endSession, endOtherSessions
    case deleteAccount

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .createAccount:
            .post(
                "/api/v1/accounts",
                .app("write:accounts"),
                rate: .signUp,
                body: .form([FileField("avatar", .avatar), FileField("header", .header)]),
                answer: "Token"
            )
        case .changePassword: .post("/api/v1/accounts/change_password", .account("write:accounts"), rate: .signIn)
        case .createSession: .post("/api/v1/sessions", .anyone, rate: .signIn)
        case .refreshSession: .post("/api/v1/sessions/refresh", .anyone, rate: .signIn)
        case .listSessions: .get("/api/v1/sessions", .account("read:accounts"))
        case .endSession: .delete("/api/v1/sessions/:id", .account("write:accounts"))
        case .endOtherSessions: .delete("/api/v1/sessions", .account("write:accounts"))
        case .deleteAccount: .delete("/api/v1/account", .account("write:accounts"), rate: .signIn, answer: "Deletion")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Accounts and profiles.

import Domain

/// Accounts and profiles.
public enum AccountEndpoint: String, EndpointGroup {
    case verifyCredentials, updateCredentials, deleteAvatar, deleteHeader, getPreferences, getAccounts, lookUpAccount,
        getAccount

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .verifyCredentials: .get("/api/v1/accounts/verify_credentials", .account(nil), answer: "OwnAccount")
        case .updateCredentials:
            .patch(
                "/api/v1/accounts/update_credentials",
                .account("write:accounts"),
                body: .form([FileField("avatar", .avatar), FileField("header", .header)]),
                answer: "OwnAccount"
            )
        case .deleteAvatar: .delete("/api/v1/profile/avatar", .account("write:accounts"), answer: "OwnAccount")
        case .deleteHeader: .delete("/api/v1/profile/header", .account("write:accounts"), answer: "OwnAccount")
        case .getPreferences: .get("/api/v1/preferences", .account("read:accounts"), answer: "Preferences")
        case .getAccounts: .get("/api/v1/accounts", .anyone, answer: "[Account]")
        case .lookUpAccount: .get("/api/v1/accounts/lookup", .anyone, answer: "Account")
        case .getAccount: .get("/api/v1/accounts/:id", .anyone, answer: "Account")
        }
    }
}

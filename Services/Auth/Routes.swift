// SPDX-License-Identifier: Apache-2.0
// The table of contents of auth.

import Domain
import Web

/// Every route that auth answers.
enum Routes {
    static let all: [Route<Dependencies>] = oauth + accounts + pages + inner

    private static let oauth: [Route<Dependencies>] = [
        .get("/.well-known/oauth-authorization-server", .anyone, Metadata.run),
        .post("/api/v1/apps", .anyone, CreateApp.run),
        .get("/api/v1/apps/verify_credentials", .app(nil), VerifyApp.run),
        .get("/oauth/authorize", .anyone, AskForConsent.run),
        .post("/oauth/authorize", .anyone, GiveConsent.run),
        .get("/oauth/authorize/native", .anyone, ShowCode.run),
        .post("/oauth/token", .anyone, IssueToken.run),
        .post("/oauth/revoke", .anyone, RevokeToken.run),
        .get("/oauth/userinfo", .account("profile"), Userinfo.run),
        .post("/oauth/userinfo", .account("profile"), Userinfo.run),
    ]

    private static let accounts: [Route<Dependencies>] = [
        .post("/api/v1/accounts", .app("write:accounts"), CreateAccount.run),
        .post("/api/v1/accounts/change_password", .account("write:accounts"), ChangePassword.run),
        .post("/api/v1/sessions", .anyone, CreateSession.run),
        .post("/api/v1/sessions/refresh", .anyone, RefreshSession.run),
        .get("/api/v1/sessions", .account("read:accounts"), ListSessions.run),
        .delete("/api/v1/sessions/:id", .account("write:accounts"), EndSession.run),
        .delete("/api/v1/sessions", .account("write:accounts"), EndOtherSessions.run),
    ]

    private static let pages: [Route<Dependencies>] = [
        .get("/auth/sign_in", .anyone, SignInPage.show),
        .post("/auth/sign_in", .anyone, SignInPage.submit),
        .get("/auth/sign_up", .anyone, SignUpPage.show),
        .post("/auth/sign_up", .anyone, SignUpPage.submit),
        .post("/auth/sign_out", .anyone, SignOut.run),
    ]

    private static let inner: [Route<Dependencies>] = [
        .post("/internal/principal", .internal, ExchangeToken.run),
        .post("/internal/kept_sessions", .internal, CreateKeptSession.run),
        .post("/internal/kept_sessions/join", .internal, JoinByNickname.run),
        .post("/internal/kept_sessions/refresh", .internal, RefreshKeptSession.run),
        .post("/internal/identity", .internal, ShowIdentity.run),
        .post("/internal/emails/check", .internal, CheckEmail.run),
    ]
}

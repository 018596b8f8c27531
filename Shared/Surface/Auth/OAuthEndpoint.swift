// SPDX-License-Identifier: Apache-2.0
// Applications, OAuth 2 and OpenID (RFC 6749, 7009, 7636, 8414).

import Domain

/// Applications, OAuth 2 and OpenID (RFC 6749, 7009, 7636, 8414).
public enum OAuthEndpoint: String, EndpointGroup {
    case metadata, createApp, verifyApp, askForConsent, giveConsent, showCode, issueToken, revokeToken, userinfo,
        postUserinfo

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .metadata: .get("/.well-known/oauth-authorization-server", .anyone)
        case .createApp: .post("/api/v1/apps", .anyone, answer: "RegisteredApp")
        case .verifyApp: .get("/api/v1/apps/verify_credentials", .app(nil), answer: "KnownApp")
        case .askForConsent: .get("/oauth/authorize", .anyone, isPage: true)
        case .giveConsent: .post("/oauth/authorize", .anyone, rate: .signIn, isPage: true)
        case .showCode: .get("/oauth/authorize/native", .anyone, isPage: true)
        case .issueToken: .post("/oauth/token", .anyone, rate: .signIn, answer: "Token")
        case .revokeToken: .post("/oauth/revoke", .anyone, rate: .signIn, answer: "any")
        case .userinfo: .get("/oauth/userinfo", .account("profile"))
        case .postUserinfo: .post("/oauth/userinfo", .account("profile"), rate: .read)
        }
    }
}

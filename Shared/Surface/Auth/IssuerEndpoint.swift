// SPDX-License-Identifier: Apache-2.0
// Signing in with what others say of somebody (OpenID Connect).

import Domain

/// Signing in with what others say of somebody (OpenID Connect). All of it is not found where the operator named no issuer.
public enum IssuerEndpoint: String, EndpointGroup {
    case listIssuers, createIssuerSession, finishSignUp
    case listIdentities, linkIdentity, unlinkIdentity
    case visitIssuer, returnFromIssuer, postedFromIssuer, hearFromIssuer, showNewcomerPage, submitNewcomerPage
    case showIdentitiesPage, unlinkOnPage

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .listIssuers: .get("/api/v1/issuers", .anyone, answer: "[Issuer]")
        // `id` is the name of an issuer: a part of a path has one name, whatever the method.
        case .createIssuerSession: .post("/api/v1/sessions/:id", .anyone, rate: .signIn)
        case .finishSignUp: .post("/api/v1/sessions/:id/account", .anyone, rate: .signUp)
        case .listIdentities: .get("/api/v1/account/identities", .account("read:accounts"), answer: "[Identity]")
        case .linkIdentity:
            .post("/api/v1/account/identities", .account("write:accounts"), rate: .signIn, answer: "[Identity]")
        case .unlinkIdentity:
            .delete("/api/v1/account/identities/:id", .account("write:accounts"), rate: .signIn)
        case .visitIssuer: .get("/auth/with/:issuer", .anyone, rate: .signIn, isPage: true)
        case .returnFromIssuer: .get("/auth/with/:issuer/callback", .anyone, rate: .signIn, isPage: true)
        case .postedFromIssuer: .post("/auth/with/:issuer/callback", .anyone, rate: .signIn, isPage: true)
        case .hearFromIssuer: .post("/auth/with/:issuer/notifications", .anyone)
        case .showNewcomerPage: .get("/auth/newcomer", .anyone, isPage: true)
        case .submitNewcomerPage: .post("/auth/newcomer", .anyone, rate: .signUp, isPage: true)
        case .showIdentitiesPage: .get("/auth/identities", .anyone, isPage: true)
        case .unlinkOnPage: .post("/auth/identities", .anyone, rate: .signIn, isPage: true)
        }
    }
}

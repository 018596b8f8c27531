// SPDX-License-Identifier: Apache-2.0
// What people do with letters: confirm an address, set a password that they have forgotten.

/// What people do with letters: confirm an address, set a password that they have forgotten.
public enum MailEndpoint: String, EndpointGroup {
    case askForPasswordReset, sendConfirmation, checkConfirmation
    case showForgottenPage, submitForgottenPage, showResetPage, submitResetPage, showConfirmPage, submitConfirmPage

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .askForPasswordReset: .post("/api/v1/account/password_reset", .anyone, rate: .signIn)
        // The token of somebody whose address waits to be confirmed allows nothing else.
        case .sendConfirmation: .post("/api/v1/emails/confirmations", .account(nil), rate: .signIn)
        case .checkConfirmation: .get("/api/v1/emails/check_confirmation", .account(nil), answer: "any")
        case .showForgottenPage: .get("/auth/password/new", .anyone, isPage: true)
        case .submitForgottenPage: .post("/auth/password/new", .anyone, rate: .signIn, isPage: true)
        case .showResetPage: .get("/auth/password/reset", .anyone, rate: .signIn, isPage: true)
        case .submitResetPage: .post("/auth/password/reset", .anyone, rate: .signIn, isPage: true)
        case .showConfirmPage: .get("/auth/confirm", .anyone, rate: .signIn, isPage: true)
        case .submitConfirmPage: .post("/auth/confirm", .anyone, rate: .signIn, isPage: true)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The pages on which people sign in and up.

/// The pages on which people sign in and up.
public enum PageEndpoint: String, EndpointGroup {
    case showSignInPage, submitSignInPage, showSignUpPage, submitSignUpPage, signOut
    case showDeletePage, submitDeletePage

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .showSignInPage: .get("/auth/sign_in", .anyone, isPage: true)
        case .submitSignInPage: .post("/auth/sign_in", .anyone, rate: .signIn, isPage: true)
        case .showSignUpPage: .get("/auth/sign_up", .anyone, isPage: true)
        case .submitSignUpPage: .post("/auth/sign_up", .anyone, rate: .signUp, isPage: true)
        case .signOut: .post("/auth/sign_out", .anyone, isPage: true)
        case .showDeletePage: .get("/auth/account/delete", .anyone, isPage: true)
        case .submitDeletePage: .post("/auth/account/delete", .anyone, rate: .signIn, isPage: true)
        }
    }
}

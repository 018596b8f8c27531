// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints of auth.

import Surface
import Web

/// Every endpoint of auth, each with its command.
enum Routes {
    static let all: [Route<Dependencies>] =
        Route.all(OAuthEndpoint.self, run) + Route.all(SessionEndpoint.self, run) + Route.all(PageEndpoint.self, run)
        + Route.all(IssuerEndpoint.self, run) + Route.all(AuthCall.self, run)
        + Route.all(MailEndpoint.self, run)
        + Route.all(RuleEndpoint.self, run)

    private static func run(_ endpoint: OAuthEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .metadata: Metadata.run
        case .createApp: CreateApp.run
        case .verifyApp: VerifyApp.run
        case .askForConsent: AskForConsent.run
        case .giveConsent: GiveConsent.run
        case .showCode: ShowCode.run
        case .issueToken: IssueToken.run
        case .revokeToken: RevokeToken.run
        case .userinfo: Userinfo.run
        case .postUserinfo: Userinfo.run
        }
    }

    private static func run(_ endpoint: SessionEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .createAccount: CreateAccount.run
        case .changePassword: ChangePassword.run
        case .createSession: CreateSession.run
        case .refreshSession: RefreshSession.run
        case .listSessions: ListSessions.run
        case .endSession: EndSession.run
        case .endOtherSessions: EndOtherSessions.run
        case .deleteAccount: DeleteAccount.run
        }
    }

    private static func run(_ endpoint: PageEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .showSignInPage: SignInPage.show
        case .submitSignInPage: SignInPage.submit
        case .showSignUpPage: SignUpPage.show
        case .submitSignUpPage: SignUpPage.submit
        case .signOut: SignOut.run
        case .showDeletePage: DeletePage.show
        case .submitDeletePage: DeletePage.submit
        }
    }

    private static func run(_ endpoint: IssuerEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listIssuers: ListIssuers.run
        case .createIssuerSession: CreateIssuerSession.run
        case .finishSignUp: FinishSignUp.run
        case .listIdentities: ListIdentities.run
        case .linkIdentity: LinkIdentity.run
        case .unlinkIdentity: UnlinkIdentity.run
        case .visitIssuer: VisitIssuer.run
        case .returnFromIssuer: ReturnFromIssuer.run
        case .postedFromIssuer: ReturnFromIssuer.keep
        case .hearFromIssuer: HearFromIssuer.run
        case .showNewcomerPage: NewcomerPage.show
        case .submitNewcomerPage: NewcomerPage.submit
        case .showIdentitiesPage: IdentitiesPage.show
        case .unlinkOnPage: IdentitiesPage.unlink
        }
    }

    private static func run(_ endpoint: MailEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .askForPasswordReset: AskForPasswordReset.run
        case .sendConfirmation: SendConfirmation.run
        case .checkConfirmation: CheckConfirmation.run
        case .showForgottenPage: ForgottenPage.show
        case .submitForgottenPage: ForgottenPage.submit
        case .showResetPage: ResetPage.show
        case .submitResetPage: ResetPage.submit
        case .showConfirmPage: ConfirmPage.show
        case .submitConfirmPage: ConfirmPage.submit
        }
    }

    private static func run(_ endpoint: AuthCall) -> Route<Dependencies>.Run {
        switch endpoint {
        case .exchangeToken: ExchangeToken.run
        case .createKeptSession: CreateKeptSession.run
        case .joinByNickname: JoinByNickname.run
        case .createKeptSessionByIssuer: CreateKeptSessionByIssuer.run
        case .refreshKeptSession: RefreshKeptSession.run
        case .showIdentity: ShowIdentity.run
        case .checkEmail: CheckEmail.run
        case .showDocuments: ShowDocuments.run
        }
    }

    private static func run(_ endpoint: RuleEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listBlockedTerms: BlockedTerms.list
        case .getBlockedTerm: BlockedTerms.show
        case .blockTerm: BlockedTerms.block
        case .changeBlockedTerm: BlockedTerms.change
        case .unblockTerm: BlockedTerms.unblock
        case .listMailDomains: { try await BlockedDomains.list(.mail, $0, $1) }
        case .getMailDomain: { try await BlockedDomains.show(.mail, $0, $1) }
        case .blockMailDomain: { try await BlockedDomains.block(.mail, $0, $1) }
        case .unblockMailDomain: { try await BlockedDomains.unblock(.mail, $0, $1) }
        case .listLinkDomains: { try await BlockedDomains.list(.links, $0, $1) }
        case .getLinkDomain: { try await BlockedDomains.show(.links, $0, $1) }
        case .blockLinkDomain: { try await BlockedDomains.block(.links, $0, $1) }
        case .unblockLinkDomain: { try await BlockedDomains.unblock(.links, $0, $1) }
        case .listDocuments: Documents.list
        case .publishDocument: Documents.publish
        case .termsOfService: TermsOfService.show
        case .termsOfServiceOfDay: TermsOfService.showDay
        case .showAgreements: Agreements.show
        case .agree: Agreements.agree
        case .showAgreementPage: AgreementPage.show
        case .submitAgreementPage: AgreementPage.submit
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Reports, decisions and appeals.

import Surface
import Web

extension Routes {
    static let moderation: [Route<Dependencies>] =
        Route.all(ReportEndpoint.self, run) + Route.all(ModerationEndpoint.self, run)
        + Route.all(AdminEndpoint.self, run)

    private static func run(_ endpoint: ReportEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .report: FileReport.run
        case .listOwnDecisions: ListOwnDecisions.run
        case .getOwnDecision: GetOwnDecision.run
        case .appealByLink: AppealByLink.run
        case .appeal: AppealDecision.run
        case .showAppealPage: AppealPage.show
        case .submitAppealPage: AppealPage.submit
        }
    }

    private static func run(_ endpoint: ModerationEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listQueue: ListQueue.run
        case .getQueued: GetQueuedReport.run
        case .claimReport: HandleReport.claim
        case .releaseReport: HandleReport.release
        case .closeReport: HandleReport.close
        case .reopenQueued: HandleReport.reopen
        case .noteReport: NoteReport.run
        case .decide: Decide.run
        case .listDecisions: ListDecisions.run
        case .getDecision: GetDecision.run
        case .liftDecision: LiftDecision.run
        case .listAppeals: ListAppeals.run
        case .acceptAppeal: AcceptAppeal.run
        case .rejectAppeal: RejectAppeal.run
        case .listDeeds: ListDeeds.run
        }
    }

    private static func run(_ endpoint: AdminEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .adminReports: ListAdminReports.run
        case .adminReport: GetAdminReport.run
        case .changeReport: ChangeReport.run
        case .assignReport: HandleReport.assign
        case .unassignReport: HandleReport.unassign
        case .resolveReport: HandleReport.resolve
        case .reopenReport: HandleReport.open
        case .adminAccountsOfVersion1: ListAdminAccounts.version1
        case .adminAccounts: ListAdminAccounts.version2
        case .adminAccount: GetAdminAccount.run
        case .actOnAccount: ActOnAccount.run
        case .enableAccount: FreeAccount.enable
        case .unsilenceAccount: FreeAccount.unsilence
        case .unsuspendAccount: FreeAccount.unsuspend
        case .unsensitiveAccount: FreeAccount.unsensitive
        }
    }
}

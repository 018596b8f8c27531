// SPDX-License-Identifier: Apache-2.0
// What every deed of moderators has in common.

import Domain
import Events
import Outbox
import Postgres
import Web

/// A transaction of somebody who moderates.
struct ModerationWork: HoldingTransaction {
    let transaction: Transaction
    let dependencies: Dependencies
    /// Nil for what no person does.
    let moderator: Principal.Account?

    /// When it happens: the same for all that happens in it.
    let now: Timestamp

    var limits: ModerationLimits { dependencies.limits.moderation }

    static func run<Value: Sendable>(
        _ moderator: Principal.Account?,
        _ dependencies: Dependencies,
        _ body: @Sendable (ModerationWork) async throws -> Value
    ) async throws -> Value {
        if let moderator { try await EnsureAccount.run(moderator, dependencies) }
        return try await dependencies.database.transaction { transaction in
            try await body(
                ModerationWork(
                    transaction: transaction,
                    dependencies: dependencies,
                    moderator: moderator,
                    now: dependencies.now()
                )
            )
        }
    }

    func record(_ event: some Event) throws { try transaction.record(event) }

    /// Tells others of a decision, and with that the person whom it concerns.
    func tell(_ decision: DecisionRow) async throws {
        try record(decision.event(try await AccountStore.account(decision.accountID, in: transaction)))
    }

    /// Writes down what was done.
    func log(
        _ deed: ModerationDeed,
        report: ReportID? = nil,
        decision: DecisionID? = nil,
        about account: AccountID? = nil
    ) {
        let logged = LoggedDeed(
            id: dependencies.ids.number(),
            moderatorID: moderator?.id,
            deed: deed,
            reportID: report,
            decisionID: decision,
            accountID: account,
            at: now
        )
        DecisionStore.log(logged, in: transaction)
    }

    /// A report with what was reported, held until the transaction ends.
    ///
    /// Nil where there is none; throws where it is about the moderator.
    func hold(_ id: ReportID) async throws -> (report: ReportRow, things: [ReportedThing])? {
        guard let report = try await ReportStore.hold(id, in: transaction) else { return nil }
        let things = try await ReportStore.things(of: [id], in: transaction)[id] ?? []
        if let moderator, report.isAbout(moderator.id, things) { throw Problem.forbidden }
        return (report, things)
    }

    /// Throws unless the moderator may decide about somebody: nobody may about themselves, only administrators about those who
    /// moderate, and nobody about those.
    func requireMayDecide(about account: AccountID) async throws {
        guard let moderator else { return }
        guard account != moderator.id else { throw Problem.forbidden }
        switch try await RoleStore.role(of: account, in: transaction) {
        case .user: return
        case .moderator: guard moderator.role == .admin else { throw Problem.forbidden }
        case .admin: throw Problem.forbidden
        }
    }
}

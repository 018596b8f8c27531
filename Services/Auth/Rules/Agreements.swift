// SPDX-License-Identifier: Apache-2.0
// GET|POST /api/v1/agreements, and what signing in has to do with them.

import Domain
import HTTPTypes
import Postgres
import Views
import Web

/// What somebody agreed to, and what they have yet to.
enum Agreements {
    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(request.requireAccount().id, dependencies)
    }

    /// Agrees to all that is in force.
    @Sendable static func agree(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        guard try request.parameters().boolean("agreement") == true else {
            throw ValidationFailure(faults: [("agreement", .accepted)])
        }
        try await dependencies.database.transaction { give(by: account, .app, dependencies, in: $0) }
        return try await answer(account, dependencies)
    }

    private static func answer(_ account: AccountID, _ dependencies: Dependencies) async throws -> Answer {
        let day = Day(dependencies.now())
        let due = try await ConsentStore.due(from: account, on: day, in: dependencies.database)
        let given = try await ConsentStore.list(of: account, in: dependencies.database)
        return .json { json in
            json.member("due", due.map(DueConsentView.init))
            json.array("given") { json in
                for consent in given {
                    json.object { json in
                        json.member("kind", consent.kind)
                        json.member("version", consent.version)
                        json.member("given_at", consent.given)
                        json.member("way", consent.way)
                    }
                }
            }
        }
    }

    static func give(
        by account: AccountID,
        _ way: ConsentWay,
        _ dependencies: Dependencies,
        in transaction: some Transacting
    ) {
        let now = dependencies.now()
        ConsentStore.give(by: account, way: way, on: Day(now), at: now, in: transaction)
    }

    /// Whoever signs in by an app is let in for a while without having agreed anew, and is told so in the answer; then they are
    /// refused until the app says `agreement`.
    ///
    /// - Returns: what they have yet to agree to.
    static func onSignIn(
        of account: AccountID,
        _ parameters: Parameters,
        _ dependencies: Dependencies,
        in transaction: some Transacting
    ) async throws -> [DueConsent] {
        let now = dependencies.now()
        let due = try await ConsentStore.due(from: account, on: Day(now), in: transaction)
        guard !due.isEmpty else { return [] }
        if try parameters.boolean("agreement") == true {
            give(by: account, .app, dependencies, in: transaction)
            return []
        }
        guard !due.contains(where: { $0.isOver(now: now) }) else { throw AgreementNeeded() }
        return due
    }

    /// What somebody at a browser has to agree to before they go on.
    static func due(from account: AccountID, _ dependencies: Dependencies) async throws -> [DueConsent] {
        try await ConsentStore.due(from: account, on: Day(dependencies.now()), in: dependencies.database)
    }
}

struct DueConsentView: ObjectView {
    let due: DueConsent

    init(_ due: DueConsent) { self.due = due }

    func writeMembers(to json: inout JSONWriter) {
        json.member("kind", due.kind.rawValue)
        json.member("version", due.version)
        json.member("until", due.until)
    }
}

/// The rules have changed, and the time in which one may go on without agreeing to them is over.
struct AgreementNeeded: ProblemConvertible {
    var problem: Problem { Problem(.forbidden, "agreement-needed", detail: PageText.detail("agreement_needed")) }
}

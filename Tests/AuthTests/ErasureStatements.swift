// SPDX-License-Identifier: Apache-2.0
// The statements that erase what auth has of an account.

import Domain
import Postgres
import Serving
import Support

@testable import AuthService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func departures(_ call: inout StatementCatalogue) {
        let now = Timestamp.now()
        call("DepartureStore.ask(_:deletion:now:in:)") {
            _ = try await DepartureStore.ask(AccountID(9), deletion: now, now: now, in: $0)
        }
        call("DepartureStore.stop(_:in:)") { _ = try await DepartureStore.stop(AccountID(7), in: $0) }
        call("DepartureStore.hasBegun(_:in:)") { _ = try await DepartureStore.hasBegun(leaver, in: $0) }
        call("DepartureStore.next(at:in:)", walks: "departures_due") {
            _ = try await DepartureStore.next(at: now, in: $0)
        }
        call("DepartureStore.begin(_:now:in:)") { DepartureStore.begin(leaver, now: now, in: $0) }
        call("DepartureStore.finish(_:now:in:)") { DepartureStore.finish(leaver, now: now, in: $0) }
        call("DepartureStore.wait(_:until:in:)") { DepartureStore.wait(leaver, until: now, in: $0) }
        call("DepartureStore.putOff(_:reason:now:in:)") {
            try await DepartureStore.putOff(leaver, reason: "away", now: now, in: $0)
        }
        call("DepartureStore.note(answerOf:for:in:)") {
            DepartureStore.note(answerOf: "posts", for: AccountID(7), in: $0)
        }
        call("DepartureStore.close(_:onceAnswered:now:in:)") {
            DepartureStore.close(AccountID(7_000_008), onceAnswered: ["chat"], now: now, in: $0)
        }
        call("DepartureStore.backlog(now:in:)", walks: "departures_unanswered") {
            _ = try await DepartureStore.backlog(now: now, in: $0)
        }
        call("DepartureStore.aged", walks: "departures_over") {
            _ = try await DepartureStore.aged.forget(before: now, in: $0)
        }
        call("RevocationStore.isPending(_:in:)", walks: "issuer_revocations_account") {
            _ = try await RevocationStore.isPending(AccountID(7), in: $0)
        }
        call("RemainsStore.emptyNotes(of:in:)", walks: "audit_account") {
            _ = try await RemainsStore.emptyNotes(of: leaver, in: $0)
        }
        call("RemainsStore.endLetters(to:at:in:)", walks: "letters_recipient") {
            try await RemainsStore.endLetters(to: leaver, at: now, in: $0)
        }
        call("RemainsStore.deleteRestrictions(of:in:)") {
            try await RemainsStore.deleteRestrictions(of: leaver, in: $0)
        }
        call("RemainsStore.deleteAttempts(of:in:)") { try await RemainsStore.deleteAttempts(of: leaver, in: $0) }
        call("RemainsStore.dropPassword(of:in:)") { try await RemainsStore.dropPassword(of: leaver, in: $0) }
        call("RemainsStore.reserveName(of:in:)") { try await RemainsStore.reserveName(of: leaver, in: $0) }
        call("RemainsStore.deleteAccount(_:in:)") { try await RemainsStore.deleteAccount(leaver, in: $0) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What may not be written here, in what somebody says and in what they call a place.

import Domain
import Events
import Postgres
import Serving
import Views

extension Work {
    /// Throws where one of the texts may not be written here.
    ///
    /// - Returns: the word of which whoever runs the place wants to hear; nil for none.
    func check(_ texts: [String?]) async throws -> BlockedTermID? {
        try await dependencies.blocks.list(in: transaction).check(texts)
    }

    /// Tells that something has such a word in it.
    func flag(_ term: BlockedTermID?, _ kind: ThingKind, _ id: String, of account: AccountID) throws {
        guard let term else { return }
        try record(
            ThingFlagged(
                thing: Thing(kind: kind, id: id),
                accountID: account,
                termID: term,
                flaggedAt: now(),
                subjectVersion: nextNumber()
            )
        )
    }

    /// The same of what a place is called, and what is said of it.
    func flag(_ term: BlockedTermID?, in playground: PlaygroundID?, by account: AccountID) throws {
        guard let playground else { return }
        try flag(term, .playground, playground.description, of: account)
    }

    /// Counts what somebody new does; throws once they have done it too often.
    func count(_ act: NewAccountAct, times: Int = 1, by account: AccountID) async throws {
        try await limits.newAccounts.count(act, times: times, by: account, now: now(), in: transaction)
    }

    /// Counts the links that a text adds to another.
    func countLinks(in text: String, insteadOf before: String = "", by account: AccountID) async throws {
        guard limits.newAccounts.contain(account, now: now()) else { return }
        let links = Set(PostText.links(in: text)).subtracting(PostText.links(in: before))
        try await count(.link, times: links.count, by: account)
    }
}

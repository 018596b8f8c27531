// SPDX-License-Identifier: Apache-2.0
// How a letter is written: a row, made in the transaction of its cause.

import Domain
import Postgres

extension Transacting {
    /// Writes to the address that an account has now. It goes once the transaction is committed, also when the account is gone by then.
    ///
    /// Nothing is written to an account without an address, nor more than `LetterKind.most` to one in an hour.
    ///
    /// - Parameter waiting: for how long it stays until it goes, unless somebody has it brought.
    func send(
        _ letter: Letter,
        to account: AccountID,
        at now: Timestamp,
        waiting: Duration = .zero
    ) async throws {
        try await LetterStore.insert(EventID.new(at: now), letter, to: account, at: now, waiting: waiting, in: self)
    }
}

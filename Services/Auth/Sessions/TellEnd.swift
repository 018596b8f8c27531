// SPDX-License-Identifier: Apache-2.0
// The end of sessions, and what others hear of it.

import Events
import Outbox
import Postgres

extension Transaction {
    /// Ends sessions and tells everybody.
    @discardableResult
    func end(_ sessions: SessionStore.Ending) async throws -> [SessionStore.Ended] {
        let ended = try await SessionStore.end(sessions, in: self)
        for session in ended { try tellEnd(of: session) }
        return ended
    }

    /// Tells gateways, which then believe its tokens no longer, and services, which keep nothing for it any more.
    func tellEnd(of session: SessionStore.Ended) throws {
        try record(SessionRevoked(sessionID: session.id, accountID: session.accountID))
        guard let account = session.accountID else { return }
        try record(SessionEnded(sessionID: session.id, accountID: account))
    }
}

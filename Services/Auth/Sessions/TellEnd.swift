// SPDX-License-Identifier: Apache-2.0
// What others hear of sessions that are over.

import Events
import Outbox
import Postgres

extension Transaction {
    /// Tells gateways, which then believe its tokens no longer, and services, which keep nothing for it any more.
    func tellEnd(of session: SessionStore.Ended) throws {
        try record(SessionRevoked(sessionID: session.id, accountID: session.accountID))
        guard let account = session.accountID else { return }
        try record(SessionEnded(sessionID: session.id, accountID: account))
    }
}

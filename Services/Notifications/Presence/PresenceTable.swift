// SPDX-License-Identifier: Apache-2.0
// Who is connected, by the word of each gateway. Pure.

import Domain
import Events

/// Whom each gateway has told to be connected to it.
///
/// It may be wrong for most of a minute, so no entry depends on it: only whether a new one counts as unread at once.
struct PresenceTable {
    /// A gateway that was not heard for this long is gone: it tells everybody it has every 10 seconds.
    static let patience = Duration.seconds(30)

    private struct Gateway {
        var accounts: Set<AccountID> = []
        var version: Int64
        var heard: ContinuousClock.Instant
    }

    private var gateways: [String: Gateway] = [:]

    mutating func take(_ word: PresenceChanged, at now: ContinuousClock.Instant) {
        gateways = gateways.filter { now - $0.value.heard <= PresenceTable.patience }
        var gateway = gateways[word.gatewayID] ?? Gateway(version: .min, heard: now)
        guard word.subjectVersion > gateway.version else { return }
        gateway.version = word.subjectVersion
        gateway.heard = now
        if word.isWhole {
            gateway.accounts = Set(word.connected)
        } else {
            gateway.accounts.formUnion(word.connected)
            gateway.accounts.subtract(word.disconnected)
        }
        gateways[word.gatewayID] = gateway
    }

    /// After a loss of the broker nobody knows what was missed.
    mutating func forget() { gateways = [:] }

    func isConnected(_ account: AccountID, at now: ContinuousClock.Instant) -> Bool {
        gateways.values.contains { now - $0.heard <= PresenceTable.patience && $0.accounts.contains(account) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// A device that is known by the name that its app gives it.

import Domain
import Postgres

/// The `device_token` that an app sends for push, here only a name that others do not know: who signed in with it once
/// has tries of their own, as with a `DeviceToken`. It lets nobody in.
struct KnownDevice: Sendable {
    /// Devices of an account that are remembered.
    static let most = 10

    private let hash: [UInt8]

    /// Nil for a name that is missing, empty or longer than 4,096 bytes.
    init?(_ name: String?) {
        guard let name, (1...4096).contains(name.utf8.count) else { return nil }
        hash = Secret.hash(name)
    }

    /// The mark of the device when the account has signed in from it.
    func mark(of account: AccountID, in database: some Querying) async throws -> String? {
        try await DeviceStore.isKnown(hash, of: account, in: database) ? hash.base64URL : nil
    }

    func remember(of account: AccountID, now: Timestamp, in transaction: Transaction) {
        DeviceStore.remember(hash, of: account, now: now, in: transaction)
        DeviceStore.forget(of: account, keeping: KnownDevice.most, in: transaction)
    }
}

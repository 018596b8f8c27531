// SPDX-License-Identifier: Apache-2.0
// The end of a transaction that wrote documents.

import Postgres

/// Merges what a transaction wrote into the index of keys, once, however many documents were put, removed or weighed in it.
final class KeyMerge: TransactionEnding {
    /// Has a transaction end with it.
    static func end(_ transaction: Transaction) { _ = transaction.ending { KeyMerge() } }

    func statements() -> [SQL] { [DocumentStore.keyMerge] }

    func committed(_ rows: [Rows]) {}

    func undone() {}
}

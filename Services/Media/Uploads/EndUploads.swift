// SPDX-License-Identifier: Apache-2.0
// Uploads go, and what belongs to them.

import Domain
import Postgres

enum EndUploads {
    static func run(_ ids: [MediaID], at now: Timestamp, in transaction: Transaction) {
        UploadStore.delete(ids, in: transaction)
        UseStore.forget(ids, in: transaction)
        FileStore.loosen(filesOf: ids, at: now, in: transaction)
    }
}

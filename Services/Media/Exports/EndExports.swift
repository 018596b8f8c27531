// SPDX-License-Identifier: Apache-2.0
// What goes of archives, and when.

import Domain
import Outbox
import Postgres

enum EndExports {
    static func sweeps(_ dependencies: Dependencies) -> [Sweep] {
        [
            Sweep("exports", every: .seconds(60)) { database in
                let (now, settings) = (dependencies.now(), dependencies.exports)
                let late = try await ExportStore.abandon(before: now - settings.patience, in: database)
                let expired = try await expired(dependencies)
                let forgotten = try await ExportStore.forget(before: now - settings.memory, in: database)
                return late + expired + forgotten
            },
            Sweep("export_parts") { try await ExportPartStore.forgetEnded(in: $0) },
        ]
    }

    /// - Returns: how many.
    static func expired(_ dependencies: Dependencies) async throws -> Int {
        let now = dependencies.now()
        return try await dependencies.database.transaction { transaction in
            let expired = try await ExportStore.expire(at: now, in: transaction)
            if !expired.isEmpty { FileStore.loosen(filesOf: expired.map(\.asUpload), at: now, in: transaction) }
            return expired.count
        }
    }

    /// Ends every archive of an account that is deleted; their files go as all files do of which nothing consists.
    ///
    /// - Returns: how many.
    @discardableResult
    static func erase(
        of account: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Int {
        let gone = try await ExportStore.erase(of: account, in: transaction)
        if !gone.isEmpty { FileStore.loosen(filesOf: gone.map(\.asUpload), at: now, in: transaction) }
        return gone.count
    }
}

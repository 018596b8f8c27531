// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/profile/avatar and /header: a profile without its picture.

import Domain
import Events
import Outbox
import Postgres
import Web

enum DeletePicture {
    @Sendable static func avatar(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await run(.avatar, request, dependencies)
    }

    @Sendable static func header(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await run(.header, request, dependencies)
    }

    private static func run(
        _ picture: ProfilePicture,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let account = try request.requireAccount()
        let credentials = try await Credentials.require(account, dependencies)
        let changed = try await dependencies.database.transaction { transaction in
            let changed = try await PictureStore.remove(picture, of: account.id, in: transaction)
            if let changed { try transaction.record(ProfileUpdated(account: changed.account)) }
            return changed
        }
        return (changed ?? credentials).answer(to: account, dependencies)
    }
}

// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/devices/:id: a device is pushed to no more.

import Domain
import Web

enum RemoveDevice {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let removal = DeviceRemoval.one(try request.id(), within: try DeviceScope(request))
        guard try await DeviceStore.remove(removal, in: dependencies.database) > 0 else { throw Problem.notFound }
        return .empty
    }
}

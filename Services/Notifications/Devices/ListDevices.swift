// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/devices: where somebody is pushed to.

import Domain
import Web

enum ListDevices {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let devices = try await DeviceStore.devices(of: account.id, in: dependencies.database)
        return .json(array: devices.map { DeviceView($0, request, dependencies) })
    }
}

// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/devices: where somebody is pushed to.

import Domain
import Web

enum ListDevices {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let devices = try await DeviceStore.devices(within: DeviceScope(request), in: dependencies.database)
        return .json(array: devices.map { DeviceView($0, request, dependencies) })
    }
}

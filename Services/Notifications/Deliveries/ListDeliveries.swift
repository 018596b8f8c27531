// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/devices/:id/deliveries: what was sent to one's device, and what became of it.

import Domain
import Web

enum ListDeliveries {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let scope = try DeviceScope(request)
        let device = try await DeviceStore.device(request.id(), within: scope, in: dependencies.database).found()
        let deliveries = try await DeliveryStore.page(
            request.parameters().page(default: 40, maximum: 80),
            of: device.id,
            in: dependencies.database
        )
        return Answer.json(array: deliveries).linked(request, site: dependencies.site, deliveries.map(\.id))
    }
}

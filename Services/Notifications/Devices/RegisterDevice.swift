// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/devices: an app says where it is reached, at its first start and whenever that changes.

import Domain
import Postgres
import Web

enum RegisterDevice {
    /// Devices of an account; the one that was heard of longest ago makes room.
    static let most = 20

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let draft = try DeviceDraft(parameters, of: request, topic: dependencies.topic)
        let device = try await register(draft, request, dependencies)
        return .json(DeviceView(device, request, dependencies))
    }

    /// Registers the device of the session that asks. An address belongs to one device: who had it before is not reached by it
    /// any more.
    static func register(
        _ draft: DeviceDraft,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Device {
        let account = try request.requireAccount()
        guard let principal = request.principal else { throw Problem.unauthorized }
        if draft.timeZone != "UTC" {
            guard try await PreferenceStore.knows(zone: draft.timeZone, in: dependencies.database) else {
                throw Problem.invalid("time_zone", "invalid")
            }
        }
        let (id, now) = (try dependencies.ids.next(DeviceID.self), dependencies.now())
        return try await dependencies.database.transaction { transaction in
            DeviceStore.hold(draft.address, in: transaction)
            LockStore.take(claiming: [principal.sessionID.rawValue], in: transaction)
            DeviceStore.displace(draft.address, keeping: principal.sessionID, in: transaction)
            let device = try await DeviceStore.register(
                draft,
                as: id,
                of: account.id,
                principal.sessionID,
                principal.appID,
                at: now,
                in: transaction
            )
            // The session ended a moment ago.
            guard let device else { throw Problem.unauthorized }
            DeviceStore.trim(account.id, keeping: most, in: transaction)
            return device
        }
    }
}

extension DeviceView {
    init(_ device: Device, _ request: Request, _ dependencies: Dependencies) {
        self.init(
            device: device,
            current: request.principal?.sessionID,
            isReached: dependencies.senders[device.address.platform] != nil
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/push/preferences: what somebody wants to be told by push.

import Domain
import Web

enum ShowPushPreferences {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let wishes = try await PreferenceStore.wishes(within: DeviceScope(request), in: dependencies.database)
        return .json(PushPreferences(wishes: wishes))
    }
}

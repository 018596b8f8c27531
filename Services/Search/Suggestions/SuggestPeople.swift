// SPDX-License-Identifier: Apache-2.0
// GET /internal/suggestions: whom somebody might follow.

import Calls
import Web

enum SuggestPeople {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(SuggestedPeople([]))
    }
}

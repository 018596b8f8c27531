// SPDX-License-Identifier: Apache-2.0
// What only apps of our own may ask for.

import Domain
import Web

/// Where somebody is signed in is nothing for an app that was let in: it could end all others and stay.
enum FirstParty {
    static func require(_ request: Request, _ dependencies: Dependencies) async throws {
        guard let app = request.principal?.appID,
            try await AppStore.app(app, in: dependencies.database)?.isFirstParty == true
        else { throw Problem.forbidden }
    }
}

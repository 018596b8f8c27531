// SPDX-License-Identifier: Apache-2.0
// Routes about accounts and profiles.

import Domain
import Web

extension Routes {
    static let accounts: [Route<Dependencies>] = [
        .get("/api/v1/accounts/verify_credentials", .account(nil), VerifyCredentials.run),
        .patch("/api/v1/accounts/update_credentials", .account("write:accounts"), UpdateCredentials.run),
        .get("/api/v1/preferences", .account("read:accounts"), GetPreferences.run),
        .get("/api/v1/accounts", .anyone, GetAccounts.run),
        .get("/api/v1/accounts/lookup", .anyone, LookUpAccount.run),
        .get("/api/v1/accounts/search", .account("read:accounts"), SearchAccounts.run),
        .get("/api/v1/accounts/:id", .anyone, GetAccount.run),
        .get("/internal/statistics", .internal, GetStatistics.run),
    ]
}

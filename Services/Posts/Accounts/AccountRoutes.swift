// SPDX-License-Identifier: Apache-2.0
// Accounts and profiles.

import Surface
import Web

extension Routes {
    static let accounts: [Route<Dependencies>] = Route.all(AccountEndpoint.self, run) + Route.all(PostsCall.self, run)

    private static func run(_ endpoint: AccountEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .verifyCredentials: VerifyCredentials.run
        case .updateCredentials: UpdateCredentials.run
        case .deleteAvatar: DeletePicture.avatar
        case .deleteHeader: DeletePicture.header
        case .getPreferences: GetPreferences.run
        case .getAccounts: AccountsByIDs.run
        case .lookUpAccount: LookUpAccount.run
        case .getAccount: GetAccount.run
        }
    }

    private static func run(_ endpoint: PostsCall) -> Route<Dependencies>.Run {
        switch endpoint {
        case .getStatistics: GetStatistics.run
        case .makeAccount: MakeAccount.run
        case .getFoundAccounts: ShowFoundAccounts.run
        case .getFoundProjects: ShowFoundProjects.run
        case .getFoundRecords: ShowFoundRecords.run
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The link of a letter by which somebody appeals who cannot sign in.

import Domain
import Web

enum AppealLink {
    /// The page of posts.
    static let path = "/appeal"

    /// Nil for another letter, and for a decision that allows no appeal.
    static func token(for letter: Letter, to account: AccountID?, _ dependencies: Dependencies) throws -> String? {
        guard case .decision(_, _, _, let end?, let decision, let kept) = letter else { return nil }
        guard let decision, let account else { return kept }
        return try dependencies.signer.sign(AppealToken(decisionID: decision, accountID: account, expires: end))
    }
}

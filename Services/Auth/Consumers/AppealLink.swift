// SPDX-License-Identifier: Apache-2.0
// The link of a letter by which somebody appeals who cannot sign in.

import Domain
import Events
import Web

enum AppealLink {
    /// The page of posts.
    static let path = "/appeal"

    /// Nil for a decision that allows no appeal.
    static func token(for decision: DecisionMade, _ dependencies: Dependencies) throws -> String? {
        guard let end = decision.appealUntil else { return nil }
        return try dependencies.signer.sign(
            AppealToken(decisionID: decision.decisionID, accountID: decision.accountID, expires: end)
        )
    }
}

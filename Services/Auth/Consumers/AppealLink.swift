// SPDX-License-Identifier: Apache-2.0
// The link of a letter by which somebody appeals who cannot sign in.

import Domain
import Events
import Web

enum AppealLink {
    /// Nil for a decision that allows no appeal.
    static func address(for decision: DecisionMade, _ dependencies: Dependencies) throws -> String? {
        guard let end = decision.appealUntil else { return nil }
        let token = AppealToken(decisionID: decision.decisionID, accountID: decision.accountID, expires: end)
        return "\(dependencies.site.origin)/appeal?token=\(try dependencies.signer.sign(token))"
    }
}

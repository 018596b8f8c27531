// SPDX-License-Identifier: Apache-2.0
// Samples of what services tell once they have erased an account.

import Domain
import Events

extension Samples {
    /// In the order of `Catalogue.erasing`.
    static let erasing: [any Event] = Catalogue.erasing.map { $0.init(accountID: AccountID(110_000_000_000_000_001)) }
}

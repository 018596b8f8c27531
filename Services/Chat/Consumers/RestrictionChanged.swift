// SPDX-License-Identifier: Apache-2.0
// Nobody may see somebody any more, or everybody may again: what that means for those who have them before their eyes.

import Domain
import Events
import Serving

/// Keeps what is in force, and takes somebody out of the lists of open connections or puts them back. They stay members, and what
/// they own stays theirs.
enum RestrictionChanged {
    /// Playgrounds, and as many direct messages, whose people are told.
    private static let most = 500

    static func react(_ event: AccountRestricted, in work: Work) async throws {
        guard let before = try await RestrictedAccounts.keep(event, in: work) else { return }
        let isHidden = event.restrictions.contains(where: \.hides)
        guard before.contains(where: \.hides) != isHidden,
            var account = try await AccountStore.snapshot(event.accountID, in: work)
        else { return }
        account.extras = account.extras ?? ProfileExtras()
        account.extras?.restrictions = event.restrictions
        for shown in try await MemberStore.shown(account.id, most: most, in: work) {
            let role = isHidden ? nil : shown.role
            try work.tell(
                .member(isHidden ? "left" : "joined", Person(account), role, shown.playground, shown.channel),
                in: shown.room
            )
        }
    }
}

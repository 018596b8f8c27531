// SPDX-License-Identifier: Apache-2.0
// Samples of what is told of blocked words and domains.

import Domain
import Events

extension Samples {
    private static let moment = Timestamp(milliseconds: 1_767_323_100_000)

    static func blocks(_ full: Bool) -> [any Event] {
        [
            BlockedTermChanged(
                termID: BlockedTermID(110_000_000_000_000_071),
                text: full ? "나쁜말" : "",
                action: full ? .refuse : nil,
                seesThroughDigits: full,
                changedAt: moment,
                subjectVersion: 5
            ),
            BlockedDomainChanged(
                domainID: BlockedDomainID(110_000_000_000_000_072),
                domain: "bad.example",
                blocksMail: full,
                blocksLinks: full,
                changedAt: moment,
                subjectVersion: 6
            ),
        ]
    }

    static func flags(of account: AccountID) -> [any Event] {
        [
            ThingFlagged(
                thing: Thing(kind: .message, id: "110000000000000023"),
                accountID: account,
                termID: BlockedTermID(110_000_000_000_000_071),
                flaggedAt: moment,
                subjectVersion: 7
            )
        ]
    }
}

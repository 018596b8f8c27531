// SPDX-License-Identifier: Apache-2.0
// What goes at the end of a rebuild because nobody told of it. What has ended keeps its row: nobody can tell that again, and it
// goes by its age.

import Outbox
import Postgres

/// Tables from which goes what nobody told of, in this order.
enum UntoldTable: CaseIterable, Sendable {
    case names, uses, popular, shelved, documents, memberships, places, ties, accounts, wholePairs

    var rows: UntoldRows {
        switch self {
        case .names: UntoldRows(from: "names", kind: "'document'", "names.kind", "id")
        case .uses: UntoldRows(from: "uses", kind: "'document'", "2", "post_id")
        case .popular: UntoldRows(from: "popular", kind: "'popular'", "post_id")
        case .shelved: UntoldRows(from: "shelved_books", where: "shown", kind: "'shelved'", "record_id")
        case .documents: UntoldRows(from: "documents", where: "NOT gone", kind: "'document'", "documents.kind", "id")
        case .memberships:
            UntoldRows(from: "memberships", where: "active", kind: "'membership'", "account_id", "place_id")
        case .places: UntoldRows(from: "places", where: "NOT gone", kind: "'place'", "id")
        // Whose suggestion somebody dismissed is told by nobody.
        case .ties:
            UntoldRows(
                from: "ties",
                where: "active AND ties.kind <> 5",
                kind: "'tie'",
                "ties.kind",
                "account_id",
                "target_id"
            )
        case .accounts: UntoldRows(from: "accounts", kind: "'account'", "id")
        // Nobody tells of these: what was told again since there are programs that part pairs has them parted.
        case .wholePairs:
            UntoldRows(
                from: "whole_pairs",
                where: """
                    whole_pairs.since < (SELECT r.started_at FROM rebuilds r WHERE r.queue = \(Indexing.name))
                    """,
                kind: "'whole pairs'",
                "whole_pairs.kind"
            )
        }
    }
}

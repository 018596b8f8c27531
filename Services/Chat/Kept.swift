// SPDX-License-Identifier: Apache-2.0
// What chat keeps in memory of what it answered, none of which outlives what it shows.

import Serving

/// What was answered lately, of which one look at what changed says whether it holds.
struct Kept: Sendable {
    let answers: KeptAnswers
    let conversations: KeptParts<KeptConversation>
    let messages = KeptMessages()

    init(_ changes: ChangeLog = ChangeLog()) {
        answers = KeptAnswers(changes)
        conversations = KeptParts(changes)
    }
}

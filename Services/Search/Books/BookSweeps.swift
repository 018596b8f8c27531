// SPDX-License-Identifier: Apache-2.0
// What the catalogue of books forgets.

import Domain
import Outbox
import Serving

enum BookSweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        let (settings, now) = (dependencies.books.settings, dependencies.now)
        return [
            BookStore.aged.sweep(after: settings.kept, beyond: settings.books, every: .seconds(60), now: now),
            BookAnswerStore.aged.sweep(after: settings.kept, beyond: settings.answers, every: .seconds(60), now: now),
            Sweep("book_asks") { database in
                try await BookAskStore.forget(before: now() - .seconds(31 * 86_400), in: database)
            },
        ]
    }
}

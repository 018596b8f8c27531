// SPDX-License-Identifier: Apache-2.0
// What the catalogue of books forgets.

import Domain
import Outbox

enum BookSweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        let settings = dependencies.books.settings
        return [
            Sweep("books", every: .seconds(60)) { database in
                let oldest = dependencies.now() - settings.kept
                let old = try await BookStore.forget(before: oldest, in: database)
                return old + (try await BookStore.forget(beyond: settings.books, in: database))
            },
            Sweep("book_answers", every: .seconds(60)) { database in
                let oldest = dependencies.now() - settings.kept
                let old = try await BookAnswerStore.forget(before: oldest, in: database)
                return old + (try await BookAnswerStore.forget(beyond: settings.answers, in: database))
            },
            Sweep("book_asks") { database in
                try await BookAskStore.forget(before: dependencies.now() - .seconds(31 * 86_400), in: database)
            },
        ]
    }
}

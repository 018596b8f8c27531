// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/shelf/records/:id/progress: how far somebody is with a book.

import Domain
import Web

/// Writes down the page or the percent of a day: `day`, or today in the named time zone. What says neither takes the day back.
enum NoteProgress {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let today = try await Today.named(by: parameters, dependencies)
        guard let day = try parameters.day("day") ?? today else { throw Problem.invalid("day", "blank") }
        let entry = try Progress(parameters, on: day, limits: dependencies.limits.library)
        return try await Records.change(request, dependencies, by: RecordDraft(progress: [entry]))
    }
}

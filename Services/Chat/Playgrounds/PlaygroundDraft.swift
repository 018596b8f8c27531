// SPDX-License-Identifier: Apache-2.0
// What somebody wants a playground to be, checked.

import Domain
import Serving
import Web

/// The parts of a playground: nil leaves a part as it is.
struct PlaygroundDraft: Sendable {
    struct Cover: Sendable {
        /// Nil for none.
        let id: MediaID?
    }

    let name: String?
    let description: String?
    let isOpen: Bool?
    let cover: Cover?
}

extension PlaygroundDraft {
    init(_ parameters: Parameters, limits: Limits) throws {
        name = try parameters.line("name", limit: limits.name)
        description = try parameters.prose("description", limit: limits.description)
        isOpen = try parameters.boolean("open")
        cover = parameters.contains("cover_id") ? Cover(id: try parameters.id("cover_id")) : nil
    }

    /// Waits for a cover whose readiness may be told at this moment.
    func awaitCover(_ dependencies: Dependencies) async throws {
        try await MediaNews.wait(
            for: [cover?.id].compactMap(\.self),
            atMost: dependencies.limits.mediaPatience,
            now: dependencies.now,
            in: dependencies.database
        )
    }

    /// Throws unless the cover, if there is one, is this account's to show.
    func checkCover(of account: AccountID, in work: Work) async throws {
        guard let id = cover?.id else { return }
        guard try await PlaygroundStore.mayBeCover(id, of: account, in: work) else {
            throw Problem.invalid("cover_id", "invalid")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Whether anybody is so popular that posts are read instead of fanned out.

import Domain
import Synchronization

/// What this process knows of popular accounts: most sites have none, and their home timelines are read by half of the
/// statement. Whoever is popular stays so.
final class Popularity: Sendable {
    private enum Knowledge {
        case somebodyIs
        case nobodyWas(at: Timestamp)
    }

    private let knowledge = Mutex(Knowledge.nobodyWas(at: Timestamp(milliseconds: 0)))

    /// The first post of the first popular account may be missed for `Limits.popularityPatience`, as a post is that is still being
    /// fanned out.
    func anybodyIsPopular(_ dependencies: Dependencies) async throws -> Bool {
        let now = dependencies.now()
        switch knowledge.withLock({ $0 }) {
        case .somebodyIs: return true
        case .nobodyWas(let moment) where now - moment < dependencies.limits.popularityPatience: return false
        case .nobodyWas: break
        }
        let isAnybody = try await TimelineStore.anybodyIsPopular(in: dependencies.database)
        knowledge.withLock { knowledge in
            if isAnybody {
                knowledge = .somebodyIs
            } else if case .nobodyWas = knowledge {
                knowledge = .nobodyWas(at: now)
            }
        }
        return isAnybody
    }
}

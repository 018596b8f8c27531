// SPDX-License-Identifier: Apache-2.0
// Names and titles while somebody types.

import Postgres
import TextAnalysis

extension PostgresIndex {
    package func complete(_ request: NameRequest) async throws -> [DocumentKey] {
        let typed = NameKeys.typed(request.text)
        guard !typed.isEmpty, !request.kinds.isEmpty else { return [] }
        let limit = max(request.limit, 1)
        let bounded = database.bounded(until: .now + patience)
        var best: [DocumentKey: (score: Double, typed: String)] = [:]
        func add(_ candidates: [NameCandidate], _ score: (NameCandidate) -> Double?) {
            for candidate in candidates {
                guard let base = score(candidate) else { continue }
                let score = base + Ranking.weight(ofPopularity: candidate.popularity)
                if best[candidate.hit].map({ $0.score < score }) ?? true {
                    best[candidate.hit] = (score, candidate.typed)
                }
            }
        }
        func look(for lookup: NameLookup, _ score: (NameCandidate) -> Double?) async throws {
            // A name may begin so in several places; seldom in so many that few names are left of twice as many places.
            for most in [limit * 2, limit * 16] {
                let found = try await NameStore.find(
                    lookup,
                    of: request.kinds,
                    for: request.viewer,
                    most: most,
                    in: bounded
                )
                add(found, score)
                if found.count < most || best.count >= limit { return }
            }
        }
        try await look(for: .typed(typed)) { $0.typed == typed ? 40 : $0.position == 0 ? 30 : 20 }
        if let initials = NameKeys.initials(typed: request.text) {
            try await look(for: .initials(initials)) { $0.position == 0 ? 18 : 12 }
        }
        if best.count < limit, typed.unicodeScalars.count >= NameKeys.slipLength {
            try await look(for: .near(NameKeys.deletions(typed).sorted())) { _ in 5 }
        }
        return best.sorted { ($0.value.score, $1.value.typed, $1.key.id) > ($1.value.score, $0.value.typed, $0.key.id) }
            .prefix(limit).map(\.key)
    }
}

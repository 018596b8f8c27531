// SPDX-License-Identifier: Apache-2.0
// Goes on with what others have where one's own catalogue ends.

import Domain
import Web

/// A part of what was found, here and elsewhere.
struct FoundGifs: Sendable {
    let gifs: [FoundGif]
    /// How many there are, `GifLimits.found` for all that are more.
    let total: Int
}

enum FillGifs {
    /// What one's own catalogue has comes first, whatever others have; behind its end stands what the first of the others has who
    /// answers. Whoever needs no more than the first is not kept waiting for the others.
    static func run(_ own: GifPage, _ part: GifPart, _ search: GifSearch, _ dependencies: Dependencies) async throws
        -> FoundGifs
    {
        let gifs = own.gifs.map(FoundGif.own)
        let start = max(0, part.offset - own.total)
        let missing = start..<start + part.limit - gifs.count
        guard !dependencies.upstreams.providers.isEmpty, own.total < GifLimits.found else {
            return FoundGifs(gifs: gifs, total: own.total)
        }
        guard !missing.isEmpty else {
            return FoundGifs(gifs: gifs, total: own.total + (try await more(search, dependencies)))
        }
        let end = dependencies.upstreams.end
        for provider in dependencies.upstreams.providers {
            guard let others = try await others(missing, search, provider, until: end, dependencies) else { continue }
            return FoundGifs(
                gifs: gifs + others.gifs.map(FoundGif.upstream),
                total: min(own.total + others.total, GifLimits.found)
            )
        }
        return FoundGifs(gifs: gifs, total: own.total)
    }

    /// Some of what the first has who has any; none where nobody answers.
    ///
    /// - Parameter limit: to `GifCall.size`.
    static func first(_ limit: Int, _ search: GifSearch, _ dependencies: Dependencies) async throws -> [UpstreamGif] {
        let end = dependencies.upstreams.end
        for provider in dependencies.upstreams.providers {
            let others = try await others(0..<limit, search, provider, until: end, dependencies)
            if let others, !others.gifs.isEmpty { return others.gifs }
        }
        return []
    }

    /// Nil where they do not answer.
    private static func others(
        _ range: Range<Int>,
        _ search: GifSearch,
        _ provider: GifProvider,
        until end: ContinuousClock.Instant,
        _ dependencies: Dependencies
    ) async throws -> UpstreamGifs? {
        var gifs: [UpstreamGif] = []
        var total: Int?
        for number in range.lowerBound / GifCall.size...(range.upperBound - 1) / GifCall.size {
            let begin = number * GifCall.size
            // Nobody is asked for what is not there.
            guard GifCall.parts.contains(number), provider.has(search.kind), total.map({ begin < $0 }) ?? true else {
                break
            }
            let wanted = range.clamped(to: begin..<begin + GifCall.size)
            let answer = try await dependencies.upstreams.answer(
                .part(search, number: number),
                of: provider,
                wanted.lowerBound - begin..<wanted.upperBound - begin,
                until: end,
                dependencies
            )
            guard let answer else { break }
            gifs += answer.gifs
            // The farther one is, the better they know.
            total = answer.total
        }
        return total.map { UpstreamGifs(gifs: gifs, total: $0) }
    }

    /// How many others have, where nobody is asked: as far as it is known, else one that perhaps is there.
    private static func more(_ search: GifSearch, _ dependencies: Dependencies) async throws -> Int {
        let call = GifCall.part(search, number: 0)
        for provider in dependencies.upstreams.awake(at: dependencies.now()) where provider.has(search.kind) {
            return try await dependencies.upstreams.known(call.hash(provider.name), 0..<0, dependencies)?.total ?? 1
        }
        return 0
    }
}

extension GifProvider {
    func has(_ kind: GifKind) -> Bool { name == .giphy || KlipyAnswers.shelf(of: kind) != nil }
}

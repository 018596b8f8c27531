// SPDX-License-Identifier: Apache-2.0
// GIFs by their ids, ours and those of others.

import Domain
import HTTPTypes
import Web

enum FindGifs {
    /// Those that are there, in the order of the ids. What others do not tell is left out.
    static func run(_ ids: [GifID], _ dependencies: Dependencies) async throws -> [FoundGif] {
        let (own, others) = parted(ids)
        let gifs = own.isEmpty ? [] : try await GifStore.gifs(own, in: dependencies.database)
        var found = Dictionary(gifs.map { (GifID.own($0.id), FoundGif.own($0)) }) { first, _ in first }
        for gif in try await upstream(others, dependencies).gifs { found[.upstream(gif.id)] = .upstream(gif) }
        return ids.compactMap { found[$0] }
    }

    /// One of them; throws a 404 where there is none, and a 503 where nobody knows.
    static func one(_ id: GifID, _ dependencies: Dependencies) async throws -> FoundGif {
        switch id {
        case .own(let id): return .own(try await GifStore.gif(id, in: dependencies.database).found())
        case .upstream(let id): return .upstream(try await upstream(id, dependencies))
        }
    }

    static func upstream(_ id: String, _ dependencies: Dependencies) async throws -> UpstreamGif {
        let (gifs, isWhole) = try await upstream([id], dependencies)
        if let gif = gifs.first { return gif }
        throw isWhole ? Problem.notFound : FindGifs.away
    }

    private static func parted(_ ids: [GifID]) -> (own: [MediaID], others: [String]) {
        var (own, others): ([MediaID], [String]) = ([], [])
        for id in ids {
            switch id {
            case .own(let id): own.append(id)
            case .upstream(let id): others.append(id)
            }
        }
        return (own, others)
    }

    /// Those that are known or that others tell of, and whether everybody answered.
    private static func upstream(_ ids: [String], _ dependencies: Dependencies) async throws
        -> (gifs: [UpstreamGif], isWhole: Bool)
    {
        let (upstreams, database, now) = (dependencies.upstreams, dependencies.database, dependencies.now())
        guard !ids.isEmpty, !upstreams.providers.isEmpty else { return ([], true) }
        let fresh = now - GifCall.gifLifetime
        var gifs = try await GifAnswerStore.gifs(ids, since: fresh, in: database)
        var left = Set(ids).subtracting(gifs.map(\.id))
        let end = upstreams.end
        var isWhole = true
        for provider in upstreams.providers {
            for call in provider.calls(left) {
                let all = 0..<GifCall.most
                let answer = try await upstreams.answer(call, of: provider, all, until: end, dependencies)
                gifs += answer?.gifs ?? []
                if answer == nil { isWhole = false }
            }
        }
        if !isWhole {
            left.subtract(gifs.map(\.id))
            let serving = now - GifCall.serves
            gifs += try await GifAnswerStore.gifs(Array(left), since: serving, in: database)
        }
        return (gifs, isWhole)
    }

    /// It may be there another time.
    private static let away = Problem.own(
        .serviceUnavailable,
        "catalogue-away",
        english: "The catalogue that has this GIF does not answer",
        korean: "이 GIF를 제공하는 곳이 응답하지 않습니다",
        japanese: "このGIFの提供元が応答していません",
        // It says nothing of media.
        headers: [.retryAfter: "30", .hinders: "others"]
    )
}

extension GifProvider {
    /// What is asked for some ids, of which those of others are left out.
    fileprivate func calls(_ ids: Set<String>) -> [GifCall] {
        let own = ids.filter { Name(of: $0) == name }.sorted()
        let shelves: [[String]] =
            switch name {
            case .giphy: [own]
            case .klipy: KlipyAnswers.Shelf.allCases.map { shelf in own.filter { $0.hasPrefix(shelf.prefix) } }
            }
        return shelves.flatMap { shelf in
            stride(from: 0, to: shelf.count, by: GifCall.most).map { start in
                .gifs(Array(shelf[start..<min(start + GifCall.most, shelf.count)]))
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Asks catalogues of others: each thing once, whoever wants it, and nobody who does not answer.

import Domain
import Logging
import Outbound
import Postgres
import ServiceKit

/// Who may be asked. Other processes are kept apart by rows of `gif_answers`.
final class GifUpstreams: Sendable {
    /// In the order in which they are asked.
    let providers: [GifProvider]
    private let upstreams: Upstreams<GifProvider.Name>

    init(
        _ providers: [GifProvider] = [],
        patience: Duration = .seconds(3),
        metrics: Metrics = Metrics(),
        logger: Logger = Logger(label: "media")
    ) {
        self.providers = providers
        upstreams = Upstreams(
            patience: patience,
            telling: .init(
                warning: "a catalogue of GIFs does not answer",
                refusal: "a catalogue of GIFs refuses the key",
                metric: "madang_media_gif_asks_total",
                help: "What was asked of catalogues of GIFs outside, by what came of it.",
                metrics: metrics,
                logger: logger
            )
        )
        for provider in providers {
            metrics.gauge(
                "madang_media_gif_key_refused",
                help: "Whether a catalogue of GIFs refuses the key by which it is asked.",
                labels: [("provider", provider.name.rawValue)]
            ) { [upstreams] in upstreams.refusesKey(provider.name) ? 1 : 0 }
        }
    }

    /// Until when somebody waits who begins now.
    var end: ContinuousClock.Instant { upstreams.end }

    func refusesKey(_ name: GifProvider.Name) -> Bool { upstreams.refusesKey(name) }

    /// Those who may be asked at a moment.
    func awake(at now: Timestamp) -> [GifProvider] { providers.filter { upstreams.isAwake($0.name, at: now) } }

    /// A part of what one of them answers, or answered a day ago at most; nil where there is none.
    ///
    /// - Parameters:
    ///   - range: of GIFs in the answer.
    ///   - end: until when somebody waits for it.
    func answer(
        _ call: GifCall,
        of provider: GifProvider,
        _ range: Range<Int>,
        until end: ContinuousClock.Instant,
        _ dependencies: Dependencies
    ) async throws -> KeptGifs? {
        let question = GifQuestion(call: call, provider: provider, dependencies: dependencies)
        let kept = try await known(question.hash, range, dependencies)
        if let kept, kept.isFresh { return kept }
        guard upstreams.isAwake(provider.name, at: dependencies.now()) else { return kept }
        await upstreams.fly(question, until: end, now: dependencies.now)
        return try await known(question.hash, range, dependencies)
    }

    /// The same of what is known without asking.
    func known(_ hash: [UInt8], _ range: Range<Int>, _ dependencies: Dependencies) async throws -> KeptGifs? {
        let now = dependencies.now()
        return try await GifAnswerStore.answer(
            hash,
            range,
            at: now,
            since: now - GifCall.serves,
            in: dependencies.database
        )
    }
}

/// Something that one of them is asked.
private struct GifQuestion: UpstreamQuestion {
    let call: GifCall
    let provider: GifProvider
    let dependencies: Dependencies

    var name: GifProvider.Name { provider.name }
    var hash: [UInt8] { call.hash(provider.name) }

    func isAnswered() async throws -> Bool {
        try await dependencies.upstreams.known(hash, 0..<0, dependencies)?.isFresh == true
    }

    func claim(at now: Timestamp, until lease: Timestamp) async throws -> Bool {
        try await GifAnswerStore.claim(hash, at: now, until: lease, in: dependencies.database)
    }

    func ask(within time: Duration) async throws {
        guard let request = provider.request(call, time: time, from: dependencies.site.origin) else { return }
        let gifs = try read(try await dependencies.outbound.send(request))
        let now = dependencies.now()
        try await GifAnswerStore.keep(gifs, as: hash, at: now, fresh: now + call.lifetime, in: dependencies.database)
    }

    func release() async throws { try await GifAnswerStore.release(hash, in: dependencies.database) }

    private func read(_ answer: OutboundAnswer) throws -> UpstreamGifs {
        guard !provider.refusesKey(answer, to: call) else { throw NoAnswer.keyRefused }
        if call.nothing.contains(answer.status) { return UpstreamGifs(gifs: [], total: 0) }
        try answer.requireWhole()
        guard let gifs = provider.read(answer, to: call) else { throw NoAnswer.unreadable }
        return gifs
    }
}

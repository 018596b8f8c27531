// SPDX-License-Identifier: Apache-2.0
// Asks catalogues of others: each thing once, whoever wants it, and nobody who does not answer.

import Domain
import Logging
import Outbound
import Postgres
import ServiceKit
import Synchronization

/// Who may be asked, and who is asked for what at the moment. Other processes are kept apart by rows of `gif_answers`.
final class GifUpstreams: Sendable {
    private struct State {
        /// What is asked for, by who is asked for what.
        var flights: [[UInt8]: Task<Void, Never>] = [:]
        var asks = 0
        /// Until when somebody is not asked.
        var rests: [GifProvider.Name: Timestamp] = [:]
        var warned: Timestamp?
    }

    /// How long nobody else asks for what somebody asks for: longer than anybody waits for it.
    private static let lease = Duration.seconds(5)
    /// How long somebody is not asked who did not answer.
    private static let rest = Duration.seconds(30)
    /// Under way at a time in a process.
    private static let most = 8

    /// In the order in which they are asked.
    let providers: [GifProvider]
    /// How long somebody waits in all for what others have.
    private let patience: Duration
    private let metrics: Metrics
    private let logger: Logger
    private let state = Mutex(State())

    init(
        _ providers: [GifProvider] = [],
        patience: Duration = .seconds(3),
        metrics: Metrics = Metrics(),
        logger: Logger = Logger(label: "media")
    ) {
        self.providers = providers
        self.patience = patience
        self.metrics = metrics
        self.logger = logger
    }

    /// Until when somebody waits who begins now.
    var end: ContinuousClock.Instant { .now + patience }

    /// Those who may be asked at a moment.
    func awake(at now: Timestamp) -> [GifProvider] {
        state.withLock { state in providers.filter { state.rests[$0.name].map { $0 <= now } ?? true } }
    }

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
        let hash = call.hash(provider.name)
        let kept = try await known(hash, range, dependencies)
        if let kept, kept.isFresh { return kept }
        guard awake(at: dependencies.now()).contains(where: { $0.name == provider.name }) else { return kept }
        await fly(call, to: provider, hash, until: end, dependencies)
        return try await known(hash, range, dependencies)
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

    // MARK: Asking

    /// Has it asked for, or waits for the one who asks already.
    private func fly(
        _ call: GifCall,
        to provider: GifProvider,
        _ hash: [UInt8],
        until end: ContinuousClock.Instant,
        _ dependencies: Dependencies
    ) async {
        let flight = state.withLock { state in
            if let flight = state.flights[hash] { return flight }
            let flight = Task {
                do {
                    try await self.fetch(call, from: provider, hash, until: end, dependencies)
                } catch {
                    // Whoever waits looks for the answer where it was to be kept, and meets the same.
                }
                self.state.withLock { $0.flights[hash] = nil }
            }
            state.flights[hash] = flight
            return flight
        }
        await flight.value
    }

    /// Returns when the answer is kept, whoever asked for it, or will not come.
    private func fetch(
        _ call: GifCall,
        from provider: GifProvider,
        _ hash: [UInt8],
        until end: ContinuousClock.Instant,
        _ dependencies: Dependencies
    ) async throws {
        while ContinuousClock.now < end {
            let now = dependencies.now()
            guard awake(at: now).contains(where: { $0.name == provider.name }) else { return }
            if try await known(hash, 0..<0, dependencies)?.isFresh == true { return }
            if takeTurn() {
                defer { state.withLock { $0.asks -= 1 } }
                let lease = now + GifUpstreams.lease
                if try await GifAnswerStore.claim(hash, at: now, until: lease, in: dependencies.database) {
                    return try await ask(provider, call, hash, time: end - .now, dependencies)
                }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func takeTurn() -> Bool {
        state.withLock { state in
            guard state.asks < GifUpstreams.most else { return false }
            state.asks += 1
            return true
        }
    }

    private func ask(
        _ provider: GifProvider,
        _ call: GifCall,
        _ hash: [UInt8],
        time: Duration,
        _ dependencies: Dependencies
    ) async throws {
        // Something is left to keep what comes.
        let time = min(time, patience * 5 / 6)
        guard let request = provider.request(call, time: time, from: dependencies.site.origin) else { return }
        do {
            let answer = try await dependencies.outbound.send(request)
            let gifs = try GifUpstreams.read(answer, of: provider, to: call)
            let now = dependencies.now()
            try await GifAnswerStore.keep(
                gifs,
                as: hash,
                at: now,
                fresh: now + call.lifetime,
                in: dependencies.database
            )
            count(provider, "answered")
        } catch let error where error is OutboundFailure || error is NoAnswer {
            rest(provider, because: error, at: dependencies.now())
            try await GifAnswerStore.release(hash, in: dependencies.database)
        }
    }

    /// What came instead of an answer.
    private enum NoAnswer: Error {
        case status(Int)
        case tooLong
        case unreadable
    }

    private static func read(_ answer: OutboundAnswer, of provider: GifProvider, to call: GifCall) throws
        -> UpstreamGifs
    {
        if call.nothing.contains(answer.status) { return UpstreamGifs(gifs: [], total: 0) }
        guard answer.status == 200 else { throw NoAnswer.status(answer.status) }
        guard !answer.isCut else { throw NoAnswer.tooLong }
        guard let gifs = provider.read(answer, to: call) else { throw NoAnswer.unreadable }
        return gifs
    }

    // MARK: What came of it

    /// Leaves somebody alone for a while. What they said stays unsaid: KLIPY repeats a wrong key.
    private func rest(_ provider: GifProvider, because error: any Error, at now: Timestamp) {
        let isNews = state.withLock { state in
            state.rests[provider.name] = now + GifUpstreams.rest
            if let warned = state.warned, warned + .seconds(60) > now { return false }
            state.warned = now
            return true
        }
        count(provider, "failed")
        guard isNews else { return }
        logger.warning(
            "a catalogue of GIFs does not answer",
            metadata: ["provider": "\(provider.name)", "error": "\(error)"]
        )
    }

    private func count(_ provider: GifProvider, _ outcome: String) {
        metrics.count(
            "madang_media_gif_asks_total",
            help: "What was asked of catalogues of GIFs outside, by what came of it.",
            labels: [("provider", provider.name.rawValue), ("outcome", outcome)],
            by: 1
        )
    }
}

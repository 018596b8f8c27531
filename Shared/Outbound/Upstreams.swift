// SPDX-License-Identifier: Apache-2.0
// Asks catalogues of others: each question once at a time, and nobody again and again who does not answer.

public import Domain
public import Logging
public import ServiceKit
internal import Synchronization

/// What one of them is asked, and where the answer is kept for all processes.
public protocol UpstreamQuestion<Name>: Sendable {
    associatedtype Name: Hashable & Sendable

    /// Who is asked.
    var name: Name { get }
    /// SHA-256 of who is asked for what.
    var hash: [UInt8] { get }
    /// Whether an answer is kept that is new.
    func isAnswered() async throws -> Bool
    /// Takes it upon this process to ask; false where another does already, or it is answered.
    func claim(at now: Timestamp, until lease: Timestamp) async throws -> Bool
    /// Asks, and keeps the answer. Throws `OutboundFailure` or `NoAnswer` where none came.
    func ask(within time: Duration) async throws
    /// Lets others ask, after none came.
    func release() async throws
}

/// What came instead of an answer.
public enum NoAnswer: Error, Hashable, Sendable {
    case status(Int)
    case tooLong
    case unreadable
    /// They do not know the key by which they are asked.
    case keyRefused
    /// Nobody was asked: today's budget is used up.
    case spent
}

extension OutboundAnswer {
    /// Throws what it is instead of a whole answer.
    public func requireWhole() throws(NoAnswer) {
        guard status == 200 else { throw .status(status) }
        guard !isCut else { throw .tooLong }
    }
}

/// Asks of this process. Among all processes a question is under way once, by a lease beside the place where its answer is kept.
public final class Upstreams<Name: Hashable & Sendable>: Sendable {
    private struct State {
        /// What is asked for, by who is asked for what.
        var flights: [[UInt8]: Task<Void, Never>] = [:]
        /// How much each is asked at the moment.
        var asks: [Name: Int] = [:]
        /// Until when somebody is not asked.
        var rests: [Name: Timestamp] = [:]
        var warned: Timestamp?
        /// Those who refused the key, and have answered nothing since.
        var refusing: Set<Name> = []
    }

    /// How what came of it is told.
    public struct Telling: Sendable {
        let warning: Logger.Message
        let refusal: Logger.Message
        let metric: String
        let help: String
        let metrics: Metrics
        let logger: Logger

        /// - Parameters:
        ///   - warning: for the log, once a minute at most.
        ///   - refusal: the same, where a key is refused.
        ///   - metric: a counter with the labels `provider` and `outcome` (`answered`, `failed`, `spent`).
        public init(
            warning: Logger.Message,
            refusal: Logger.Message = "a key is refused",
            metric: String,
            help: String,
            metrics: Metrics,
            logger: Logger
        ) {
            self.warning = warning
            self.refusal = refusal
            self.metric = metric
            self.help = help
            self.metrics = metrics
            self.logger = logger
        }
    }

    /// How long nobody else asks for what somebody asks for: longer than anybody waits for it.
    private let lease = Duration.seconds(5)
    /// How long somebody is not asked who did not answer.
    private let rest = Duration.seconds(30)
    /// Under way at a time in a process, with each: one that is slow takes nothing from the others.
    private let most = 8
    private let patience: Duration
    private let telling: Telling
    private let state = Mutex(State())

    /// - Parameter patience: how long somebody waits in all for what others have.
    public init(patience: Duration, telling: Telling) {
        self.patience = patience
        self.telling = telling
    }

    /// Until when somebody waits who begins now.
    public var end: ContinuousClock.Instant { .now + patience }

    /// Whether somebody may be asked at a moment.
    public func isAwake(_ name: Name, at now: Timestamp) -> Bool {
        state.withLock { $0.rests[name].map { $0 <= now } ?? true }
    }

    /// Whether somebody refused the key by which they are asked, and has answered nothing since.
    public func refusesKey(_ name: Name) -> Bool { state.withLock { $0.refusing.contains(name) } }

    /// Has it asked for, or waits for the one who asks already. Returns when the answer is kept, whoever asked for it, or will not
    /// come.
    public func fly(
        _ question: some UpstreamQuestion<Name>,
        until end: ContinuousClock.Instant,
        now: @escaping @Sendable () -> Timestamp
    ) async {
        let hash = question.hash
        let flight = state.withLock { state in
            if let flight = state.flights[hash] { return flight }
            let flight = Task {
                do {
                    try await self.fetch(question, until: end, now: now)
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

    private func fetch(
        _ question: some UpstreamQuestion<Name>,
        until end: ContinuousClock.Instant,
        now: @Sendable () -> Timestamp
    ) async throws {
        while ContinuousClock.now < end {
            let moment = now()
            guard isAwake(question.name, at: moment) else { return }
            if try await question.isAnswered() { return }
            if takeTurn(question.name) {
                defer { state.withLock { $0.asks[question.name, default: 0] -= 1 } }
                if try await question.claim(at: moment, until: moment + lease) {
                    return try await ask(question, time: end - .now, now: now)
                }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func takeTurn(_ name: Name) -> Bool {
        state.withLock { state in
            guard state.asks[name, default: 0] < most else { return false }
            state.asks[name, default: 0] += 1
            return true
        }
    }

    private func ask(
        _ question: some UpstreamQuestion<Name>,
        time: Duration,
        now: @Sendable () -> Timestamp
    ) async throws {
        do {
            // Something is left to keep what comes.
            try await question.ask(within: min(time, patience * 5 / 6))
            state.withLock { $0.refusing.subtract([question.name]) }
            count(question.name, "answered")
        } catch let error where error is OutboundFailure || error is NoAnswer {
            rest(question.name, because: error, at: now())
            try await question.release()
        }
    }

    // MARK: What came of it

    /// Leaves somebody alone for a while. What they said stays unsaid: some repeat a wrong key.
    private func rest(_ name: Name, because error: any Error, at now: Timestamp) {
        let isRefused = error as? NoAnswer == .keyRefused
        let isNews = state.withLock { state in
            state.rests[name] = now + rest
            if isRefused, state.refusing.insert(name).inserted {
                state.warned = now
                return true
            }
            if let warned = state.warned, warned + .seconds(60) > now { return false }
            state.warned = now
            return true
        }
        count(name, error as? NoAnswer == .spent ? "spent" : "failed")
        guard isNews else { return }
        if isRefused {
            telling.logger.error(telling.refusal, metadata: ["provider": "\(name)"])
        } else {
            telling.logger.warning(telling.warning, metadata: ["provider": "\(name)", "error": "\(error)"])
        }
    }

    private func count(_ name: Name, _ outcome: String) {
        telling.metrics.count(
            telling.metric,
            help: telling.help,
            labels: [("provider", "\(name)"), ("outcome", outcome)],
            by: 1
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// What gateways tell each other of the budgets they give from, so that together they give each only once.

import Domain
import Events
import ServiceLifecycle
import Synchronization

/// Tells what this gateway has given, and hears what the others have; no request waits for it.
final class SharedBudgets: Service {
    /// The least time between two messages.
    static let pace = Duration.milliseconds(10)
    /// Counts in one message.
    static let page = 500
    /// Whoever says nothing for this long has ended; each tells who is connected every 10 s at least.
    static let silence: Milliseconds = 30_000
    static let patience: Milliseconds = 1000

    private struct State {
        /// When each of the others was last heard of.
        var heard: [String: Milliseconds] = [:]
        var isLinked = false
        var lastRepeat: Milliseconds = 0
    }

    private let gatewayID: String
    private let limiter: RateLimiter
    private let live: LivePublisher
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    private let version = Atomic<Int64>(0)

    init(gatewayID: String, limiter: RateLimiter, live: LivePublisher, now: @escaping @Sendable () -> Timestamp) {
        self.gatewayID = gatewayID
        self.limiter = limiter
        self.live = live
        self.now = now
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            for await _ in limiter.news {
                tell(limiter.collectNews(of: gatewayID))
                try await Task.sleep(for: SharedBudgets.pace)
            }
        }
        tell(limiter.collectNews(of: gatewayID))
    }

    /// The broker is there, or lost: without it each gateway gives on its own.
    func link(_ linked: Bool) {
        state.withLock { $0.isLinked = linked }
        share()
        if linked { tell(limiter.everything(of: gatewayID, now: now().milliseconds), asks: true) }
    }

    /// Another gateway said something.
    func note(_ gateway: String, at moment: Milliseconds) {
        guard gateway != gatewayID else { return }
        let isNew = state.withLock { $0.heard.updateValue(moment, forKey: gateway) == nil }
        if isNew { share() }
    }

    func hear(_ event: BudgetsSpent, at moment: Milliseconds) {
        note(event.gatewayID, at: moment)
        let now = now().milliseconds
        for spent in event.spent {
            guard let budget = RateBudget(rawValue: spent.budget) else { continue }
            var counts: [UInt64: Int] = [:]
            for count in spent.counts.prefix(SharedBudgets.page) {
                if let key = UInt64(count.key, radix: 16) { counts[key] = count.given }
            }
            let spending = Spending(gatewayID: spent.gatewayID, window: spent.window, counts: counts)
            limiter.hear(budget, spending, gatewayID: gatewayID, now: now)
        }
        guard event.asks == true, event.gatewayID != gatewayID else { return }
        tell(limiter.everything(of: gatewayID, now: now))
    }

    func tick(now: Milliseconds) {
        let (isFewer, repeats) = state.withLock { state in
            let before = state.heard.count
            if state.isLinked { state.heard = state.heard.filter { now - $0.value <= SharedBudgets.silence } }
            let repeats = state.isLinked && !state.heard.isEmpty && now - state.lastRepeat >= SharedBudgets.patience
            if repeats { state.lastRepeat = now }
            return (state.heard.count < before, repeats)
        }
        if isFewer { share() }
        if repeats { limiter.repeatUnheard() }
    }

    private func share() { limiter.share(among: state.withLock { $0.isLinked ? $0.heard.count + 1 : 1 }) }

    private func tell(_ spent: [(RateBudget, Spending)], asks: Bool = false) {
        var page: [BudgetsSpent.Spent] = []
        var count = 0
        var asks = asks
        func send() {
            let version = version.add(1, ordering: .relaxed).newValue
            live.offer(
                BudgetsSpent(gatewayID: gatewayID, spent: page, asks: asks ? true : nil, subjectVersion: version)
            )
            asks = false
            page = []
            count = 0
        }
        for (budget, spending) in spent {
            var rest = spending.counts.map { BudgetsSpent.Count(key: String($0.key, radix: 16), given: $0.value) }[...]
            while !rest.isEmpty {
                let part = rest.prefix(SharedBudgets.page - count)
                rest = rest.dropFirst(part.count)
                count += part.count
                page.append(
                    BudgetsSpent.Spent(
                        gatewayID: spending.gatewayID,
                        budget: budget.rawValue,
                        window: spending.window,
                        counts: Array(part)
                    )
                )
                if count >= SharedBudgets.page { send() }
            }
        }
        if asks || !page.isEmpty { send() }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Counts of one budget, this gateway's own and what it knows of the others'.

/// What is left of a budget.
struct Budget: Equatable, Sendable {
    let limit: Int
    let remaining: Int
    /// When it is whole again, or when more may be had, in Unix milliseconds.
    let reset: Milliseconds
    let isAllowed: Bool
}

/// What a gateway has taken from budgets in one window.
struct Spending: Equatable, Sendable {
    var gatewayID: String
    var window: Int64
    var counts: [UInt64: Int]
}

/// Counts by key within windows that begin at multiples of their length.
///
/// Several gateways give out one budget. Each counts what it gave and tells the others, who hear of it a little later;
/// until then each may give no more than its share of half of what was left when all had heard of everything. So
/// together they stay within the limit, however fast somebody asks, and a request waits for nobody.
struct RateWindow: Sendable {
    private struct Count {
        /// Given here.
        var own = 0
        /// Of that, what has been told to the others.
        var told = 0
        /// Of that, what has come back from the broker, and so to the others.
        var heard = 0
        /// Given by all others, as far as they have told.
        var others = 0
    }

    /// Gateways of which reports are kept, those that ended in this window among them.
    static let gateways = 64
    /// More than any limit.
    static let most = 1_000_000_000

    let limit: Int
    let length: Milliseconds
    /// Keys counted one by one; what comes beyond shares counters, so that memory is bounded and nobody gets in free.
    let capacity: Int
    private var index: Int64 = -1
    private var counts: [UInt64: Count] = [:]
    private var reports: [String: [UInt64: Int]] = [:]
    private var untold: Set<UInt64> = []
    /// Told, and not come back yet.
    private var unheard: Set<UInt64> = []

    init(limit: Int, length: Milliseconds, capacity: Int = 8192) {
        self.limit = limit
        self.length = length
        self.capacity = capacity
    }

    /// What is so little that the others need not know of it.
    private var step: Int { max(1, limit / 100) }

    var hasNews: Bool { !untold.isEmpty }

    /// Takes one from the budget of `key`; with `peek` only looks.
    ///
    /// - Parameter gateways: how many give out this budget, this one among them.
    mutating func take(_ key: UInt64, now: Milliseconds, gateways: Int = 1, peek: Bool = false) -> Budget? {
        guard limit > 0 else { return nil }
        advance(now)
        let key = counted(key)
        var count = counts[key] ?? Count()
        let used = count.own + count.others
        let reset = (index + 1) * length
        guard used < limit else { return Budget(limit: limit, remaining: 0, reset: reset, isAllowed: false) }
        if gateways > 1 {
            let left = limit - count.heard - count.others
            let share = max(1, limit * 3 / (100 * gateways), left / (2 * gateways))
            guard count.own - count.heard < share else {
                // The others hear of it in a moment.
                return Budget(limit: limit, remaining: limit - used, reset: min(reset, now + 1000), isAllowed: false)
            }
        }
        if !peek {
            count.own += 1
            if count.own - count.told >= step { untold.insert(key) }
            counts[key] = count
        }
        return Budget(limit: limit, remaining: limit - used - (peek ? 0 : 1), reset: reset, isAllowed: true)
    }

    // MARK: Among gateways

    /// What was given here since it was last told.
    mutating func news(of gatewayID: String) -> Spending? {
        guard !untold.isEmpty else { return nil }
        var spending = Spending(gatewayID: gatewayID, window: index, counts: [:])
        for key in untold {
            guard let own = counts[key]?.own else { continue }
            counts[key]?.told = own
            spending.counts[key] = own
            unheard.insert(key)
        }
        untold.removeAll()
        return spending
    }

    /// What was lost on the way is told again.
    mutating func repeatUnheard() { untold.formUnion(unheard) }

    /// What is known of everybody, also of gateways that have ended: for one that has just begun.
    mutating func everything(of gatewayID: String, now: Milliseconds) -> [Spending] {
        advance(now)
        var all = reports
        all[gatewayID] = counts.compactMapValues { $0.own > 0 ? $0.own : nil }
        return all.compactMap { gateway, counts in
            let counts = counts.filter { $0.value >= step }
            return counts.isEmpty ? nil : Spending(gatewayID: gateway, window: index, counts: counts)
        }
    }

    /// Notes what a gateway, perhaps this one itself, has given in all; the most that was ever told counts.
    mutating func hear(_ spending: Spending, gatewayID: String, now: Milliseconds) {
        guard limit > 0 else { return }
        advance(now)
        guard spending.window == index else { return }
        let isOwn = spending.gatewayID == gatewayID
        guard isOwn || reports[spending.gatewayID] != nil || reports.count < RateWindow.gateways else { return }
        for (key, total) in spending.counts {
            let key = counted(key)
            let total = min(max(total, 0), RateWindow.most)
            if isOwn {
                guard let count = counts[key] else { continue }
                let heard = max(count.heard, min(total, count.own))
                counts[key]?.heard = heard
                if heard >= count.told { unheard.remove(key) }
            } else {
                let known = reports[spending.gatewayID]?[key] ?? 0
                guard total > known else { continue }
                reports[spending.gatewayID, default: [:]][key] = total
                counts[key, default: Count()].others += total - known
            }
        }
    }

    private func counted(_ key: UInt64) -> UInt64 {
        counts.count < capacity || counts[key] != nil ? key : key % 256
    }

    private mutating func advance(_ now: Milliseconds) {
        let current = now / length
        guard current != index else { return }
        index = current
        counts.removeAll(keepingCapacity: counts.count <= 1024)
        reports.removeAll()
        untold.removeAll()
        unheard.removeAll()
    }
}

// SPDX-License-Identifier: Apache-2.0
// Budgets of requests for each account and each address.

import Domain
import NIOHTTP1
import Surface
import Synchronization

/// How many requests there are; 0 is unlimited.
struct RateLimits: Sendable {
    var account = 0
    var address = 0
    var signUp = 0
    var delete = 0
    var connections = 0
}

/// The kinds of budgets, by the names under which gateways tell each other of them.
enum RateBudget: String, CaseIterable, Sendable {
    case account, poll, address, signUp = "sign_up", delete, connections

    var index: Int {
        switch self {
        case .account: 0
        case .poll: 1
        case .address: 2
        case .signUp: 3
        case .delete: 4
        case .connections: 5
        }
    }

    var length: Milliseconds {
        switch self {
        case .account, .poll, .address, .connections: 300_000
        case .signUp, .delete: 1_800_000
        }
    }

    func limit(_ limits: RateLimits) -> Int {
        switch self {
        case .account: limits.account
        case .poll: limits.account * RateLimiter.pollFactor
        case .address: limits.address
        case .signUp: limits.signUp
        case .delete: limits.delete
        case .connections: limits.connections
        }
    }
}

/// The budgets of this process, shared by all its event loops.
final class RateLimiter: Sendable {
    /// How often an app that polls may ask, in requests of an account: for the list, the messages and the count of ten
    /// rooms each second, and for half as much besides.
    static let pollFactor = 32

    private final class Shard: Sendable {
        /// By budget.
        let windows: Mutex<[RateWindow]>

        init(_ limits: RateLimits) {
            windows = Mutex(RateBudget.allCases.map { RateWindow(limit: $0.limit(limits), length: $0.length) })
        }
    }

    private let shards: [Shard]
    private let isUnlimited: Bool
    private let seed: StableHash
    /// How many gateways give out these budgets, as far as is known.
    private let gateways = Atomic(1)
    /// Rung when there is something to tell to the others.
    let news: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// - Parameter secret: shared by the gateways, so that all know an account or an address by the same number and
    ///   nobody else can find two with the same.
    init(_ limits: RateLimits, secret: String = "", shards count: Int = 16) {
        shards = (0..<max(count, 1)).map { _ in Shard(limits) }
        isUnlimited =
            limits.account == 0 && limits.address == 0 && limits.signUp == 0 && limits.delete == 0
            && limits.connections == 0
        seed = StableHash(secret: secret)
        (news, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes one request from its budgets and answers with the tightest; nil when nothing limits it.
    func take(_ rate: RateClass, account: Int64?, address: ClientAddress, now: Milliseconds) -> Budget? {
        guard !isUnlimited, rate != .free else { return nil }
        let byAddress = key(of: address)
        switch rate {
        case .free: return nil
        case .signUp:
            let own = take(.signUp, byAddress, now)
            if let own, !own.isAllowed { return own }
            return tightest(own, general(account: nil, address: byAddress, now: now))
        case .connection: return take(.connections, byAddress, now)
        case .signIn: return general(account: nil, address: byAddress, now: now)
        case .delete:
            let holder = account.map(key) ?? byAddress
            let own = take(.delete, holder, now)
            if let own, !own.isAllowed { return own }
            return tightest(own, general(account: account, address: byAddress, now: now))
        case .poll:
            guard let account else { return general(account: nil, address: byAddress, now: now) }
            return take(.poll, key(account), now)
        case .read, .write: return general(account: account, address: byAddress, now: now)
        }
    }

    /// Whether an address has used up its budget: then it may not even try tokens.
    func isExhausted(_ address: ClientAddress, now: Milliseconds) -> Budget? {
        guard !isUnlimited else { return nil }
        let budget = take(.address, key(of: address), now, peek: true)
        return budget?.isAllowed == false ? budget : nil
    }

    private func general(account: Int64?, address: UInt64, now: Milliseconds) -> Budget? {
        guard let account else { return take(.address, address, now) }
        return take(.account, key(account), now)
    }

    private func take(_ budget: RateBudget, _ key: UInt64, _ now: Milliseconds, peek: Bool = false) -> Budget? {
        let gateways = gateways.load(ordering: .relaxed)
        let (left, hasNews) = shard(key).windows.withLock { windows in
            let left = windows[budget.index].take(key, now: now, gateways: gateways, peek: peek)
            return (left, windows[budget.index].hasNews)
        }
        if hasNews { ring.yield() }
        return left
    }

    private func tightest(_ left: Budget?, _ right: Budget?) -> Budget? {
        guard let left, let right else { return left ?? right }
        if !right.isAllowed || right.remaining < left.remaining { return right }
        return left
    }

    private func shard(_ key: UInt64) -> Shard { shards[index(key)] }
    private func index(_ key: UInt64) -> Int { Int(key % UInt64(shards.count)) }

    private func key(_ account: Int64) -> UInt64 { seed.hash(1, UInt64(bitPattern: account)) >> 1 }

    private func key(of address: ClientAddress) -> UInt64 {
        let network = address.network.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return seed.hash(2 + UInt64(address.network.count), network) >> 1
    }

    // MARK: Among gateways

    func share(among count: Int) { gateways.store(max(1, count), ordering: .relaxed) }

    var gatewayCount: Int { gateways.load(ordering: .relaxed) }

    /// What all gateways together have given to an account in this window, as far as is known.
    func given(to account: Int64, now: Timestamp) -> Int {
        take(.account, key(account), now.milliseconds, peek: true).map { $0.limit - $0.remaining } ?? 0
    }

    /// What was told and has not come back is told again.
    func repeatUnheard() {
        for shard in shards {
            shard.windows.withLock { windows in
                for index in windows.indices { windows[index].repeatUnheard() }
            }
        }
        ring.yield()
    }

    func collectNews(of gatewayID: String) -> [(RateBudget, Spending)] {
        collect { window in window.news(of: gatewayID).map { [$0] } ?? [] }
    }

    func everything(of gatewayID: String, now: Milliseconds) -> [(RateBudget, Spending)] {
        collect { $0.everything(of: gatewayID, now: now) }
    }

    func hear(_ budget: RateBudget, _ spending: Spending, gatewayID: String, now: Milliseconds) {
        for (shard, counts) in Dictionary(grouping: spending.counts, by: { index($0.key) }) {
            var part = spending
            part.counts = Dictionary(counts.map { ($0.key, $0.value) }, uniquingKeysWith: max)
            shards[shard].windows.withLock { $0[budget.index].hear(part, gatewayID: gatewayID, now: now) }
        }
    }

    private func collect(_ read: (inout RateWindow) -> [Spending]) -> [(RateBudget, Spending)] {
        var all: [(RateBudget, Spending)] = []
        for shard in shards {
            shard.windows.withLock { windows in
                for budget in RateBudget.allCases {
                    for spending in read(&windows[budget.index]) { all.append((budget, spending)) }
                }
            }
        }
        return all
    }
}

// SPDX-License-Identifier: Apache-2.0
// Budgets of requests for each account and each address.

import NIOHTTP1
import Synchronization

/// How many requests there are; 0 is unlimited.
struct RateLimits: Sendable {
    var account: Int
    var address: Int
    var signUp: Int
    var delete: Int
    var connections: Int

    init(account: Int = 0, address: Int = 0, signUp: Int = 0, delete: Int = 0, connections: Int = 0) {
        self.account = account
        self.address = address
        self.signUp = signUp
        self.delete = delete
        self.connections = connections
    }
}

/// What is left of a budget.
struct Budget: Equatable, Sendable {
    let limit: Int
    let remaining: Int
    /// When it is whole again, in Unix milliseconds.
    let reset: Milliseconds
    let isAllowed: Bool
}

/// Counts by key within windows that begin at multiples of their length.
struct RateWindow: Sendable {
    let limit: Int
    let length: Milliseconds
    /// Keys counted one by one; what comes beyond shares counters, so that memory is bounded and nobody gets in free.
    let capacity: Int
    private var index: Int64 = -1
    private var counts: [UInt64: Int] = [:]

    init(limit: Int, length: Milliseconds, capacity: Int = 8192) {
        self.limit = limit
        self.length = length
        self.capacity = capacity
    }

    /// Takes one from the budget of `key`; with `peek` only looks.
    mutating func take(_ key: UInt64, now: Milliseconds, peek: Bool = false) -> Budget? {
        guard limit > 0 else { return nil }
        let current = now / length
        if current != index {
            index = current
            counts.removeAll(keepingCapacity: counts.count <= 1024)
        }
        let counted = counts.count < capacity || counts[key] != nil ? key : key % 256
        let used = counts[counted, default: 0]
        let reset = (current + 1) * length
        guard used < limit else { return Budget(limit: limit, remaining: 0, reset: reset, isAllowed: false) }
        if !peek { counts[counted] = used + 1 }
        return Budget(limit: limit, remaining: limit - used - (peek ? 0 : 1), reset: reset, isAllowed: true)
    }
}

/// The budgets of this process, shared by all its event loops.
final class RateLimiter: Sendable {
    /// How often an app that polls may ask, in requests of an account.
    static let pollFactor = 20

    private struct Windows {
        var account: RateWindow
        var poll: RateWindow
        var address: RateWindow
        var signUp: RateWindow
        var delete: RateWindow
        var connections: RateWindow
    }

    private final class Shard: Sendable {
        let windows: Mutex<Windows>

        init(_ limits: RateLimits) {
            let general: Milliseconds = 300_000
            let long: Milliseconds = 1_800_000
            windows = Mutex(
                Windows(
                    account: RateWindow(limit: limits.account, length: general),
                    poll: RateWindow(limit: limits.account * RateLimiter.pollFactor, length: general),
                    address: RateWindow(limit: limits.address, length: general),
                    signUp: RateWindow(limit: limits.signUp, length: long),
                    delete: RateWindow(limit: limits.delete, length: long),
                    connections: RateWindow(limit: limits.connections, length: general)
                )
            )
        }
    }

    private let shards: [Shard]
    private let isUnlimited: Bool

    init(_ limits: RateLimits, shards count: Int = 16) {
        shards = (0..<max(count, 1)).map { _ in Shard(limits) }
        isUnlimited =
            limits.account == 0 && limits.address == 0 && limits.signUp == 0 && limits.delete == 0
            && limits.connections == 0
    }

    /// Takes one request from its budgets and answers with the tightest; nil when nothing limits it.
    func take(_ rate: RateClass, account: Int64?, address: ClientAddress, now: Milliseconds) -> Budget? {
        guard !isUnlimited, rate != .free else { return nil }
        let byAddress = key(of: address)
        switch rate {
        case .free: return nil
        case .signUp:
            let own = shard(byAddress).windows.withLock { $0.signUp.take(byAddress, now: now) }
            if let own, !own.isAllowed { return own }
            return tightest(own, general(account: nil, address: byAddress, now: now))
        case .connection:
            return shard(byAddress).windows.withLock { $0.connections.take(byAddress, now: now) }
        case .signIn: return general(account: nil, address: byAddress, now: now)
        case .delete:
            let holder = account.map(key) ?? byAddress
            let own = shard(holder).windows.withLock { $0.delete.take(holder, now: now) }
            if let own, !own.isAllowed { return own }
            return tightest(own, general(account: account, address: byAddress, now: now))
        case .poll:
            guard let account else { return general(account: nil, address: byAddress, now: now) }
            let holder = key(account)
            return shard(holder).windows.withLock { $0.poll.take(holder, now: now) }
        case .read, .write: return general(account: account, address: byAddress, now: now)
        }
    }

    /// Whether an address has used up its budget: then it may not even try tokens.
    func isExhausted(_ address: ClientAddress, now: Milliseconds) -> Budget? {
        guard !isUnlimited else { return nil }
        let key = key(of: address)
        let budget = shard(key).windows.withLock { $0.address.take(key, now: now, peek: true) }
        return budget?.isAllowed == false ? budget : nil
    }

    private func general(account: Int64?, address: UInt64, now: Milliseconds) -> Budget? {
        guard let account else { return shard(address).windows.withLock { $0.address.take(address, now: now) } }
        let key = key(account)
        return shard(key).windows.withLock { $0.account.take(key, now: now) }
    }

    private func tightest(_ left: Budget?, _ right: Budget?) -> Budget? {
        guard let left, let right else { return left ?? right }
        if !right.isAllowed || right.remaining < left.remaining { return right }
        return left
    }

    private func shard(_ key: UInt64) -> Shard { shards[Int(key >> 8) % shards.count] }

    private func key(_ account: Int64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(account)
        return UInt64(bitPattern: Int64(hasher.finalize())) >> 1
    }

    private func key(of address: ClientAddress) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(address.network)
        hasher.combine(true)
        return UInt64(bitPattern: Int64(hasher.finalize())) >> 1
    }
}

// SPDX-License-Identifier: Apache-2.0
// How many connections there may be: in all, of an address, of an account.

import Domain
import ServiceKit
import Synchronization

/// How many connections are held at a time; 0 is unlimited.
struct ConnectionLimits: Sendable {
    var total = 0
    var address = 0
    var account = 0
}

/// The connections of this process, counted for all event loops.
///
/// A connection is counted against its peer (a trusted proxy against nobody) and in all. What lives long on it, a stream
/// or a Socket.IO session, is counted once more: against the client's address as the proxy tells it, and against the
/// account as soon as that is known.
final class ConnectionBudget: Sendable {
    enum Refusal: String, Error, Equatable {
        case full, address, account
    }

    /// What a place is for; each kind has its own counts.
    enum Kind: Int, Sendable {
        case connection, stream
        /// Refused, and held only until it has been told so.
        case refused
    }

    enum Admission: Sendable {
        case place(ConnectionPlace)
        /// No room, but it may be told so before it is closed.
        case told(Refusal, ConnectionPlace)
        case closed
    }

    private struct Counts {
        var total = 0
        var addresses: [ArraySlice<UInt8>: Int] = [:]
    }

    private struct State {
        var counts = [Counts(), Counts(), Counts()]
        var accounts: [AccountID: Int] = [:]
    }

    let limits: ConnectionLimits
    private let state = Mutex(State())
    private let refusals: [Refusal: Counter]
    private let sheds: Counter

    init(_ limits: ConnectionLimits, metrics: Metrics) {
        self.limits = limits
        var refusals: [Refusal: Counter] = [:]
        for refusal in [Refusal.full, .address, .account] {
            refusals[refusal] = metrics.counter(
                "madang_gateway_connections_refused_total",
                help: "Connections and streams refused, by what was used up.",
                labels: [("limit", refusal.rawValue)]
            )
        }
        self.refusals = refusals
        sheds = metrics.counter(
            "madang_gateway_connections_shed_total",
            help: "Connections closed to make room for others."
        )
    }

    /// Room for a connection that has just been accepted.
    ///
    /// - Parameter peer: nil for a trusted proxy, who comes with the connections of many.
    func open(_ peer: ClientAddress?) -> Admission {
        switch take(.connection, peer) {
        case .success(let place): return .place(place)
        case .failure(let refusal):
            guard case .success(let place) = take(.refused, nil) else { return .closed }
            return .told(refusal, place)
        }
    }

    /// Room for a stream or a Socket.IO session.
    func stream(from client: ClientAddress) -> Result<ConnectionPlace, Refusal> { take(.stream, client) }

    /// Whether a new connection finds no room.
    var isFull: Bool {
        limits.total > 0 && state.withLock { $0.counts[Kind.connection.rawValue].total } >= limits.total
    }

    func noteShed() { sheds.add() }

    func count(_ kind: Kind) -> Int { state.withLock { $0.counts[kind.rawValue].total } }

    private func take(_ kind: Kind, _ address: ClientAddress?) -> Result<ConnectionPlace, Refusal> {
        let network = address?.network
        // Those that are told so are few beside those that have room.
        let total = kind == .refused ? 16 + limits.total / 20 : limits.total
        let refusal: Refusal? = state.withLock { state in
            if total > 0, state.counts[kind.rawValue].total >= total { return .full }
            if let network, limits.address > 0,
                state.counts[kind.rawValue].addresses[network, default: 0] >= limits.address
            {
                return .address
            }
            state.counts[kind.rawValue].total += 1
            if let network { state.counts[kind.rawValue].addresses[network, default: 0] += 1 }
            return nil
        }
        if let refusal {
            if kind != .refused { refusals[refusal]?.add() }
            return .failure(refusal)
        }
        return .success(ConnectionPlace(self, kind, network))
    }

    fileprivate func claim(_ account: AccountID) -> Bool {
        let isGiven = state.withLock { state in
            let held = state.accounts[account, default: 0]
            guard limits.account == 0 || held < limits.account else { return false }
            state.accounts[account] = held + 1
            return true
        }
        if !isGiven { refusals[.account]?.add() }
        return isGiven
    }

    fileprivate func give(back kind: Kind, _ network: ArraySlice<UInt8>?, _ account: AccountID?) {
        state.withLock { state in
            state.counts[kind.rawValue].total -= 1
            if let network {
                let left = state.counts[kind.rawValue].addresses[network, default: 1] - 1
                state.counts[kind.rawValue].addresses[network] = left > 0 ? left : nil
            }
            if let account {
                let left = state.accounts[account, default: 1] - 1
                state.accounts[account] = left > 0 ? left : nil
            }
        }
    }
}

/// A place that somebody holds. It is given back by `end`, or when nobody holds it any more.
final class ConnectionPlace: Sendable {
    private let budget: ConnectionBudget
    private let kind: ConnectionBudget.Kind
    private let network: ArraySlice<UInt8>?
    private let state = Mutex<(isEnded: Bool, account: AccountID?)>((false, nil))

    fileprivate init(_ budget: ConnectionBudget, _ kind: ConnectionBudget.Kind, _ network: ArraySlice<UInt8>?) {
        self.budget = budget
        self.kind = kind
        self.network = network
    }

    deinit { end() }

    /// Counts the holder against its account, too, from now on; false when that has as many as it may have.
    func claim(_ account: AccountID) -> Bool {
        state.withLock { state in
            guard !state.isEnded, state.account != account else { return !state.isEnded }
            // A connection is somebody's, and stays so.
            guard state.account == nil else { return true }
            guard budget.claim(account) else { return false }
            state.account = account
            return true
        }
    }

    func end() {
        let last: (Bool, AccountID?) = state.withLock { state in
            defer { state.isEnded = true }
            return (!state.isEnded, state.account)
        }
        if last.0 { budget.give(back: kind, network, last.1) }
    }
}

/// Which connections are closed first to make room for others: by kind, then whichever has waited the longest.
struct ShedRank: Comparable, Sendable {
    enum Kind: Int, Sendable {
        /// A socket that nobody has let in yet.
        case unaccepted
        /// Between two requests, or before the first.
        case idle
    }

    let kind: Kind
    let since: Milliseconds

    static func < (left: ShedRank, right: ShedRank) -> Bool {
        (left.kind.rawValue, left.since) < (right.kind.rawValue, right.since)
    }
}

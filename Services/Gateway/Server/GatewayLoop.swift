// SPDX-License-Identifier: Apache-2.0
// Everything that belongs to one event loop, and is touched by no other thread.

import Calls
import Domain
import NIOCore
import ServiceKit
import SocketIO
import Surface
import Web

/// Something with deadlines, asked about them at every tick.
protocol Timed: AnyObject {
    func tick(now: Milliseconds)
    /// The stop has begun: end as soon as nothing is lost by it.
    func quiesce()
    func abort()
    /// Nil while it is not to be closed for others, which is the rule.
    var shedRank: ShedRank? { get }
}

extension Timed {
    var shedRank: ShedRank? { nil }
}

extension WebSocketConnection: Timed {
    var shedRank: ShedRank? { strangerSince.map { ShedRank(kind: .unaccepted, since: $0) } }
}

final class GatewayLoop: WebSocketTimekeeper {
    let eventLoop: any EventLoop
    let dependencies: GatewayDependencies
    let pools: [UpstreamPool]
    let authenticator: Authenticator
    var refreshed = RefreshedTokens()
    let streams: StreamRegistry
    /// How many people and posts there are.
    let statistics: KeptAnswer<PostsCall, Statistics>
    let documents: SiteDocuments
    private(set) lazy var chat = ChatRegistry(loop: self)
    let sample = LoopSample()
    /// Where the work of dialects runs.
    let tasks: LoopTasks
    var hub: EngineHub?
    /// Set before the first client comes.
    var socketIO: EngineServer?
    private(set) var isDraining = false
    /// Until when a gateway that stops waits for another request of a connection.
    private(set) var awaitsRequestsUntil = Milliseconds.max
    /// Octets of answers that clients have not taken yet.
    var heldAnswers = 0
    private var connections: [ObjectIdentifier: any Timed] = [:]
    /// Some that may be closed for others, the last first; looked for once a tick at most.
    private var sheddable: [any Timed] = []
    private var mayLookForSheddable = true
    private var random: RandomBits
    private var ticking: RepeatedTask?
    private var counts: [RequestLabel: Int] = [:]
    private var resetText = (milliseconds: Milliseconds(0), text: "")
    private var dateText = (second: Int64(0), text: "")

    private struct RequestLabel: Hashable {
        let route: Int
        let status: Int
    }

    init(eventLoop: any EventLoop, dependencies: GatewayDependencies) {
        let config = dependencies.config
        self.eventLoop = eventLoop
        self.dependencies = dependencies
        pools = ServiceName.allCases.map { service in
            UpstreamPool(
                service: service,
                address: config.upstream(service),
                limits: config.limits,
                eventLoop: eventLoop
            )
        }
        authenticator = Authenticator(
            tokens: dependencies.tokens,
            pool: pools[ServiceName.auth.index],
            secret: config.internalSecret(.auth)
        )
        streams = StreamRegistry()
        tasks = LoopTasks(eventLoop)
        statistics = KeptAnswer(
            .getStatistics,
            Statistics(),
            pool: pools[ServiceName.posts.index],
            secret: config.internalSecret(.posts)
        )
        documents = SiteDocuments(pool: pools[ServiceName.auth.index], secret: config.internalSecret(.auth))
        random = RandomBits()
    }

    func start() {
        let delay = TimeAmount.milliseconds(dependencies.config.limits.tick)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticking = eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in bound.value.tick() }
    }

    var monotonic: Milliseconds { Milliseconds(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    func pool(_ service: ServiceName) -> UpstreamPool { pools[service.index] }

    func add(_ connection: any Timed) { connections[ObjectIdentifier(connection)] = connection }
    func remove(_ connection: any Timed) { connections[ObjectIdentifier(connection)] = nil }
    func add(_ connection: WebSocketConnection) { add(connection as any Timed) }
    func remove(_ connection: WebSocketConnection) { remove(connection as any Timed) }
    var connectionCount: Int { connections.count }

    /// Closes one connection that nobody needs just now, if there is one.
    func shed() {
        if sheddable.isEmpty, mayLookForSheddable {
            mayLookForSheddable = false
            let ranked = connections.values.compactMap { timed in timed.shedRank.map { (rank: $0, timed: timed) } }
            sheddable = ranked.sorted { $0.rank > $1.rank }.suffix(256).map(\.timed)
        }
        while let timed = sheddable.popLast() {
            guard timed.shedRank != nil, connections[ObjectIdentifier(timed)] != nil else { continue }
            dependencies.connections.noteShed()
            return timed.abort()
        }
    }

    func nextRandom() -> UInt64 { random.next() }

    /// 32 hexadecimal digits: a request's id, and its trace's when it brought none.
    func newRequestID() -> String { hexadecimal(random.next()) + hexadecimal(random.next()) }
    func newSpanID() -> String { hexadecimal(random.next() | 1) }

    func text(ofReset milliseconds: Milliseconds) -> String {
        if resetText.milliseconds != milliseconds {
            resetText = (milliseconds, Timestamp(milliseconds: milliseconds).rfc3339)
        }
        return resetText.text
    }

    /// The moment, as the field `Date` has it; made once a second.
    var date: String {
        let now = dependencies.now()
        if dateText.second != now.seconds || dateText.text.isEmpty { dateText = (now.seconds, now.httpDate) }
        return dateText.text
    }

    func count(route: Int, status: Int) { counts[RequestLabel(route: route, status: status), default: 0] += 1 }

    /// The streams are told first, so that their clients come back elsewhere while others finish.
    func drain() {
        isDraining = true
        awaitsRequestsUntil = monotonic + dependencies.config.limits.idleGrace
        hub?.stop()
        for connection in connections.values { connection.quiesce() }
    }

    func abort() {
        for connection in connections.values { connection.abort() }
        flushCounts()
    }

    func close() {
        ticking?.cancel()
        hub?.cancelTicks()
        for pool in pools { pool.close() }
    }

    private func tick() {
        let now = monotonic
        mayLookForSheddable = true
        sheddable.removeAll()
        for connection in connections.values { connection.tick(now: now) }
        for pool in pools { pool.tick(now: now) }
        chat.tick(now: now)
        dependencies.presence.tick(now: now)
        dependencies.budgets.tick(now: now)
        flushCounts()
        measure()
    }

    private func flushCounts() {
        for (label, count) in counts {
            let routes = dependencies.routes.routes
            let route = routes.indices.contains(label.route) ? routes[label.route].path : "none"
            dependencies.metrics.count(
                "madang_gateway_requests_total",
                help: "Requests answered to clients.",
                labels: [("route", route), ("status", String(label.status))],
                by: count
            )
        }
        counts.removeAll(keepingCapacity: true)
    }
}

/// Numbers for ids of requests: unlike, but no secrets (xoshiro256++ by Blackman and Vigna).
struct RandomBits {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    init() {
        var system = SystemRandomNumberGenerator()
        state = (system.next() | 1, system.next(), system.next(), system.next())
    }

    mutating func next() -> UInt64 {
        let sum = state.0 &+ state.3
        let result = (sum << 23 | sum >> 41) &+ state.0
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }
}

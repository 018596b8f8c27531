// SPDX-License-Identifier: Apache-2.0
// Publishes what the outbox holds, one process at a time.

import Events
import Logging
import Messaging
public import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization
import Threads

/// Publishes the rows of an outbox and deletes them when the broker has them.
///
/// Whoever holds the advisory lock relays. A lost lock may make two relay for a moment: that costs duplicates, no more. What was
/// recorded by the process that relays reaches it in memory; the outbox is read for what others recorded, who notify it, and for
/// what is left of before.
final class Relay: Service, Sendable {
    private enum Happening: Sendable {
        case rung
        case recorded([RecordedRow])
        case deletionDue
        case fetched([OutboxRow], epoch: Int)
        case answered([OutboxRow], [PublishOutcome])
        case written([Int64])
        case failed(any Error)
    }

    /// How long what another process recorded waits if its notification was lost.
    private static let poll = Duration.seconds(5)
    /// How long what the broker has may stay in the outbox, so that one statement deletes more of it: after a crash it is
    /// published once more.
    private static let deletion = (after: Duration.milliseconds(100), of: 100)
    private static let standby = Duration.seconds(1)
    private static let farewell = Duration.seconds(3)
    /// The reply code of AMQP for an exchange that does not exist.
    private static let notFound = 404
    fileprivate static let unneeded = Set(Catalogue.unneeded.map { $0.type })

    private let service: String
    private let store: OutboxStore
    private let publisher: Publisher
    private let metrics: Metrics
    private let logger: Logger
    /// Of what processes that do not relay notify the one that does.
    private let matter: String
    private let isStopping = Atomic(false)
    private let holdsLock = Atomic(false)
    private let backlog = Mutex(OutboxStore.Backlog())

    init(service: String, database: Database, publisher: Publisher, metrics: Metrics, logger: Logger) {
        self.service = service
        self.store = OutboxStore(database: database)
        self.publisher = publisher
        self.metrics = metrics
        self.logger = logger
        matter = Relay.matter(of: service)
    }

    fileprivate static func matter(of service: String) -> String { "outbox/" + service }

    /// Relays until graceful shutdown; then it waits for what is on its way.
    func run() async throws {
        metrics.gauge("madang_outbox_depth", help: "Events recorded and not yet published.") { [self] in
            Double(backlog.withLock { $0.depth })
        }
        metrics.gauge("madang_outbox_age_seconds", help: "Age of the oldest event not yet published.") { [self] in
            backlog.withLock { $0.age }
        }
        metrics.gauge("madang_outbox_unpublished", help: "Events that the broker refused for good.") { [self] in
            Double(backlog.withLock { $0.unpublished })
        }
        metrics.gauge("madang_relay_holder", help: "Whether this process publishes the outbox; one of all copies does.")
        {
            [self] in holdsLock.load(ordering: .relaxed) ? 1 : 0
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.cancelWhenStopping { await self.keepHouse() } }
            group.addTask { await self.cancelWhenStopping { await self.callOthers() } }
            try await withGracefulShutdownHandler {
                try await PreferredExecutor.with(store.database.tasks) { try await relayWheneverPossible() }
            } onGracefulShutdown: {
                self.isStopping.store(true, ordering: .relaxed)
                RelayBell.ringAll()
            }
            group.cancelAll()
        }
    }

    private func relayWheneverPossible() async throws {
        while !isStopping.load(ordering: .relaxed), !Task.isCancelled {
            do {
                let calls = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                let done: Void? = try await store.database.whileHoldingLock(
                    lockKey("outbox/" + service),
                    hearing: matter,
                    { calls.continuation.yield() }
                ) {
                    self.holdsLock.store(true, ordering: .relaxed)
                    defer { self.holdsLock.store(false, ordering: .relaxed) }
                    try await self.relay(calls.stream)
                }
                if done == nil { await pause(Relay.standby) }
            } catch {
                if Task.isCancelled { return }
                logger.warning("relay pauses", metadata: ["error": "\(error)"])
                await pause(.milliseconds(Int.random(in: 250...500)))
            }
        }
    }

    private func pause(_ time: Duration) async {
        await cancelWhenStopping { try? await Task.sleep(for: time) }
    }

    private func cancelWhenStopping(_ body: @escaping @Sendable () async -> Void) async {
        await cancelWhenGracefulShutdown { await body() }
    }

    /// Calls the process that relays whenever something is recorded here and it is not this one. Many records are one call.
    private func callOthers() async {
        let (rings, tell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let bell = RelayBell(
            store.database.identity,
            wake: { tell.yield() },
            hand: { _ in if !self.holdsLock.load(ordering: .relaxed) { tell.yield() } }
        )
        bell.hang()
        defer { bell.takeDown() }
        for await _ in rings {
            bell.silence()
            // A call that is lost is made up for by its looking now and then.
            if !holdsLock.load(ordering: .relaxed) { try? await store.database.notify(matter) }
        }
    }

    /// Relays until stopped, or until the database fails.
    ///
    /// - Parameter calls: of other processes.
    private func relay(_ calls: AsyncStream<Void>) async throws {
        let isPacking = try await store.mayPack()
        let (happenings, tell) = AsyncStream<Happening>.makeStream()
        let bell = RelayBell(
            store.database.identity,
            wake: { tell.yield(.rung) },
            hand: { tell.yield(.recorded($0)) }
        )
        bell.hang()
        defer { bell.takeDown() }
        bell.ring()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: Relay.poll)) != nil { bell.ring() }
            }
            group.addTask {
                for await _ in calls { bell.ring() }
            }
            var state = RelayState()
            var isFetching = false
            var isWriting = false
            var mustFetch = false
            var deletes = false
            var isDeletionDue = false
            var farewell: ContinuousClock.Instant?

            for await happening in happenings {
                switch happening {
                case .rung:
                    bell.silence()
                    mustFetch = true
                case .recorded(let rows):
                    if state.recorded(rows) { mustFetch = true }
                case .deletionDue: isDeletionDue = true
                case .fetched(let rows, let epoch):
                    isFetching = false
                    if state.fetched(rows, epoch: epoch) { mustFetch = true }
                case .answered(let rows, let outcomes):
                    Failpoint.reach("relay.confirmed")
                    state.settled(judge(rows, outcomes))
                case .written(let ids):
                    Failpoint.reach("relay.deleted")
                    isWriting = false
                    state.forget(ids)
                case .failed(let error):
                    group.cancelAll()
                    throw error
                }

                while let batch = state.nextBatch() {
                    Failpoint.reach("relay.selected")
                    group.addTask { [publisher] in
                        do {
                            let messages = batch.map(Message.init)
                            let outcomes =
                                try await isPacking
                                ? publisher.publishPacked(messages) : publisher.publish(messages)
                            tell.yield(.answered(batch, outcomes))
                        } catch {
                            tell.yield(.failed(error))
                        }
                    }
                }
                let isStopping = isStopping.load(ordering: .relaxed)
                let waiting = state.toWrite
                if waiting.confirmed > 0, !deletes {
                    deletes = true
                    group.addTask {
                        try? await Task.sleep(for: Relay.deletion.after)
                        tell.yield(.deletionDue)
                    }
                }
                if !isWriting,
                    isDeletionDue || isStopping || waiting.isOther || waiting.confirmed >= Relay.deletion.of
                {
                    if isDeletionDue { (deletes, isDeletionDue) = (false, false) }
                    let (confirmed, failed, refused) = (state.takeConfirmed(), state.takeFailed(), state.takeRefused())
                    if !confirmed.isEmpty || !failed.isEmpty || !refused.isEmpty {
                        isWriting = true
                        group.addTask { [store] in
                            do {
                                if !failed.isEmpty { try await store.postpone(failed) }
                                if !refused.isEmpty { try await store.setAside(refused) }
                                if !confirmed.isEmpty { try await store.delete(confirmed) }
                                tell.yield(.written(confirmed + failed + refused.map(\.id)))
                            } catch {
                                tell.yield(.failed(error))
                            }
                        }
                    }
                }
                if isStopping {
                    // Without a broker nothing is confirmed; what is on its way stays in the outbox.
                    let patience = farewell ?? ContinuousClock.now + Relay.farewell
                    farewell = patience
                    if state.isIdle && !isWriting || ContinuousClock.now > patience { break }
                } else if mustFetch, !isFetching, state.hasRoom {
                    mustFetch = false
                    isFetching = true
                    let (known, epoch) = (Array(state.known), state.epoch)
                    group.addTask { [store] in
                        do {
                            tell.yield(.fetched(try await store.page(known: known), epoch: epoch))
                        } catch {
                            tell.yield(.failed(error))
                        }
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func judge(
        _ rows: [OutboxRow],
        _ outcomes: [PublishOutcome]
    ) -> [(row: OutboxRow, fate: Fate)] {
        var counts = (confirmed: 0, refused: 0, returned: 0, unpublishable: 0)
        let judged: [(row: OutboxRow, fate: Fate)] = zip(rows, outcomes).map { row, outcome in
            switch outcome {
            case .confirmed:
                counts.confirmed += 1
                return (row, .confirmed)
            case .refused:
                counts.refused += 1
                logger.warning("broker refused an event", metadata: ["event": "\(row.eventID)", "type": "\(row.type)"])
            case .unpublishable(let code, let reason):
                counts.unpublishable += 1
                logger.error(
                    "the broker closes the channel because of an event",
                    metadata: ["event": "\(row.eventID)", "type": "\(row.type)", "reason": "\(reason)"]
                )
                // An exchange that is missing is made when the topology is applied: that is waited for.
                if code != Relay.notFound { return (row, .refused(reason)) }
            case .returned(let reason):
                counts.returned += 1
                logger.error(
                    "no queue takes an event; it stays in the outbox",
                    metadata: ["event": "\(row.eventID)", "type": "\(row.type)", "reason": "\(reason)"]
                )
            }
            return (row, .failed)
        }
        for (outcome, count) in [
            ("confirmed", counts.confirmed), ("refused", counts.refused), ("returned", counts.returned),
            ("unpublishable", counts.unpublishable),
        ] where count > 0 {
            metrics.count(
                "madang_outbox_published_total",
                help: "Events published, by the broker's answer.",
                labels: [("outcome", outcome)],
                by: count
            )
        }
        return judged
    }

    /// Measures the backlog every ten seconds.
    private func keepHouse() async {
        repeat {
            if let measured = try? await store.backlog() { backlog.withLock { $0 = measured } }
        } while (try? await Task.sleep(for: .seconds(10))) != nil
    }
}

extension Database {
    /// Calls the relay of a service from a process that has none and has recorded something. A call that is lost is made up
    /// for by the relay's looking every five seconds.
    public func callRelay(of service: String) async { try? await notify(Relay.matter(of: service)) }
}

extension Message {
    fileprivate init(_ row: OutboxRow) {
        self.init(exchange: row.audience, routingKey: row.type, id: row.eventID, body: row.envelope)
        // Nobody listening to what is live is nothing lost.
        persistent = row.audience != Audience.live.rawValue
        // What somebody should get and nobody does is an alarm; what nobody needs yet is not.
        mandatory = persistent && !Relay.unneeded.contains(row.type)
    }
}

/// FNV-1a of the name, the same in every process.
func lockKey(_ name: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: hash)
}

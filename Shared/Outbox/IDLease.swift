// SPDX-License-Identifier: Apache-2.0
// The slot in which this process makes ids, leased from the table `id_slots`.

public import Domain
public import Logging
public import Postgres
public import ServiceKit
public import ServiceLifecycle
internal import Synchronization

/// Holds one of the 64 slots for ids for this process.
///
/// What makes ids unique is that no millisecond of a slot is lent twice: the table lends them, and `IDGenerator` makes ids in
/// no other. That needs no clock to be right. The lease only keeps processes from taking turns in one slot, and ends by the
/// database's clock: a process that was killed or cut off blocks its slot for `term` and nobody else.
public final class IDLease: Service {
    /// No slot was free.
    public struct NoSlot: Error, CustomStringConvertible {
        public var description: String {
            "no slot for ids is free: \(IDGenerator.slots.count) processes hold one; stop some, or wait \(IDLease.term)"
        }
    }

    /// How long a slot stays with a process that does not renew it, and how far ahead milliseconds are lent.
    private static let term: Duration = .seconds(30)
    private static let ahead: Int64 = 30_000
    /// How often the lease is renewed, asked for or not.
    public static let renewal: Duration = .seconds(10)

    public let ids: IDGenerator
    private let database: Database
    private let logger: Logger
    private let renewal: Duration
    private let holder: String
    private let slot = Mutex<Int?>(nil)
    private let calls: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    public init(
        _ database: Database,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        metrics: Metrics,
        logger: Logger,
        renewal: Duration = IDLease.renewal
    ) {
        self.database = database
        self.logger = logger
        self.renewal = renewal
        holder = EventID.new()
        (calls, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let bell = bell
        ids = IDGenerator(now: now) {
            bell.yield()
            return PostgresError.connectionLost("the lease of the slot for ids has run out", sent: false)
        }
        metrics.gauge("madang_id_slot", help: "The slot in which this process makes ids; -1 is none.") { [weak self] in
            Double(self?.held ?? -1)
        }
    }

    /// The slot that this process holds.
    public var held: Int? { slot.withLock { $0 } }

    /// Takes the free slot whose newest id lies furthest back; throws `NoSlot` when there is none.
    public func acquire() async throws {
        let taken = try await database.query(
            """
            UPDATE id_slots
            SET holder = \(holder), held_until = now() + make_interval(secs => \(Self.term.seconds)),
                lent_until = greatest(lent_until, \(ids.present)) + \(Self.ahead)
            WHERE slot = (
                SELECT slot FROM id_slots
                WHERE held_until < now()
                ORDER BY lent_until, slot DESC
                LIMIT 1
                FOR UPDATE SKIP LOCKED
            )
            RETURNING slot::bigint, lent_until
            """
        ).one { (slot: try $0.next(Int.self), end: try $0.next(Int64.self)) }
        guard let (slot, end) = taken else { throw NoSlot() }
        // Of what was lent before, by whomever, nothing is used again.
        ids.lend(slot: slot, from: end - Self.ahead, until: end)
        self.slot.withLock { $0 = slot }
        logger.info("Took a slot for ids", metadata: ["slot": "\(slot)"])
    }

    /// Keeps the slot until graceful shutdown, takes another when it is lost, and gives it back in the end.
    public func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [bell, renewal] in
                    while (try? await Task.sleep(for: renewal)) != nil { bell.yield() }
                }
                for await _ in calls {
                    do { try await renew() } catch is CancellationError { break } catch {
                        logger.warning("The slot for ids is not renewed", metadata: ["reason": "\(error)"])
                        guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { break }
                    }
                }
                group.cancelAll()
            }
        }
        await release()
    }

    /// Renews the lease, or takes another slot when it went to somebody else meanwhile.
    public func renew() async throws {
        guard let slot = held else { return try await acquire() }
        let end: Int64? = try await database.query(
            """
            UPDATE id_slots
            SET held_until = now() + make_interval(secs => \(Self.term.seconds)),
                lent_until = greatest(lent_until, \(ids.present + Self.ahead))
            WHERE slot = \(slot)::smallint AND holder = \(holder)
            RETURNING lent_until
            """
        ).one { try $0.next() }
        if let end {
            ids.extend(until: end)
        } else {
            _ = ids.giveBack()
            self.slot.withLock { $0 = nil }
            logger.warning("Another process has the slot for ids", metadata: ["slot": "\(slot)"])
            try await acquire()
        }
    }

    /// Gives the slot back, with the milliseconds in which no id was made.
    public func release() async {
        guard
            let slot = self.slot.withLock({ slot in
                defer { slot = nil }
                return slot
            })
        else { return }
        let unused = ids.giveBack()
        _ = try? await database.query(
            """
            UPDATE id_slots SET holder = NULL, held_until = 'epoch', lent_until = least(lent_until, \(unused))
            WHERE slot = \(slot)::smallint AND holder = \(holder)
            """
        )
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) }
}

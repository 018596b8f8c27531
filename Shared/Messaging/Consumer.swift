// SPDX-License-Identifier: Apache-2.0
// Consumes a queue.

import Domain
public import Logging
public import ServiceLifecycle
import Threads

/// Consumes one queue over a connection of its own, which it reopens when it is lost.
public final class Consumer: Service, Sendable {
    public enum Queue: Sendable {
        /// Declared by the broker's definitions.
        case named(String)
        /// Exclusive to this connection, gone with it, bound to `exchange` by each of `keys`. Its name is random behind
        /// `prefix`: the broker lets each user make queues of certain names only. When more than `length` messages wait
        /// in it, the connection is given up as lost, so that `disconnected` tells that some may be missed; nil bounds
        /// nothing.
        case temporary(prefix: String = "gateway.", exchange: String, keys: [String], length: Int? = 50_000)
    }

    private let thread: ConsumerThread
    private let logger: Logger
    private let ready: @Sendable () async throws -> Void
    private let handle: @Sendable ([Delivery]) async throws -> [Settlement]
    private let executor: (any TaskExecutor)?

    /// - Parameters:
    ///   - prefetch: deliveries that may be unsettled at a time; also the largest batch.
    ///   - gathering: for how long the first of a batch waits for others, unless they are `prefetch` before: work that is done for
    ///     all of a batch at once costs less by it, and each event comes that much later.
    ///   - patient: the routing keys of deliveries that wait for others; one with another key ends the waiting for all. Nil when all wait.
    ///   - watched: queues whose ready messages are counted every few seconds, see `readyMessages`.
    ///   - executor: where `handle` runs; in the cooperative pool when nil.
    ///   - connected: called each time consuming begins, before the first delivery; after a loss, what was missed on a
    ///     temporary queue is missed.
    ///   - disconnected: called each time the connection is lost.
    ///   - handle: settles a batch, in which the messages of a pack are as many deliveries; called for one batch at a time, in order.
    ///     When it throws, the batch goes back to the queue and consuming pauses until `ready` returns.
    ///   - ready: waits until what `handle` depends on is there again.
    public init(
        _ configuration: BrokerConfiguration,
        queue: Queue,
        prefetch: Int,
        gathering: Duration = .zero,
        patient: Set<String>? = nil,
        watched: [String] = [],
        executor: (any TaskExecutor)? = nil,
        logger: Logger,
        connected: @escaping @Sendable () -> Void = {},
        disconnected: @escaping @Sendable () -> Void = {},
        ready: @escaping @Sendable () async throws -> Void = {},
        handle: @escaping @Sendable ([Delivery]) async throws -> [Settlement]
    ) {
        thread = ConsumerThread(
            configuration,
            queue: queue,
            prefetch: prefetch,
            gathering: gathering,
            patient: patient,
            watched: watched,
            logger: logger,
            connected: connected,
            disconnected: disconnected
        )
        self.logger = logger
        self.executor = executor
        self.ready = ready
        self.handle = handle
    }

    /// Consumes until graceful shutdown: then it stops taking deliveries, finishes the batch in hand, settles it and returns.
    public func run() async throws {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                async let ended: Void = onThread(named: "consumer") { [thread] in thread.run() }
                await PreferredExecutor.with(executor) { await handleBatches() }
                await ended
            } onGracefulShutdown: { [thread] in
                thread.post(.stop)
            }
        } onCancel: { [thread] in
            thread.post(.stop)
        }
    }

    private func handleBatches() async {
        var backOff = BackOff()
        for await batch in thread.batches {
            do {
                let opened = OpenedDeliveries(batch.deliveries)
                let settlements = try await handle(opened.parts)
                thread.post(.settle(batch.connection, opened.settlements(settlements)))
                backOff.reset()
            } catch {
                logger.warning("consumer pauses", metadata: ["error": "\(error)"])
                thread.post(.pause(batch.connection))
                await untilReady(first: backOff.next())
                thread.post(.resume)
            }
        }
        thread.post(.abandon)
    }

    /// - Parameter first: the first wait; even if all is well at once, a `handle` that always throws must not spin.
    private func untilReady(first: Duration) async {
        await cancelWhenGracefulShutdown { [ready, logger] in
            var backOff = BackOff()
            var wait = first
            while (try? await Task.sleep(for: wait)) != nil {
                do {
                    return try await ready()
                } catch {
                    logger.debug("consumer is not ready", metadata: ["error": "\(error)"])
                }
                wait = backOff.next()
            }
        }
    }

    public var isConnected: Bool { thread.isConnected }
    /// Whether consuming is stopped because a batch could not be handled, until what it depends on is there again.
    public var isPaused: Bool { thread.isWaiting }
    /// Connections that were lost, or could not be made.
    public var lostConnections: Int { thread.lostConnections }

    /// The messages that waited in a watched queue when it was last asked for; nil when that is not known.
    public func readyMessages(in queue: String) -> Int? { thread.readyMessages(in: queue) }
}

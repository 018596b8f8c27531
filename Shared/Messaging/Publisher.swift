// SPDX-License-Identifier: Apache-2.0
// Publishes and waits for the broker's confirms.

public import Logging
public import ServiceLifecycle
import Synchronization
import Threads

/// Thrown to whoever still waits when a publisher is closed.
public struct PublisherClosed: Error, Sendable {}

/// Publishes with confirms over a connection of its own, which it reopens when it is lost.
public final class Publisher: Service, Sendable {
    private let thread: PublisherThread

    /// - Parameter window: messages that may be unconfirmed at a time.
    public init(_ configuration: BrokerConfiguration, window: Int = 500, logger: Logger) {
        thread = PublisherThread(configuration, window: window, logger: logger)
    }

    /// Publishes until graceful shutdown; then it waits at most five seconds for the confirms of what it was given.
    public func run() async throws {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onThread(named: "publisher") { [thread] in thread.run() }
            } onGracefulShutdown: { [thread] in
                thread.post(.stop)
            }
        } onCancel: { [thread] in
            thread.post(.stop)
        }
    }

    /// Waits until the broker has answered for every message, over as many connections as it takes; a message may be
    /// published twice when a connection was lost. Throws only when cancelled or closed.
    public func publish(_ messages: [Message]) async throws -> [PublishOutcome] {
        if messages.isEmpty { return [] }
        let batch = PublisherThread.Batch(messages)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                batch.continuation.withLock { $0 = continuation }
                // A cancellation that came before the continuation was there had nothing to resume.
                if Task.isCancelled { return batch.finish(.failure(CancellationError())) }
                thread.post(.publish(batch))
            }
        } onCancel: {
            batch.finish(.failure(CancellationError()))
        }
    }

    /// The same, with what goes the same way put together: it costs the broker, and whoever takes it, little more than one message. What
    /// the broker says of one holds for all of its pack.
    public func publishPacked(_ messages: [Message]) async throws -> [PublishOutcome] {
        let packs = Pack.packs(of: messages)
        let answers = try await publish(packs.map(\.message))
        var outcomes = [PublishOutcome](repeating: .refused, count: messages.count)
        for (pack, answer) in zip(packs, answers) {
            for place in pack.places { outcomes[place] = answer }
        }
        return outcomes
    }

    public var isConnected: Bool { thread.isConnected }
    /// Connections that were lost, or could not be made.
    public var lostConnections: Int { thread.lostConnections }
    /// Whether the broker has blocked us (`connection.blocked`: it is short of memory or disk).
    public var isBlocked: Bool { thread.isBlocked }
}

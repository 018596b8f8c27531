// SPDX-License-Identifier: Apache-2.0
// What is done in the background as long as a process runs.

public import Logging
import ServiceLifecycle

/// Does something again and again until its task is cancelled. What it throws is logged as a warning and does not end it.
///
/// - Parameters:
///   - pause: before the next time.
///   - bell: ends the pause.
///   - complaint: what is logged of an error.
public func repeatedly(
    every pause: @autoclosure () -> Duration,
    wokenBy bell: Bell? = nil,
    orSaying complaint: Logger.Message,
    _ metadata: Logger.Metadata = [:],
    to logger: Logger,
    _ body: () async throws -> Void
) async {
    while !Task.isCancelled {
        let rings = bell?.rings
        do { try await body() } catch is CancellationError { return } catch {
            logger.warning(complaint, metadata: metadata.merging(["error": "\(error)"]) { $1 })
        }
        if let bell, let rings {
            await bell.wait(after: rings, atMost: pause())
        } else {
            try? await Task.sleep(for: pause())
        }
    }
}

extension Bell? {
    /// How long nobody looks while there is nothing to do: the longer, where somebody rings.
    public var idlePause: Duration { self == nil ? .milliseconds(500) : .seconds(15) }
}

/// Takes what waits, one thing after the other, until the process is asked to stop; what is under way then is done first. What a step
/// throws is logged as a warning and does not end it.
///
/// - Parameters:
///   - pause: how long something waits at most that nobody rang for.
///   - complaint: what is logged of an error.
///   - step: returns whether there was something.
public func takeTurns(
    pausing pause: Duration,
    bell: Bell = Bell(),
    orSaying complaint: Logger.Message,
    to logger: Logger,
    _ step: () async throws -> Bool
) async {
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
        let rings = bell.rings
        do {
            while try await step() { if Task.isShuttingDownGracefully { return } }
        } catch is CancellationError { return } catch {
            logger.warning(complaint, metadata: ["error": "\(error)"])
        }
        await cancelWhenGracefulShutdown { await bell.wait(after: rings, atMost: pause) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Runs tasks on one event loop, so that straight-line code needs no other thread.

import HummingbirdCore
import Logging
public import NIOCore
import Threads

public final class LoopTasks: TaskExecutor {
    private let eventLoop: any EventLoop

    public init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Serves each connection on the event loop that reads and writes it: what a request waits for wakes one thread, not one after
/// the other.
struct LoopChannel: ServerChildChannel {
    let inner: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        inner.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        let tasks = LoopTasks(value.channel.eventLoop)
        await PreferredExecutor.with(tasks) { await inner.handle(value: value, logger: logger) }
    }
}

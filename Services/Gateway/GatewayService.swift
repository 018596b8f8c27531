// SPDX-License-Identifier: Apache-2.0
// The start of the gateway.

import NIOPosix
import ServiceKit

/// The gateway's executable.
package enum GatewayService {
    /// Runs the command that the process's arguments name.
    ///
    /// - Parameter dialects: whose apps are served besides our own.
    package static func main(speaking dialects: [any Dialect]) async -> Int32 { await commands(dialects).main() }

    static func commands(_ dialects: [any Dialect]) -> ServiceCommands<GatewayConfig> {
        ServiceCommands<GatewayConfig>(
            name: "gateway",
            config: { GatewayConfig(&$0) },
            serve: { config, logger, metrics in
                let dependencies = try GatewayDependencies(
                    config: config,
                    dialects: dialects,
                    metrics: metrics,
                    logger: logger
                )
                let loops = MultiThreadedEventLoopGroup(numberOfThreads: config.eventLoops)
                let server = try await GatewayServer(dependencies, group: loops)
                guard let broker = config.broker, let publisher = dependencies.publisher else { return [server] }
                let feed = LiveFeed(server: server, dependencies: dependencies)
                // The server stops first, while revocations still reach it, and what it says last can still be sent.
                return [publisher, dependencies.live, dependencies.budgets] + feed.consumers(broker) + [server]
            }
        )
    }
}

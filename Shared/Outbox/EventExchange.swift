// SPDX-License-Identifier: Apache-2.0
// A service's part in the exchange of events.

public import Logging
public import Messaging
public import Postgres
public import ServiceKit
public import ServiceLifecycle

/// A service's part in the exchange of events: relays its outbox and consumes its queues.
public struct EventExchange: Sendable {
    /// The relay, its publisher, a consumer for each queue, and who tells again and rebuilds, to be run in the service's group.
    public let services: [any Service]
    /// What it consumes.
    public let queues: [EventQueue]
    private let publisher: Publisher

    public init(
        service: String,
        database: Database,
        broker: BrokerConfiguration,
        queues own: [EventQueue],
        tellers: [Teller] = [],
        erasing: [ErasureStep] = [],
        exports: ExportPart? = nil,
        metrics: Metrics,
        logger: Logger
    ) {
        // Who works on what these queues note is woken by them, and otherwise looks seldom.
        let (retold, erased, exported) = (Bell(), Bell(), Bell())
        let queues =
            own + (tellers.isEmpty ? [] : [.retelling(of: service, tellers).ringing(retold)])
            + (erasing.isEmpty ? [] : [.erasing(of: service).ringing(erased)])
            + (exports.map { [.exports(of: service, $0).ringing(exported)] } ?? [])
        var broker = broker
        broker.connectionName = "\(service) outbox"
        let publisher = Publisher(broker, logger: logger)
        let relay = Relay(service: service, database: database, publisher: publisher, metrics: metrics, logger: logger)
        var services: [any Service] = [
            publisher, relay,
            Sweeper(OutboxSweeps.all(), database: database, metrics: metrics, logger: logger),
        ]
        // A service that ends by itself ends the program, and without queues there is nothing to take up.
        if !queues.isEmpty {
            services.append(WaitingEvents(queues, database: database, metrics: metrics, logger: logger))
        }
        if !tellers.isEmpty {
            services.append(
                Retelling(
                    service: service,
                    tellers: tellers,
                    database: database,
                    metrics: metrics,
                    logger: logger,
                    bell: retold
                )
            )
        }
        if let exports {
            services.append(
                Exporting(
                    service: service,
                    part: exports,
                    database: database,
                    metrics: metrics,
                    logger: logger,
                    bell: exported
                )
            )
        }
        let rebuilt = queues.filter { $0.rebuild != nil }
        if !rebuilt.isEmpty {
            services.append(
                RebuildKeeper(service: service, queues: rebuilt, database: database, metrics: metrics, logger: logger)
            )
        }

        if !erasing.isEmpty {
            services.append(
                Eraser(
                    service: service,
                    steps: [.exportTasks] + erasing,
                    database: database,
                    metrics: metrics,
                    logger: logger,
                    bell: erased
                )
            )
        }

        metrics.gauge("madang_broker_connected", help: "Whether the broker is reached.") {
            publisher.isConnected ? 1 : 0
        }
        metrics.gauge("madang_broker_blocked", help: "Whether the broker takes nothing, short of memory or disk.") {
            publisher.isBlocked ? 1 : 0
        }
        func countLosses(of link: String, _ read: @escaping @Sendable () -> Int) {
            metrics.total(
                "madang_broker_losses_total",
                help: "Connections to the broker that were lost, or could not be made.",
                labels: [("link", link)]
            ) { Double(read()) }
        }
        countLosses(of: "outbox") { publisher.lostConnections }
        let deadLetters = "\(service).dead"
        for (index, queue) in queues.enumerated() {
            broker.connectionName = queue.name
            let events = EventConsumer(queue: queue, database: database, metrics: metrics, logger: logger)
            let consumer = Consumer(
                broker,
                queue: .named(queue.name),
                prefetch: queue.prefetch,
                gathering: queue.gathering,
                patient: queue.patient,
                watched: index == 0 ? [queue.name, deadLetters] : [queue.name],
                executor: queue.mayBeLong ? nil : database.tasks,
                logger: logger,
                ready: { _ = try await database.query("SELECT 1") },
                handle: { try await events.handle($0) }
            )
            metrics.gauge(
                "madang_consumer_lag",
                help: "Messages that wait in a queue.",
                labels: [("queue", queue.name)]
            ) { consumer.readyMessages(in: queue.name).map { Double($0) } ?? .nan }
            metrics.gauge(
                "madang_consumer_paused",
                help: "Whether nothing of a queue is taken because what a batch depends on is away.",
                labels: [("queue", queue.name)]
            ) { consumer.isPaused ? 1 : 0 }
            countLosses(of: queue.name) { consumer.lostConnections }
            if index == 0 {
                metrics.gauge("madang_dead_letters", help: "Messages that could not be handled.") {
                    consumer.readyMessages(in: deadLetters).map { Double($0) } ?? .nan
                }
            }
            services.append(consumer)
        }
        self.services = services
        self.queues = queues
        self.publisher = publisher
    }

    /// Whether the broker is reached; a service is ready without it.
    public var isConnected: Bool { publisher.isConnected }
}

// SPDX-License-Identifier: Apache-2.0
// The settings of every service behind the gateway.

public import Domain
public import Messaging
public import Postgres
public import ServiceKit
public import Surface
public import Web

/// Where a service listens and stores, whom it believes and whom it lets in.
public struct ServiceSettings: Sendable {
    public let site: Site
    public let host: String
    public let port: Int
    public let eventLoops: Int
    public let database: DatabaseConfiguration
    /// Nil only where the setting is bad, which stops the start.
    public let broker: BrokerConfiguration?
    /// As the user who may write to any queue: the operator gives it to `dead-letters replay`, and to nothing else.
    public let replay: BrokerConfiguration?
    /// Nil only where the setting is bad, which stops the start.
    public let verifier: PrincipalVerifier?
    /// Opens the service's `/internal` endpoints; empty where it has none.
    public let internalSecret: String

    public init(_ settings: inout Settings, _ name: ServiceName) {
        let service = name.rawValue
        site = settings.site()
        (host, self.port) = settings.address(
            "MADANG_LISTEN",
            default: "127.0.0.1:\(name.port)",
            meaning: "where \(service) listens"
        )
        eventLoops = settings.eventLoops()
        var database = DatabaseConfiguration(
            connection: settings.string(
                "MADANG_POSTGRES",
                secret: true,
                meaning: "the database, as the role of \(service)"
            ),
            schema: service,
            applicationName: service
        )
        // Planning takes longer than running, their plans hang on no value, and every one of them is tested with such a plan.
        database.plansOnce = true
        self.database = database
        broker = settings.parsed(
            "MADANG_AMQP",
            secret: true,
            expected: "amqp://user:password@host:port/vhost",
            meaning: "the broker, as the user of \(service)",
            parse: { BrokerConfiguration(uri: $0, connectionName: service) }
        )
        replay = settings.optional(
            "MADANG_AMQP_REPLAY",
            secret: true,
            meaning: "the broker, as the user replay: for dead-letters replay only"
        ).flatMap { BrokerConfiguration(uri: $0, connectionName: "\(service) replay") }
        verifier = settings.principalVerifier(audience: service)
        internalSecret = name.isAsked ? settings.internalSecret() : ""
    }
}

/// What a service's environment says, checked once at the start.
public protocol ServiceConfig: Sendable {
    var service: ServiceSettings { get }
}

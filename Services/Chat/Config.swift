// SPDX-License-Identifier: Apache-2.0
// Every setting of chat.

import Domain
import Messaging
import Postgres
import ServiceKit
import Web

/// What the environment says, checked once at the start.
struct Config: Sendable {
    let site: Site
    let host: String
    let port: Int
    let database: DatabaseConfiguration
    let broker: BrokerConfiguration?
    let slot: Int
    let verifier: PrincipalVerifier?
    let internalSecret: String

    init(_ settings: inout Settings) {
        let domain = settings.string("MADANG_DOMAIN", meaning: "the public domain, such as localhost:3000")
        let origin = settings.optional("MADANG_ORIGIN", meaning: "the public origin; follows from the domain")
        site = Site(domain: domain, origin: origin ?? Config.origin(of: domain))
        (host, port) = settings.address("MADANG_LISTEN", default: "127.0.0.1:3005", meaning: "where chat listens")
        database = DatabaseConfiguration(
            connection: settings.string("MADANG_POSTGRES", secret: true, meaning: "the database, as the role of chat"),
            schema: "chat",
            applicationName: "chat"
        )
        broker = settings.parsed(
            "MADANG_AMQP",
            secret: true,
            expected: "amqp://user:password@host:port/vhost",
            meaning: "the broker, as the user of chat",
            parse: { BrokerConfiguration(uri: $0, connectionName: "chat") }
        )
        slot = settings.integer("MADANG_SLOT", default: 0, in: 0...63, meaning: "this process's own number, for ids")
        verifier = settings.parsed(
            "MADANG_PRINCIPAL_PUBLIC_KEY",
            expected: "an Ed25519 public key, 32 bytes in Base64",
            meaning: "verifies who is asking",
            parse: { PrincipalVerifier(publicKey: $0) }
        )
        internalSecret = settings.string("MADANG_INTERNAL_SECRET", secret: true, meaning: "opens /internal routes")
    }

    private static func origin(of domain: String) -> String {
        let host = domain.split(separator: ":").first ?? ""
        return (host == "localhost" || host == "127.0.0.1" ? "http://" : "https://") + domain
    }
}

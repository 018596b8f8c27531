// SPDX-License-Identifier: Apache-2.0
// Every setting of auth.

import Domain
import Messaging
import Postgres
import ServiceKit
import Web

/// Whether anyone may sign up.
package enum Registrations: String, CaseIterable, Sendable {
    case open
    case closed
}

/// What the environment says, checked once at the start.
struct Config: Sendable {
    let site: Site
    let host: String
    let port: Int
    let database: DatabaseConfiguration
    let broker: BrokerConfiguration?
    let slot: Int
    let signer: PrincipalSigner?
    let internalSecret: String
    let registrations: Registrations
    let limits: Limits
    let passwordThreads: Int

    init(_ settings: inout Settings) {
        let domain = settings.string("MADANG_DOMAIN", meaning: "the public domain, such as localhost:3000")
        let origin = settings.optional("MADANG_ORIGIN", meaning: "the public origin; follows from the domain")
        site = Site(domain: domain, origin: origin ?? Config.origin(of: domain))
        (host, port) = settings.address("MADANG_LISTEN", default: "127.0.0.1:3001", meaning: "where auth listens")
        database = DatabaseConfiguration(
            connection: settings.string("MADANG_POSTGRES", secret: true, meaning: "the database, as the role of auth"),
            schema: "auth",
            applicationName: "auth"
        )
        broker = settings.parsed(
            "MADANG_AMQP",
            secret: true,
            expected: "amqp://user:password@host:port/vhost",
            meaning: "the broker, as the user of auth",
            parse: { BrokerConfiguration(uri: $0, connectionName: "auth") }
        )
        slot = settings.integer("MADANG_SLOT", default: 0, in: 0...63, meaning: "this process's own number, for ids")
        signer = settings.parsed(
            "MADANG_PRINCIPAL_PRIVATE_KEY",
            secret: true,
            expected: "an Ed25519 private key, 32 bytes in Base64",
            meaning: "signs who is asking",
            parse: { PrincipalSigner(privateKey: $0) }
        )
        internalSecret = settings.string("MADANG_INTERNAL_SECRET", secret: true, meaning: "opens /internal routes")
        registrations = settings.choice("MADANG_REGISTRATIONS", default: .open, meaning: "whether anyone may sign up")
        var limits = Limits()
        limits.signInsPerAccount = settings.integer(
            "MADANG_SIGN_IN_LIMIT_ACCOUNT",
            default: limits.signInsPerAccount,
            in: 0...1_000_000,
            meaning: "failed sign-ins an account per 15 minutes, 0 unlimited"
        )
        limits.signInsPerAddress = settings.integer(
            "MADANG_SIGN_IN_LIMIT_ADDRESS",
            default: limits.signInsPerAddress,
            in: 0...1_000_000,
            meaning: "failed sign-ins an address per 15 minutes, 0 unlimited"
        )
        self.limits = limits
        passwordThreads = settings.integer(
            "MADANG_PASSWORD_THREADS",
            default: 2,
            in: 1...64,
            meaning: "passwords hashed at a time; each takes 19 MiB"
        )
    }

    private static func origin(of domain: String) -> String {
        let host = domain.split(separator: ":").first ?? ""
        return (host == "localhost" || host == "127.0.0.1" ? "http://" : "https://") + domain
    }
}

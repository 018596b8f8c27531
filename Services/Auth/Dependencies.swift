// SPDX-License-Identifier: Apache-2.0
// What every command and query of auth works with.

import Domain
import Logging
import Outbound
import Postgres
import Serving
import Web
import WebPages

/// Plain values, built once at the start and passed down.
struct Dependencies: Sendable {
    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let randomBytes: @Sendable (Int) -> [UInt8]
    let site: Site
    let limits: Limits
    let registrations: Registrations
    let passwords: PasswordHashing
    let signer: PrincipalSigner
    let browserKey: BrowserKey
    let pages: Pages
    let issuers: Issuers
    /// The public key by which services of Web Push know this Madang; nil without one.
    let vapidKey: String?
    let logger: Logger
    /// How letters go out; nil where they do not.
    var mail: MailSettings?
    /// Hands one over, within a time.
    var deliver: @Sendable (MailMessage, Duration) async -> MailOutcome = { _, _ in .later(reason: "no server") }

    /// Whether somebody who signs up must confirm their address.
    var confirmsAddresses: Bool { mail?.confirms ?? false }
    /// What may not be written here.
    var blocks = KeptBlockList()

    /// Bytes from the system's generator, which is fit for secrets.
    @Sendable static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    func secret() -> Secret { Secret(bytes: randomBytes(32)) }
}

/// How much and how long.
struct Limits: Sendable {
    /// Failed sign-ins per `signInWindow`; 0 is unlimited.
    var signInsPerAccount = 10
    var signInsPerAddress = 30
    var signInWindow: Duration = .seconds(15 * 60)
    /// Addresses of mail asked about per `signInWindow` from one place; 0 is unlimited.
    var emailChecks = 10
    /// Letters that one may ask for per `signInWindow` from one place; 0 is unlimited.
    var letters = 10
    /// How long it is known what came of a letter.
    var letterKept: Duration = .seconds(7 * 86_400)
    /// How long somebody's token is believed whose address waits to be confirmed: what it allows changes when it is.
    var unconfirmed: Duration = .seconds(5)
    /// Passwords that may wait to be hashed.
    var passwordQueue = 128
    var code: Duration = .seconds(10 * 60)
    /// Of our own apps.
    var accessToken: Duration = .seconds(15 * 60)
    /// How long a refresh token may lie unused.
    var refreshToken: Duration = .seconds(30 * 86_400)
    /// How long the newest predecessor of a refresh token is taken once more, because the answer may have got lost.
    var refreshGrace: Duration = .seconds(60)
    /// How long a refresh token that does not rotate can be used, from the sign-in on.
    var keptRefreshToken: Duration = .seconds(30 * 86_400)
    var browserSession: Duration = .seconds(30 * 86_400)
    /// How long the token of an app alone may lie unused.
    var appAlone: Duration = .seconds(90 * 86_400)
    /// How long a person's session with somebody else's app may lie unused.
    var unusedSession: Duration = .seconds(400 * 86_400)
    /// How long an app may stay that nobody has ever used, or nobody since.
    var appNeverUsed: Duration = .seconds(7 * 86_400)
    var appUnused: Duration = .seconds(400 * 86_400)
    /// How long it is known what was done to accounts.
    var audit: Duration = .seconds(400 * 86_400)
    /// How stale `last_used_at` may be.
    var lastUse: Duration = .seconds(5 * 60)
    var principal: Duration = .seconds(5 * 60)
    /// How long somebody may stay at an issuer before they come back.
    var issuerVisit: Duration = .seconds(10 * 60)
    /// How long somebody new may take to choose a username, and how long what the issuer told of them is kept.
    var newcomer: Duration = .seconds(3600)
    var newcomerKept: Duration = .seconds(30 * 86_400)
    /// How old a token may be by which somebody proves once more who they are.
    var freshProof: Duration = .seconds(5 * 60)
    /// How long somebody who leaves may come back.
    var deletionGrace: Duration = .seconds(14 * 86_400)
    /// Characters.
    var appName = 60
    var device = 80
    var reason = 1000
    /// Bytes.
    var uri = 2000
    var redirectURIs = 20
}

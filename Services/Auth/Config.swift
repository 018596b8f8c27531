// SPDX-License-Identifier: Apache-2.0
// Every setting of auth.

import ServiceKit
import Serving
import Surface
import Web

/// Whether anyone may sign up.
package enum Registrations: String, CaseIterable, Sendable {
    case open
    case closed
}

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    /// Nil only where the setting is bad, which stops the start.
    let signer: PrincipalSigner?
    let browserKey: String
    let issuers: [Issuer]
    let issuersKey: String
    let registrations: Registrations
    let limits: Limits
    let passwordThreads: Int
    let passwordMemory: Int
    /// The public key by which services of Web Push know this Madang.
    let vapidKey: String?
    /// Nil where no server takes letters.
    let mail: MailSettings?

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .auth)
        signer = settings.parsed(
            "MADANG_PRINCIPAL_PRIVATE_KEY",
            secret: true,
            expected: "an Ed25519 private key, 32 bytes in Base64",
            meaning: "signs who is asking",
            parse: { PrincipalSigner(privateKey: $0) }
        )
        browserKey =
            settings.optional(
                "MADANG_BROWSER_KEY",
                secret: true,
                meaning: "marks forms and devices that have signed in; the internal secret where there is none"
            ) ?? service.internalSecret
        vapidKey = settings.vapidKey()
        mail = MailSettings.read(&settings, site: service.site)
        issuers = IssuerSettings.read(&settings)
        issuersKey =
            settings.optional(
                "MADANG_ISSUERS_KEY",
                secret: true,
                meaning: "closes what issuers gave to be given back; the browser key where there is none"
            ) ?? browserKey
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
        limits.emailChecks = settings.integer(
            "MADANG_EMAIL_CHECK_LIMIT",
            default: limits.emailChecks,
            in: 0...1_000_000,
            meaning: "addresses of mail that one may ask about per 15 minutes, 0 unlimited"
        )
        limits.letters = settings.integer(
            "MADANG_MAIL_LIMIT_ADDRESS",
            default: limits.letters,
            in: 0...1_000_000,
            meaning: "letters that one may ask for per 15 minutes, 0 unlimited"
        )
        let days = settings.integer(
            "MADANG_AUDIT_DAYS",
            default: 400,
            in: 31...36_500,
            meaning: "days for which it is known what was done to accounts"
        )
        limits.audit = .seconds(days * 86_400)
        let graceDays = settings.integer(
            "MADANG_DELETION_DAYS",
            default: 14,
            in: 0...90,
            meaning: "days for which somebody who leaves may come back"
        )
        limits.deletionGrace = .seconds(graceDays * 86_400)
        self.limits = limits
        passwordThreads = settings.integer(
            "MADANG_PASSWORD_THREADS",
            default: 2,
            in: 1...64,
            meaning: "passwords hashed at a time"
        )
        passwordMemory = settings.integer(
            "MADANG_PASSWORD_MEMORY",
            default: Int(PasswordHashing.memory),
            in: 19_456...1_048_576,
            meaning: "KiB that one hash of a password takes"
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// By which providers messages go out, as the operator's keys have it.

import Domain
import Outbound
import ServiceKit
import Web

/// What a provider needs to know of the operator; nil for one that is not used.
struct SenderSettings: Sendable {
    var apple: AppleAccount?
    var firebase: FirebaseAccount?
    var firebaseServer: ServerAddress?
    var identity: ServerIdentity?
    /// Whom endpoints of people may lead to.
    var `guard` = Guard.anybody()
    /// A file of certificates that are believed besides.
    var certificates: String?
}

extension SenderSettings {
    init(_ settings: inout Settings, site: Site) {
        self.init()
        apple = SenderSettings.apple(&settings)
        firebase = SenderSettings.firebase(&settings)
        firebaseServer = SenderSettings.server(
            &settings,
            "MADANG_FCM_URL",
            default: "https://fcm.googleapis.com",
            meaning: "where Firebase Cloud Messaging takes messages, such as an operator's own proxy"
        )
        identity = SenderSettings.identity(&settings, site)
        self.guard = .anybody(
            allowing: settings.parsed(
                "MADANG_OUTBOUND_ALLOW",
                default: "none",
                expected: "addresses with ports, such as 10.1.2.3:443,[fd00::1]:80, or none",
                meaning:
                    "servers beside those of the internet that push services of people may be, such as an intranet's",
                parse: Guard.Endpoint.list
            ) ?? []
        )
        certificates = settings.certificates(
            "MADANG_PUSH_CERTIFICATES",
            meaning: "whose certificates push services may have instead of those in the system's file"
        )
    }

    private static func apple(_ settings: inout Settings) -> AppleAccount? {
        let key = settings.parsed(
            "MADANG_APNS_KEY",
            default: "none",
            secret: true,
            expected: "a private key of P-256 (PEM, the .p8 file of Apple's developer pages), or none",
            meaning: "the key with which Apple takes messages for devices; it turns Apple on",
            parse: { $0 == "none" || TokenSigner.es256(pem: $0) != nil ? $0 : nil }
        )
        let isOn = key != "none"
        let keyID = name(&settings, "MADANG_APNS_KEY_ID", isOn, meaning: "what Apple calls that key")
        let teamID = name(&settings, "MADANG_APNS_TEAM_ID", isOn, meaning: "what Apple calls the developer team")
        let production = server(
            &settings,
            "MADANG_APNS_URL",
            default: "https://api.push.apple.com",
            meaning: "where Apple takes messages for apps of the store"
        )
        let sandbox = server(
            &settings,
            "MADANG_APNS_SANDBOX_URL",
            default: "https://api.sandbox.push.apple.com",
            meaning: "where Apple takes messages for apps that are being developed"
        )
        guard isOn, let key, let keyID, let teamID, let production, let sandbox,
            let signer = TokenSigner.es256(pem: key, keyID: keyID)
        else { return nil }
        return AppleAccount(signer: signer, teamID: teamID, production: production, sandbox: sandbox)
    }

    private static func firebase(_ settings: inout Settings) -> FirebaseAccount? {
        let text = settings.parsed(
            "MADANG_FCM_SERVICE_ACCOUNT",
            default: "none",
            secret: true,
            expected: "the JSON of a service account (the file of Firebase's console), or none",
            meaning: "the account with which Firebase Cloud Messaging takes messages; it turns Firebase on",
            parse: { $0 == "none" || FirebaseAccount($0) != nil ? $0 : nil }
        )
        return text.flatMap(FirebaseAccount.init)
    }

    private static func identity(_ settings: inout Settings, _ site: Site) -> ServerIdentity? {
        let key = settings.parsed(
            "MADANG_VAPID_KEY",
            default: "none",
            secret: true,
            expected: "a private key of P-256 (PEM), or none",
            meaning:
                "the key that browsers' subscriptions are bound to; it turns Web Push on, and another ends them all",
            parse: { $0 == "none" || ServerIdentity(pem: $0, subject: nil) != nil ? $0 : nil }
        )
        let subject = settings.parsed(
            "MADANG_VAPID_SUBJECT",
            default: site.origin.hasPrefix("https://") ? site.origin : "none",
            expected: "an address that begins with mailto: or https:, or none",
            meaning: "where push services of browsers reach the operator",
            parse: { $0 == "none" || $0.hasPrefix("mailto:") || $0.hasPrefix("https:") ? $0 : nil }
        )
        return key.flatMap { ServerIdentity(pem: $0, subject: subject == "none" ? nil : subject) }
    }

    /// A name of ten letters and digits that stands beside the key, and only there.
    private static func name(_ settings: inout Settings, _ name: String, _ isOn: Bool, meaning: String) -> String? {
        settings.parsed(
            name,
            default: "none",
            expected: "ten capital letters and digits beside MADANG_APNS_KEY, or none",
            meaning: meaning,
            parse: { text in
                let isName =
                    text.utf8.count == 10
                    && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
                return (isOn ? isName : text == "none") ? text : nil
            }
        )
    }

    private static func server(
        _ settings: inout Settings,
        _ name: String,
        default: String,
        meaning: String
    ) -> ServerAddress? {
        settings.parsed(
            name,
            default: `default`,
            expected: "https, a host and perhaps a port",
            meaning: meaning,
            parse: { text in ServerAddress(text).flatMap { $0.origin.hasPrefix("https://") ? $0 : nil } }
        )
    }
}

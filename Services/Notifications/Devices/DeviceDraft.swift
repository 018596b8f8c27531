// SPDX-License-Identifier: Apache-2.0
// What a client says of its device.

import Crypto
import Domain
import Web

/// A device as it is to be registered.
struct DeviceDraft: Sendable {
    /// What a token may be long; those of APNs have 64 digits, and Apple asks not to rely on it.
    private static let appleDigits = 64...200
    private static let longestToken = 4096
    private static let longestURL = 2048
    /// Of a bundle id.
    private static let longestTopic = 155

    let address: DeviceAddress
    let language: Language
    let timeZone: String
    let isMutable: Bool
    var alerts: [String]?
    var policy = PushPolicy.all

    /// By our own shape: `platform`, and of it `token`, `topic` and `environment`, or `subscription`.
    ///
    /// - Parameter topic: of apps of Apple's that do not say theirs.
    init(_ parameters: Parameters, of request: Request, topic: String?) throws {
        guard let platform = try parameters.string("platform").flatMap(Platform.init(rawValue:)) else {
            throw Problem.invalid("platform", "inclusion")
        }
        switch platform {
        case .apple: address = try DeviceDraft.apple(parameters, topic: topic)
        case .firebase:
            let token = try parameters.string("token") ?? ""
            guard (1...DeviceDraft.longestToken).contains(token.utf8.count), token.isVisibleASCII else {
                throw Problem.invalid("token", token.isEmpty ? "blank" : "invalid")
            }
            address = DeviceAddress(platform: .firebase, text: token)
        case .web: address = try DeviceDraft.web(parameters, isStandard: true)
        }
        language = try DeviceDraft.language(parameters) ?? request.language
        timeZone = try parameters.timeZone("time_zone") ?? "UTC"
        isMutable = try parameters.boolean("mutable") ?? false
    }

    /// By Mastodon's shape: `subscription` and `data`.
    init(subscription parameters: Parameters, of request: Request) throws {
        // Clients that do not say so are older than the standard.
        address = try DeviceDraft.web(parameters, isStandard: false)
        language = request.language
        timeZone = "UTC"
        isMutable = false
        let wishes = try SubscriptionWishes(parameters)
        (alerts, policy) = (wishes.alerts ?? [], wishes.policy ?? .all)
    }

    private static func apple(_ parameters: Parameters, topic usual: String?) throws -> DeviceAddress {
        let token = (try parameters.string("token") ?? "").lowercased()
        let isHexadecimal = token.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard appleDigits.contains(token.utf8.count), token.utf8.count.isMultiple(of: 2), isHexadecimal else {
            throw Problem.invalid("token", token.isEmpty ? "blank" : "invalid")
        }
        guard let topic = try parameters.string("topic") ?? usual else { throw Problem.invalid("topic", "blank") }
        let isName = topic.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                || byte == 46
        }
        guard (1...longestTopic).contains(topic.utf8.count), isName else { throw Problem.invalid("topic", "invalid") }
        let environment = try parameters.string("environment") ?? "production"
        guard environment == "production" || environment == "sandbox" else {
            throw Problem.invalid("environment", "inclusion")
        }
        return DeviceAddress(platform: .apple, text: token, topic: topic, isSandbox: environment == "sandbox")
    }

    /// - Parameter isStandard: where the client does not say.
    private static func web(_ parameters: Parameters, isStandard: Bool) throws -> DeviceAddress {
        guard let subscription = try parameters.nested("subscription"), let keys = try subscription.nested("keys")
        else {
            throw Problem.invalid("subscription", "blank")
        }
        let endpoint = try subscription.string("endpoint") ?? ""
        let host = endpoint.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        guard endpoint.hasPrefix("https://"), !host.isEmpty, endpoint.utf8.count <= longestURL, endpoint.isVisibleASCII
        else { throw Problem.invalid("subscription[endpoint]", "invalid") }
        // A point of P-256, uncompressed (RFC 8291, section 3.1). Nothing could ever be encrypted for any other.
        guard let key = try keys.bytes("p256dh"), key.count == 65,
            (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil
        else {
            throw Problem.invalid("subscription[keys][p256dh]", "invalid")
        }
        guard let secret = try keys.bytes("auth"), secret.count == 16 else {
            throw Problem.invalid("subscription[keys][auth]", "invalid")
        }
        return DeviceAddress(
            platform: .web,
            text: endpoint,
            publicKey: key,
            secret: secret,
            isStandard: try subscription.boolean("standard") ?? isStandard
        )
    }

    private static func language(_ parameters: Parameters) throws -> Language? {
        guard let text = try parameters.string("language") else { return nil }
        guard let language = Language(rawValue: text.prefix(2).lowercased()) else {
            throw Problem.invalid("language", "inclusion")
        }
        return language
    }
}

/// What a subscription of Mastodon's wants to hear, where it says so.
struct SubscriptionWishes: Sendable {
    /// The types of alerts that Mastodon knows (docs.joinmastodon.org/methods/push).
    static let known = [
        "mention", "quote", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update",
        "quoted_update", "admin.sign_up", "admin.report",
    ]

    let alerts: [String]?
    let policy: PushPolicy?

    init(_ parameters: Parameters) throws {
        let data = try parameters.nested("data")
        // Some clients leave `data` out around it.
        let alerts = try data?.nested("alerts") ?? parameters.nested("alerts")
        self.alerts = try alerts.map { alerts in
            try SubscriptionWishes.known.filter { try alerts.boolean($0) ?? false }
        }
        policy = try (data?.string("policy") ?? parameters.string("policy")).map { text in
            guard let policy = PushPolicy(rawValue: text) else { throw Problem.invalid("data[policy]", "inclusion") }
            return policy
        }
    }
}

extension Parameters {
    /// The name of a time zone, as `Asia/Seoul`. Whether there is such a zone the database knows.
    func timeZone(_ name: String) throws -> String? {
        guard let zone = try string(name) else { return nil }
        let isName = zone.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "/_+-".utf8.contains(byte)
        }
        guard (1...64).contains(zone.utf8.count), isName else { throw Problem.invalid(name, "invalid") }
        return zone
    }

    fileprivate func bytes(_ name: String) throws -> [UInt8]? {
        try string(name).flatMap { Base64.decoded($0) }
    }
}

extension String {
    fileprivate var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

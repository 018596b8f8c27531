// SPDX-License-Identifier: Apache-2.0
// Sends to browsers and to Mastodon's apps by their push services (RFC 8030).

import Crypto
import Domain
import Foundation
import Outbound
import Web

struct WebSender: PushSender {
    private let identity: ServerIdentity
    private let `guard`: Guard
    private let ask: Ask
    private let patience: Duration
    private let now: @Sendable () -> Timestamp

    /// - Parameter guard: whom endpoints may lead to; they come from people.
    init(
        _ identity: ServerIdentity,
        guard: Guard = .anybody(),
        ask: @escaping Ask,
        now: @escaping @Sendable () -> Timestamp,
        patience: Duration = Asking.patience
    ) {
        self.identity = identity
        self.patience = patience
        self.guard = `guard`
        self.ask = ask
        self.now = now
    }

    func send(_ push: Push) async -> PushOutcome {
        guard case .web(let endpoint, let publicKey, let secret, let isStandard) = push.address else {
            return .refused(reason: "NotOfTheWeb")
        }
        // A browser shows whatever comes, so a number alone is not for it.
        guard case .alert(let alert) = push.content, let payload = alert.webPayload else {
            return .refused(reason: "NothingToShow")
        }
        guard let origin = Self.origin(of: endpoint) else { return .deviceGone(reason: "BadEndpoint", since: nil) }
        let left = push.secondsLeft(now())
        guard left > 0 else { return .refused(reason: "Expired") }
        let message: WebEncryption
        do {
            message = try WebEncryption(payload, publicKey: publicKey, secret: secret, isStandard: isStandard)
        } catch WebEncryption.Failure.badKeys {
            return .deviceGone(reason: "BadKeys", since: nil)
        } catch WebEncryption.Failure.tooLarge {
            return .refused(reason: "PayloadTooLarge")
        } catch {
            return .refused(reason: "NotEncrypted")
        }
        var headers: [(name: String, value: String)] = [
            ("ttl", "\(left)"), ("urgency", alert.isUrgent ? "high" : "normal"),
        ]
        if let key = push.collapseKey { headers.append(("topic", Self.topic(key))) }
        return await Asking.outcome(within: patience) { [headers] in
            let token = try await identity.token(for: origin, at: now())
            let request = OutboundRequest(
                .post,
                endpoint,
                headers: headers + proof(token, message, isStandard: isStandard),
                body: message.body,
                limits: Asking.limits,
                guard: self.guard
            )
            do {
                return outcome(try await ask(request))
            } catch OutboundFailure.refused {
                // A name may lead elsewhere tomorrow, but not a message there today.
                return .refused(reason: "AddressRefused")
            } catch OutboundFailure.badRequest {
                return .deviceGone(reason: "BadEndpoint", since: nil)
            }
        }
    }

    /// Scheme, host and port of an address by TLS, the port where it is not 443 (RFC 6454, section 6.2); nil for any other.
    private static func origin(of endpoint: String) -> String? {
        guard endpoint.utf8.count <= 4096, endpoint.lowercased().hasPrefix("https://"),
            let (host, port) = OutboundURL.endpoint(of: endpoint)
        else { return nil }
        return "https://\(host.lowercased())\(port == 443 ? "" : ":\(port)")"
    }

    /// At most 32 letters of Base64 for URLs.
    private static func topic(_ key: String) -> String {
        Base64.encoded(Array(SHA256.hash(data: Data(key.utf8))).prefix(24), url: true)
    }

    /// Who sends it, and how it is encrypted.
    private func proof(
        _ token: String,
        _ message: WebEncryption,
        isStandard: Bool
    ) -> [(name: String, value: String)] {
        guard !isStandard else {
            return [
                ("authorization", "vapid t=\(token), k=\(identity.publicKey)"),
                ("content-type", "application/octet-stream"),
                ("content-encoding", "aes128gcm"),
            ]
        }
        return [
            ("authorization", "WebPush \(token)"),
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aesgcm"),
            ("encryption", "salt=\(message.salt)"),
            // With a comma the two would be two keys.
            ("crypto-key", "dh=\(message.publicKey);p256ecdsa=\(identity.publicKey)"),
        ]
    }

    /// A push service is a stranger's: nothing that it says is taken for a fault of the operator's keys.
    private func outcome(_ answer: OutboundAnswer) -> PushOutcome {
        let reason = "HTTP \(answer.status)"
        return switch answer.status {
        case 200..<300: .accepted(name: answer.header("location").map { String($0.prefix(500)) })
        case 404, 410: .deviceGone(reason: reason, since: nil)
        case 413: .refused(reason: "PayloadTooLarge")
        case 408, 425, 429, 500...: .later(reason: reason, after: answer.retryAfter(now: now()))
        default: .refused(reason: reason)
        }
    }
}

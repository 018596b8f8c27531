// SPDX-License-Identifier: Apache-2.0
// Settings of whoever answers requests of the gateway.

import NIOCore
public import ServiceKit

extension Settings {
    /// Threads that serve connections, each with an event loop.
    public mutating func eventLoops() -> Int {
        let count = integer(
            "MADANG_EVENT_LOOPS",
            default: 0,
            in: 0...1024,
            meaning: "threads that serve connections; 0 for half of the cores, which others share, one at least"
        )
        return count > 0 ? count : max(1, System.coreCount / 2)
    }

    /// What verifies who is asking; nil only where the setting is bad, which stops the start.
    ///
    /// - Parameter audience: the service's own name; statements for another are refused.
    public mutating func principalVerifier(audience: String) -> PrincipalVerifier? {
        parsed(
            "MADANG_PRINCIPAL_PUBLIC_KEY",
            expected: "an Ed25519 public key, 32 bytes in Base64, or several with spaces between",
            meaning: "verifies who is asking; two keys while the key is being changed",
            parse: { PrincipalVerifier(publicKey: $0, audience: audience) }
        )
    }

    /// The public key by which services of Web Push know this Madang (RFC 8292), Base64 for URLs; nil without one.
    public mutating func vapidKey() -> String? {
        let name = "MADANG_VAPID_PUBLIC_KEY"
        let text = parsed(
            name,
            default: "none",
            expected: "a point of P-256, uncompressed, 65 bytes in Base64, or none",
            meaning: "the public part of notifications' key for Web Push, which clients ask for",
            parse: { text in
                if text == "none" { return text }
                guard let bytes = Base64.decoded(text), bytes.count == 65, bytes.first == 4 else { return nil }
                return Base64.encoded(bytes, url: true)
            }
        )
        return text == "none" ? nil : text
    }

    /// What opens `/internal` routes to the gateway, one a line: our secret with it, and the one that takes its place while
    /// gateways with either may be running.
    public mutating func internalSecret() -> String {
        let own = string(
            "MADANG_INTERNAL_SECRET",
            secret: true,
            meaning: "opens /internal routes to the gateway; known to it and this service"
        )
        let next = optional(
            "MADANG_INTERNAL_SECRET_NEXT",
            secret: true,
            meaning: "opens them too: the one that takes its place"
        )
        return [own, next ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

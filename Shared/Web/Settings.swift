// SPDX-License-Identifier: Apache-2.0
// Settings of whoever answers requests of the gateway.

package import ServiceKit

extension Settings {
    /// What verifies who is asking; nil only where the setting is bad, which stops the start.
    package mutating func principalVerifier() -> PrincipalVerifier? {
        parsed(
            "MADANG_PRINCIPAL_PUBLIC_KEY",
            expected: "an Ed25519 public key, 32 bytes in Base64",
            meaning: "verifies who is asking",
            parse: { PrincipalVerifier(publicKey: $0) }
        )
    }

    /// What opens `/internal` routes to another process of ours.
    package mutating func internalSecret() -> String {
        string("MADANG_INTERNAL_SECRET", secret: true, meaning: "opens /internal routes")
    }
}

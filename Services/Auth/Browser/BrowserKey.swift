// SPDX-License-Identifier: Apache-2.0
// The key under which browsers keep what only this place can have made.

import Crypto

/// Marks forms and devices that have signed in.
struct BrowserKey: Sendable {
    private let key: SymmetricKey

    init(_ text: String) { key = SymmetricKey(data: SHA256.hash(data: Array("madang pages\0\(text)".utf8))) }

    /// An authentication code of a text.
    func code(_ text: String) -> String {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)).base64URL
    }
}

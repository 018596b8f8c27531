// SPDX-License-Identifier: Apache-2.0
// What a page lets a browser do.

/// The directives of a page's Content-Security-Policy, without the hash of its style: no script, nothing from elsewhere.
///
/// - Parameter formTarget: where a form on it may lead besides this place.
package func pagePolicy(formTarget: String = "") -> [String] {
    [
        "default-src 'none'", "style-src", "img-src 'self' data:", "form-action 'self'\(formTarget)", "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
}

/// A policy as `pagePolicy` writes it; the style must be named by one hash.
package func directives(_ policy: String?) -> [String] {
    (policy ?? "").split(separator: "; ").map { directive in
        let words = directive.split(separator: " ")
        guard words.first == "style-src", words.count == 2, words[1].hasPrefix("'sha256-") else {
            return String(directive)
        }
        return "style-src"
    }
}

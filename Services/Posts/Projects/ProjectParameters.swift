// SPDX-License-Identifier: Apache-2.0
// What requests about projects name: moments and addresses.

import Domain
import Foundation
import Views
import Web

extension Parameters {
    /// A moment as RFC 3339; empty for none.
    func moment(_ name: String) throws -> Timestamp? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        // A plus sign in a query is a space by the rules of forms.
        let repaired = text.utf8.count > 20 ? text.replacing(" ", with: "+") : text
        guard let moment = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: repaired), moment.milliseconds > 0 else {
            throw Problem.invalid(name, "invalid")
        }
        return moment
    }

    /// An `http` or `https` address in its canonical form; empty for none.
    ///
    /// - Parameter limit: in code points.
    func address(_ name: String, limit: Int) throws -> String? {
        guard let text = try string(name)?.trimmed, !text.isEmpty else { return nil }
        guard text.unicodeScalars.count <= limit else { throw Problem.invalid(name, "too_long") }
        guard let address = LinkURL.canonical(text) else { throw Problem.invalid(name, "invalid") }
        return address
    }
}

extension String {
    /// The same for names that read the same: without differences of case and width.
    var folded: String {
        visibleLine.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCanonicalMapping
    }
}

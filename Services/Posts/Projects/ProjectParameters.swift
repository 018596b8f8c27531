// SPDX-License-Identifier: Apache-2.0
// What requests about projects name: lines, texts, days, moments and addresses.

import Domain
import Foundation
import Views
import Web

extension Parameters {
    /// A line of text: composed, without what nobody sees. Empty counts as none, of which `none` tells.
    ///
    /// - Parameter limit: in characters; 4 scalars and 8 bytes of each on average.
    func line(_ name: String, limit: Int) throws -> String? { try cleaned(name, limit: limit)?.visibleLine }

    /// A text of any number of lines, perhaps empty.
    ///
    /// - Parameter limit: as of a line.
    func prose(_ name: String, limit: Int) throws -> String? { try cleaned(name, limit: limit)?.trimmed }

    /// A day, `YYYY-MM-DD`; empty for none.
    func day(_ name: String) throws -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        // No project begins before there was a network, and databases know no year 0.
        guard text.utf8.count == 10, text >= "1970", Timestamp(rfc3339: "\(text)T00:00:00Z") != nil else {
            throw Problem.invalid(name, "invalid")
        }
        return text
    }

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

    private func cleaned(_ name: String, limit: Int) throws -> String? {
        guard let text = try string(name) else { return nil }
        // The length first: what comes after costs more than the text is long.
        guard text.utf8.count <= limit * 16 else { throw Problem.invalid(name, "too_long") }
        guard !text.utf8.contains(0) else { throw Problem.invalid(name, "invalid") }
        let clean = text.withoutControls.precomposedStringWithCanonicalMapping
        guard clean.count <= limit, clean.unicodeScalars.count <= limit * 4, clean.utf8.count <= limit * 8 else {
            throw Problem.invalid(name, "too_long")
        }
        return clean
    }
}

extension String {
    /// The same for names that read the same: without differences of case and width.
    var folded: String {
        visibleLine.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCanonicalMapping
    }
}

// SPDX-License-Identifier: Apache-2.0
// What requests to chat name: names, texts, people, roles and moments.

import Domain
import Events
import Foundation
import Web

extension Parameters {
    /// An account that must be named.
    func account(_ name: String = "account_id") throws -> AccountID {
        guard let id: AccountID = try id(name) else { throw Problem.invalid(name, "blank") }
        return id
    }

    /// A role that can be given: a place has one owner, who hands it on.
    func role() throws -> ChatRole {
        guard let text = try string("role"), !text.isEmpty else { throw Problem.invalid("role", "blank") }
        guard let role = ChatRole(rawValue: text), role != .owner else { throw Problem.invalid("role", "inclusion") }
        return role
    }

    /// A moment as RFC 3339.
    func moment(_ name: String) throws -> Timestamp? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        // A plus sign in a query is a space by the rules of forms.
        let repaired = text.count > 20 ? text.replacing(" ", with: "+") : text
        guard let moment = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: repaired) else {
            throw Problem.invalid(name, "invalid")
        }
        return moment
    }

    /// A name: one line, not blank, without what would change how its surroundings read.
    func line(_ name: String, limit: Int) throws -> String? {
        guard let text = try cleaned(name, limit: limit) else { return nil }
        let line = text.visibleLine
        guard !line.isEmpty else { throw Problem.invalid(name, "blank") }
        return line
    }

    /// A text of any number of lines, perhaps empty.
    func prose(_ name: String, limit: Int) throws -> String? {
        try cleaned(name, limit: limit)?.trimmed
    }

    /// A text as it is kept: composed, so that two ways to type a syllable are one, and without invisible controls.
    private func cleaned(_ name: String, limit: Int) throws -> String? {
        guard let text = try string(name) else { return nil }
        // The length first: what comes after costs more than the text is long.
        guard text.utf8.count <= limit * 32 else { throw Problem.invalid(name, "too_long") }
        guard !text.utf8.contains(0) else { throw Problem.invalid(name, "invalid") }
        let clean = text.withoutHidden.precomposedStringWithCanonicalMapping
        // A character can be made of any number of scalars; few need more than a handful. Events carry these texts next
        // to whole messages, where there is room for so many bytes.
        guard clean.count <= limit, clean.utf8.count <= limit * 8 else {
            throw Problem.invalid(name, "too_long")
        }
        return clean
    }
}

extension String {
    /// Without what changes how its surroundings read.
    var withoutHidden: String {
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isHidden { kept.append(scalar) }
        return String(kept)
    }
}

extension Unicode.Scalar {
    /// Control characters other than breaks and tabs, and what turns the direction of the text around it.
    fileprivate var isHidden: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: false
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFF9...0xFFFB:
            true
        default: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What requests about projects and shelves name: days, numbers, words and texts.

import Domain
import Web

extension Parameters {
    /// `YYYY-MM-DD`.
    func day(_ name: String) throws -> Day? {
        guard let text = try string(name) else { return nil }
        guard let day = Day(text) else { throw Problem.invalid(name, "invalid") }
        return day
    }

    /// A whole number of a range.
    func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = try integer(name) else { return nil }
        guard let number = Int(exactly: number), range.contains(number) else { throw Problem.invalid(name, "invalid") }
        return number
    }

    /// One of some words.
    func word<Word: RawRepresentable<String>>(_ name: String) throws -> Word? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        guard let word = Word(rawValue: text) else { throw Problem.invalid(name, "inclusion") }
        return word
    }

    /// A text for people, without controls and without white space around it; nil where nothing is left.
    func prose(_ name: String, limit: Int) throws -> String? {
        guard let text = try text(name, limit: limit)?.withoutControls.trimmed, !text.isEmpty else { return nil }
        return text
    }

    /// The same on one line.
    func line(_ name: String, limit: Int) throws -> String? {
        guard let text = try text(name, limit: limit)?.visibleLine, !text.isEmpty else { return nil }
        return text
    }
}

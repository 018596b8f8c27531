// SPDX-License-Identifier: Apache-2.0
// What a write says of one thing: nothing, that it is to be, or that it is to be no more.

import Domain
import Web

/// What becomes of a value that may be absent.
enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case set(Value?)

    func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .set(let new): new
        }
    }
}

extension Parameters {
    /// What `name` says; `read` gives nil where there is nothing to read.
    func change<Value>(_ name: String, _ read: (Parameters) throws -> Value?) throws -> Change<Value> {
        if clears(name) { return .set(nil) }
        return try read(self).map { .set($0) } ?? .keep
    }

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

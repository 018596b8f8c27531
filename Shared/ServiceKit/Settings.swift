// SPDX-License-Identifier: Apache-2.0
// Settings from the environment, all checked at the start.

/// Reads settings and collects what is wrong with them, so that a start names every bad variable at once.
///
/// A variable `NAME` may be given as `NAME_FILE`, a path whose content (without a trailing newline) is the value.
/// An empty value counts as none.
public struct Settings: Sendable {
    /// Thrown by `finish`: one line for each bad variable.
    public struct Invalid: Error, CustomStringConvertible {
        public let problems: [String]
        public var description: String { problems.joined(separator: "\n") }
    }

    private struct Entry {
        let name: String
        let value: String
        let meaning: String
    }

    private let environment: [String: String]
    private var entries: [Entry] = []
    private var problems: [String] = []

    public init(environment: [String: String]) { self.environment = environment }

    /// The text of a variable. `secret` keeps the value out of `effective`.
    public mutating func string(
        _ name: String,
        default: String? = nil,
        secret: Bool = false,
        meaning: String
    ) -> String {
        parsed(name, default: `default`, secret: secret, expected: "text", meaning: meaning) { $0 } ?? ""
    }

    public mutating func optional(_ name: String, secret: Bool = false, meaning: String) -> String? {
        let value = read(name)
        note(name, value, secret: secret, meaning: meaning)
        return value
    }

    public mutating func integer(
        _ name: String,
        default: Int? = nil,
        in range: ClosedRange<Int>,
        meaning: String
    ) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let value = parsed(name, default: `default`.map(String.init), expected: expected, meaning: meaning) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
        return value ?? range.lowerBound
    }

    public mutating func boolean(_ name: String, default: Bool? = nil, meaning: String) -> Bool {
        parsed(name, default: `default`.map { $0 ? "true" : "false" }, expected: "true or false", meaning: meaning) {
            switch $0.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        } ?? false
    }

    /// One of the raw values of an enumeration.
    public mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        default: Choice? = nil,
        meaning: String
    ) -> Choice {
        let choices = Array(Choice.allCases)
        let expected = "one of " + choices.map(\.rawValue).joined(separator: ", ")
        let value = parsed(name, default: `default`?.rawValue, expected: expected, meaning: meaning) {
            Choice(rawValue: $0)
        }
        guard let fallback = value ?? `default` ?? choices.first else {
            preconditionFailure("an enumeration of settings has at least one case")
        }
        return fallback
    }

    /// `host:port`; the host of an IPv6 address stands in brackets.
    public mutating func address(_ name: String, default: String? = nil, meaning: String) -> (host: String, port: Int) {
        parsed(name, default: `default`, expected: "host:port", meaning: meaning, parse: Settings.hostAndPort)
            ?? ("127.0.0.1", 0)
    }

    /// A file of certificates that holds instead of the system's; nil for none.
    public mutating func certificates(_ name: String, meaning: String) -> String? {
        let path = parsed(
            name,
            default: "none",
            expected: "the path of a file of certificates (PEM), from the root, or none",
            meaning: meaning,
            parse: { path in
                if path == "none" { return path }
                guard path.hasPrefix("/"), let bytes = readFile(path, limit: 4 << 20) else { return nil }
                return String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") ? path : nil
            }
        )
        return path == "none" ? nil : path
    }

    /// A value parsed by `parse`; nil means bad, and `expected` says what it should be.
    public mutating func parsed<Value>(
        _ name: String,
        default: String? = nil,
        secret: Bool = false,
        expected: String,
        meaning: String,
        parse: (String) -> Value?
    ) -> Value? {
        let given = read(name)
        note(name, given ?? `default`, secret: secret, meaning: meaning)
        guard let text = given ?? `default` else {
            if !isReported(name) { problems.append("\(name) is missing: \(meaning) (\(expected))") }
            return nil
        }
        guard let value = parse(text) else {
            problems.append("\(name) is \(secret ? "not" : "\"\(text.prefix(100))\", not") \(expected): \(meaning)")
            return nil
        }
        return value
    }

    /// Throws `Invalid` when any variable read so far was missing or bad.
    public func finish() throws {
        guard problems.isEmpty else { throw Invalid(problems: problems) }
    }

    /// Every setting read: name, effective value (secrets as `***`) and meaning.
    public var effective: [(name: String, value: String, meaning: String)] {
        entries.map { ($0.name, $0.value, $0.meaning) }
    }

    static func hostAndPort(_ text: String) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        return (String(host), port)
    }

    private func isReported(_ name: String) -> Bool { problems.contains { $0.hasPrefix("\(name)_FILE ") } }

    private mutating func note(_ name: String, _ value: String?, secret: Bool, meaning: String) {
        guard !entries.contains(where: { $0.name == name }) else { return }
        let shown = value.map { secret ? "***" : Settings.withoutPassword($0) }
        entries.append(Entry(name: name, value: shown ?? "", meaning: meaning))
    }

    /// A URI's password is a secret even where the variable is not called one.
    private static func withoutPassword(_ value: String) -> String {
        guard let scheme = value.firstRange(of: "://"), let at = value[scheme.upperBound...].lastIndex(of: "@"),
            let colon = value[scheme.upperBound..<at].firstIndex(of: ":")
        else { return value }
        return "\(value[...colon])***\(value[at...])"
    }

    private mutating func read(_ name: String) -> String? {
        let value = environment[name].flatMap { $0.isEmpty ? nil : $0 }
        guard let path = environment["\(name)_FILE"], !path.isEmpty else { return value }
        if value != nil {
            problems.append("\(name)_FILE is given beside \(name): give one of them")
            return value
        }
        guard let bytes = readFile(path, limit: 1 << 16), var text = String(validating: bytes, as: UTF8.self) else {
            if !isReported(name) { problems.append("\(name)_FILE names a file that cannot be read: \(path)") }
            return nil
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
        return text.isEmpty ? nil : text
    }
}

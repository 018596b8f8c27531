// SPDX-License-Identifier: Apache-2.0
// What an app tells at a time of how it is used.

import Domain
import Web

/// What is counted together on a day.
struct UsageKey: Hashable, Sendable {
    let name: String
    let platform: UsagePlatform
    /// Up to two numbers and a dot, such as `1.20`; empty where nobody said.
    let version: String
}

enum UsagePlatform: String, CaseIterable, Hashable, Sendable {
    case ios, android, web, other
}

/// A batch of events, as apps written for Firebase Analytics have them.
struct UsageReport: Sendable {
    /// How much an app may tell at a time.
    enum Limits {
        static let events = 100
        static let name = 40
        static let parameters = 10
        static let value = 100
    }

    let counts: [UsageKey: Int]

    /// Throws a 422 for a batch of which any part breaks a rule: then nothing of it counts.
    ///
    /// Parameters must be as they may be, and are forgotten.
    init(_ parameters: Parameters) throws {
        guard let events = try parameters.list("events"), !events.isEmpty else {
            throw Problem.invalid("events", "blank")
        }
        guard events.count <= Limits.events else { throw Problem.invalid("events", "too_many") }
        let platform = UsagePlatform(rawValue: (try parameters.string("platform") ?? "").lowercased()) ?? .other
        let version = try UsageReport.version(try parameters.string("app_version") ?? "")
        var counts: [UsageKey: Int] = [:]
        for event in events {
            let name = try event.string("name") ?? ""
            guard UsageReport.isName(name) else { throw Problem.invalid("name", "invalid") }
            try UsageReport.check(try event.nested("params"))
            counts[UsageKey(name: name, platform: platform, version: version), default: 0] += 1
        }
        self.counts = counts
    }

    private static func check(_ parameters: Parameters?) throws {
        guard let parameters else { return }
        guard parameters.names.count <= Limits.parameters else { throw Problem.invalid("params", "too_many") }
        for name in parameters.names {
            guard isName(name) else { throw Problem.invalid("params", "invalid") }
            let value = try parameters.string(name) ?? ""
            guard value.unicodeScalars.count <= Limits.value else { throw Problem.invalid("params", "too_long") }
        }
    }

    /// A lower-case letter of ASCII, then up to 39 of them, digits and underscores.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (97...122).contains(first), text.utf8.count <= Limits.name else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 97...122, UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    /// The first two of up to four numbers of up to four digits; throws a 422 for anything else.
    private static func version(_ text: String) throws -> String {
        guard !text.isEmpty else { return "" }
        let numbers = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        let isVersion = numbers.allSatisfy { number in
            (1...4).contains(number.utf8.count) && number.utf8.allSatisfy { (48...57).contains($0) }
        }
        guard numbers.count <= 4, isVersion else { throw Problem.invalid("app_version", "invalid") }
        return numbers.prefix(2).joined(separator: ".")
    }
}

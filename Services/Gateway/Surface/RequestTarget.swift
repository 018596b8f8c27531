// SPDX-License-Identifier: Apache-2.0
// The target of a request in one normal form, so that no alias of a path is treated differently from the path.

import Domain

/// A path and a query.
///
/// The path has no empty or dot segments, no slash at its end, and percent-escapes only where they are needed.
struct RequestTarget: Equatable {
    let path: String
    /// What follows the question mark; nil without one.
    let query: String?

    /// What is sent on.
    var text: String {
        guard let query else { return path }
        return path + "?" + query
    }

    /// Where nothing else is known.
    static let root = RequestTarget(path: "/", query: nil)

    private init(path: String, query: String?) {
        self.path = path
        self.query = query
    }

    /// Nil for a target that is none (RFC 9112, section 3.2) or that means to leave the tree.
    init?(_ text: String) {
        guard var origin = RequestTarget.originForm(text), let scan = origin.withUTF8(TargetScan.init) else {
            return nil
        }
        let question = scan.question.map { origin.utf8.index(origin.startIndex, offsetBy: $0) }
        let rawPath = origin[..<(question ?? origin.endIndex)]
        let rawQuery = question.map { origin[origin.utf8.index(after: $0)...] }
        if scan.isNormal {
            path = String(rawPath)
            query = rawQuery.map(String.init)
            return
        }
        guard let normal = RequestTarget.normal(rawPath) else { return nil }
        path = normal
        query = rawQuery.map { RequestTarget.escapingHighOctets($0) }
    }

    /// The value of a parameter of the query, decoded; the last of several, as with the services.
    func parameter(_ name: String) -> String? {
        guard let query else { return nil }
        for pair in query.split(separator: "&").reversed() {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, PercentCoding.repaired(key.utf8) == name else { continue }
            return parts.count > 1 ? PercentCoding.repaired(parts[1].utf8) : ""
        }
        return nil
    }

    private static func originForm(_ text: String) -> Substring? {
        if text.utf8.first == UInt8(ascii: "/") { return text[...] }
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            return rest[slash...]
        }
        return nil
    }

    private static func normal(_ path: Substring) -> String? {
        var result: [UInt8] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            guard let segment = normalSegment(segment) else { return nil }
            if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) { return nil }
            result.append(UInt8(ascii: "/"))
            result.append(contentsOf: segment)
        }
        return result.isEmpty ? "/" : String(decoding: result, as: UTF8.self)
    }

    private static func normalSegment(_ segment: Substring.UTF8View.SubSequence) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = segment
        while let byte = rest.popFirst() {
            if byte >= 0x80 {
                result.append(contentsOf: escape(byte))
            } else if byte != UInt8(ascii: "%") {
                result.append(byte)
            } else {
                guard let high = rest.popFirst().flatMap(PercentCoding.digit),
                    let low = rest.popFirst().flatMap(PercentCoding.digit)
                else { return nil }
                let value = high << 4 | low
                // A NUL or an escaped slash in a path is only ever an attempt to be read differently by two parsers.
                guard value != 0, value != UInt8(ascii: "\\") else { return nil }
                if isKept(value) { result.append(value) } else { result.append(contentsOf: escape(value)) }
            }
        }
        return result
    }

    private static func escapingHighOctets(_ text: Substring) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if byte >= 0x80 { result.append(contentsOf: escape(byte)) } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Unreserved ones, and the sign before a name: browsers and clients write `/@ann` and `/%40ann` alike.
    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}

/// One pass over the octets of a target in origin form.
private struct TargetScan {
    /// Where the question mark is.
    private(set) var question: Int?
    /// Whether it is in the normal form already.
    private(set) var isNormal = true

    /// Nil for one with octets that no target has.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var previous = UInt8(0)
        for (index, byte) in bytes.enumerated() {
            guard byte > 0x20, byte != 0x7F, byte != UInt8(ascii: "#"), byte != UInt8(ascii: "\\") else { return nil }
            if question == nil {
                switch byte {
                case UInt8(ascii: "?"): question = index
                case UInt8(ascii: "%"): isNormal = false
                case UInt8(ascii: "/"), UInt8(ascii: "."): if previous == UInt8(ascii: "/") { isNormal = false }
                default: break
                }
            }
            if byte >= 0x80 { isNormal = false }
            previous = byte
        }
        let path = bytes[..<(question ?? bytes.count)]
        if path.count != 1, path.last == UInt8(ascii: "/") { isNormal = false }
    }
}

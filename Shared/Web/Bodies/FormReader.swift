// SPDX-License-Identifier: Apache-2.0
// Reads `application/x-www-form-urlencoded`, in a query or a body.

import Domain

/// Limits shared by every form of parameters.
enum ParameterLimits {
    /// Names in a form, members and elements of a JSON text.
    static let count = 1000
    /// Names inside names: `a[b][c]`, and JSON inside JSON.
    static let nesting = 32
    static let formNesting = 8
}

/// Parses names and values that are percent-encoded.
enum FormReader {
    static func parameters(_ text: some Collection<UInt8>, place: String) throws -> Parameters {
        var parameters = Parameters()
        guard !text.isEmpty else { return parameters }
        var count = 0
        for pair in text.split(separator: UInt8(ascii: "&")) {
            count += 1
            guard count <= ParameterLimits.count else { throw Problem.badRequest(place) }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = PercentCoding.decoded(pair[..<(equals ?? pair.endIndex)], plus: true) else {
                throw Problem.badRequest(place)
            }
            let rest = equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...]
            guard let value = PercentCoding.decoded(rest, plus: true) else {
                throw Problem.badRequest("\(place) (\(printable(name)))")
            }
            try parameters.insert(.text(value), at: path(of: name, place: place)[...])
        }
        return parameters
    }

    /// `a[b][]` as `a`, `b` and an empty name; a name that is not of this form is one name.
    static func path(of name: String, place: String) throws -> [String] {
        guard let open = name.firstIndex(of: "["), open > name.startIndex, name.hasSuffix("]") else { return [name] }
        var path = [String(name[..<open])]
        for part in name[name.index(after: open)...].dropLast().split(
            separator: "][",
            maxSplits: ParameterLimits.formNesting + 1,
            omittingEmptySubsequences: false
        ) {
            path.append(String(part))
        }
        guard path.count <= ParameterLimits.formNesting else { throw Problem.badRequest(place) }
        return path
    }

    /// UTF-8 without NUL, which no text of ours may have.
    static func validText(_ bytes: some Sequence<UInt8> & Collection<UInt8>) -> String? {
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A name for a message: short, without what could break a line.
    static func printable(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { $0.value > 0x20 && $0.value < 0x7F }))
    }
}

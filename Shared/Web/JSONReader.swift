// SPDX-License-Identifier: Apache-2.0
// Reads JSON from outside: bounded, exact, and without a trap whatever it is.

import Domain

/// Parses JSON (RFC 8259) of bounded nesting and size into parameters.
///
/// The last of equal names wins. NUL and lone surrogates are refused, for no text of ours may have them; numbers
/// stay as they are written.
struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0
    private var values = 0

    /// Elements and members of one text; far above what any request needs.
    private static let maximumValues = 20_000

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The members of an object. An empty text is no parameters, for clients send it with a JSON content type.
    static func parameters(_ bytes: [UInt8]) throws -> Parameters {
        var reader = JSONReader(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        reader.skipSpace()
        guard reader.index < bytes.count else { return Parameters() }
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.problem }
        switch value {
        case .members(let members): return members
        case .null: return Parameters()
        default: throw Problem.badRequest("JSON: an object is expected")
        }
    }

    private var problem: Problem { .badRequest("JSON, byte \(index)") }

    private mutating func value(depth: Int) throws -> ParameterValue {
        guard depth <= ParameterLimits.nesting else { throw Problem.badRequest("JSON: nested too deeply") }
        values += 1
        guard values <= JSONReader.maximumValues, index < bytes.count else { throw problem }
        switch bytes[index] {
        case UInt8(ascii: "{"): return .members(try members(depth: depth))
        case UInt8(ascii: "["): return .list(try elements(depth: depth))
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"):
            try literal("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func members(depth: Int) throws -> Parameters {
        var members: [String: ParameterValue] = [:]
        index += 1
        skipSpace()
        if take("}") { return Parameters(members) }
        while true {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw problem }
            let name = try string()
            skipSpace()
            guard take(":") else { throw problem }
            skipSpace()
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if take(",") { continue }
            guard take("}") else { throw problem }
            return Parameters(members)
        }
    }

    private mutating func elements(depth: Int) throws -> [ParameterValue] {
        var elements: [ParameterValue] = []
        index += 1
        skipSpace()
        if take("]") { return elements }
        while true {
            skipSpace()
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(",") { continue }
            guard take("]") else { throw problem }
            return elements
        }
    }

    private mutating func string() throws -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            guard bytes[index] >= 0x20 else { throw problem }
            index += 1
        }
        guard index < bytes.count else { throw problem }
        var text = Array(bytes[start..<index])
        while true {
            guard index < bytes.count else { throw problem }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20 else { throw problem }
            index += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(byte) }
        }
        guard let string = FormReader.validText(text) else {
            throw Problem.badRequest("JSON, text before byte \(index)")
        }
        index += 1
        return string
    }

    private mutating func escape(into text: inout [UInt8]) throws {
        guard index < bytes.count else { throw problem }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var value = try unit()
            if (0xD800..<0xDC00).contains(value) {
                guard take("\\"), take("u") else { throw problem }
                let low = try unit()
                guard (0xDC00..<0xE000).contains(low) else { throw problem }
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
            guard value != 0, let scalar = Unicode.Scalar(value) else { throw problem }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: throw problem
        }
    }

    private mutating func unit() throws -> UInt32 {
        guard bytes.count - index >= 4 else { throw problem }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = PercentCoding.digit(byte) else { throw problem }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }

    private mutating func number() throws -> String {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        guard index - start <= 512 else { throw problem }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        guard index > start else { throw problem }
    }

    private mutating func literal(_ word: StaticString) throws {
        let length = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer {
            bytes.count - index >= length && bytes[index..<index + length].elementsEqual($0)
        }
        guard matches else { throw problem }
        index += length
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Reads JSON from outside: bounded, exact, and without a trap whatever it is.

import JSON

/// Makes parameters of JSON (RFC 8259) of bounded nesting and size.
///
/// The last of equal names wins. NUL and lone surrogates are refused, for no text of ours may have them; numbers
/// stay as they are written.
struct JSONReader {
    private let bytes: UnsafeRawBufferPointer
    private var scan: JSONScan
    private var values = 0

    /// Elements and members of one text; far above what any request needs.
    private static let maximumValues = 20_000
    private static let maximumDigits = 512

    /// The members of an object. An empty text is no parameters, for clients send it with a JSON content type.
    static func parameters(_ bytes: [UInt8]) throws -> Parameters {
        try bytes.withUnsafeBytes { bytes in
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            var reader = JSONReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(hasMark ? 3 : 0)))
            return try reader.whole()
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer) { (self.bytes, scan) = (bytes, JSONScan(bytes)) }

    private mutating func whole() throws -> Parameters {
        scan.skipSpace()
        guard scan.peek != nil else { return Parameters() }
        let value = try value(depth: 0)
        scan.skipSpace()
        guard scan.peek == nil else { throw problem }
        switch value {
        case .members(let members): return members
        case .null: return Parameters()
        default: throw Problem.badRequest("JSON: an object is expected")
        }
    }

    private var problem: Problem { .badRequest("JSON, byte \(scan.index)") }

    private mutating func value(depth: Int) throws -> ParameterValue {
        guard depth <= ParameterLimits.nesting else { throw Problem.badRequest("JSON: nested too deeply") }
        values += 1
        guard values <= JSONReader.maximumValues else { throw problem }
        switch scan.peek {
        case UInt8(ascii: "{"): return .members(try members(depth: depth))
        case UInt8(ascii: "["): return .list(try elements(depth: depth))
        case UInt8(ascii: "\""): return .text(try text())
        default: return try scalar()
        }
    }

    private mutating func members(depth: Int) throws -> Parameters {
        var members: [String: ParameterValue] = [:]
        _ = scan.take("{")
        scan.skipSpace()
        if scan.take("}") { return Parameters(members) }
        repeat {
            scan.skipSpace()
            let name = try text()
            scan.skipSpace()
            guard scan.take(":") else { throw problem }
            scan.skipSpace()
            members[name] = try value(depth: depth + 1)
            scan.skipSpace()
        } while scan.take(",")
        guard scan.take("}") else { throw problem }
        return Parameters(members)
    }

    private mutating func elements(depth: Int) throws -> [ParameterValue] {
        var elements: [ParameterValue] = []
        _ = scan.take("[")
        scan.skipSpace()
        if scan.take("]") { return elements }
        repeat {
            scan.skipSpace()
            elements.append(try value(depth: depth + 1))
            scan.skipSpace()
        } while scan.take(",")
        guard scan.take("]") else { throw problem }
        return elements
    }

    private mutating func text() throws -> String {
        guard let place = try? scan.text() else { throw problem }
        let inside = bytes[place]
        // Escapes are ASCII, so that what is not valid with them is not without.
        guard let plain = FormReader.validText(inside) else {
            throw Problem.badRequest("JSON, text before byte \(scan.index)")
        }
        guard inside.contains(UInt8(ascii: "\\")) else { return plain }
        guard let units = JSONText.units(of: inside), !units.contains(0),
            let text = String(validating: units, as: UTF16.self)
        else { throw problem }
        return text
    }

    private mutating func scalar() throws -> ParameterValue {
        guard let place = try? scan.scalar() else { throw problem }
        switch bytes[place].first {
        case UInt8(ascii: "t"): return .boolean(true)
        case UInt8(ascii: "f"): return .boolean(false)
        case UInt8(ascii: "n"): return .null
        default:
            guard place.count <= JSONReader.maximumDigits else { throw problem }
            return .number(String(decoding: bytes[place], as: UTF8.self))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Checks JSON and finds what an array or object has in it, without making anything of it (RFC 8259).

public import NIOCore

/// Reads bytes from the front. Nothing recurses, so that no nesting is too deep for the stack.
public struct JSONScan {
    public struct Malformed: Error {}

    /// A member of an object, or an element of an array.
    public struct Part {
        /// As it is written, without its quotation marks; nil in an array.
        public let name: ByteBuffer?
        public let value: ByteBuffer
    }

    /// Nesting deeper than this is refused.
    private let depth: Int
    /// Placeholders for binary data must name one of so many attachments; nil looks for none.
    private let attachments: Int?
    private let bytes: UnsafeRawBufferPointer
    /// The next octet to be read.
    public private(set) var index = 0

    private init(_ bytes: UnsafeRawBufferPointer, depth: Int, attachments: Int?) {
        self.bytes = bytes
        self.depth = depth
        self.attachments = attachments
    }

    /// What the object or array has in it that the whole is, in order; nil for anything else, and for what is malformed.
    public static func parts(of buffer: ByteBuffer, depth: Int, attachments: Int? = nil) -> [Part]? {
        buffer.withUnsafeReadableBytes { bytes in
            var scan = JSONScan(bytes, depth: depth, attachments: attachments)
            return try? scan.parts(of: buffer)
        }
    }

    private mutating func parts(of buffer: ByteBuffer) throws(Malformed) -> [Part] {
        let isObject = peek == UInt8(ascii: "{")
        guard isObject || peek == UInt8(ascii: "[") else { throw Malformed() }
        index += 1
        skipSpace()
        let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        var parts: [Part] = []
        var separator = peek == close ? next() : UInt8(ascii: ",")
        while separator == UInt8(ascii: ",") {
            let name = isObject ? try name() : nil
            skipSpace()
            let start = index
            try value()
            guard let value = buffer.getSlice(at: buffer.readerIndex + start, length: index - start) else {
                throw Malformed()
            }
            parts.append(
                Part(name: name.flatMap { buffer.getSlice(at: buffer.readerIndex + $0, length: $1) }, value: value)
            )
            skipSpace()
            separator = next()
        }
        guard separator == close else { throw Malformed() }
        try end()
        return parts
    }

    /// Whether the whole is one object.
    public static func isObject(_ buffer: ByteBuffer, depth: Int) -> Bool {
        buffer.withUnsafeReadableBytes { bytes in
            var scan = JSONScan(bytes, depth: depth, attachments: nil)
            scan.skipSpace()
            guard scan.peek == UInt8(ascii: "{"), (try? scan.value()) != nil else { return false }
            return (try? scan.end()) != nil
        }
    }

    // MARK: Steps of a reader that makes something of it

    /// - Parameter bytes: must stay where they are while they are read.
    public init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, depth: 0, attachments: nil) }

    /// The next octet; nil at the end.
    public var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Passes over the next octet if it is this one.
    public mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Passes over a string, and says where its inside is.
    public mutating func text() throws(Malformed) -> Range<Int> {
        guard take("\"") else { throw Malformed() }
        let start = index
        try string()
        return start..<index - 1
    }

    /// Passes over a number, a truth value or null.
    public mutating func scalar() throws(Malformed) -> Range<Int> {
        let start = index
        switch next() {
        case UInt8(ascii: "t"): try literal("rue")
        case UInt8(ascii: "f"): try literal("alse")
        case UInt8(ascii: "n"): try literal("ull")
        case let byte? where byte == UInt8(ascii: "-") || (48...57).contains(byte): try number(byte)
        default: throw Malformed()
        }
        return start..<index
    }

    // MARK: Octets

    private mutating func next() -> UInt8? {
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return bytes[index]
    }

    public mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func end() throws(Malformed) {
        skipSpace()
        guard index == bytes.count else { throw Malformed() }
    }

    /// An array or object that is not closed yet.
    private struct Open {
        let isObject: Bool
        var isPlaceholder = false
        var number: Int?
        var key: Substring = ""
    }

    private mutating func value() throws(Malformed) {
        var open: [Open] = []
        while true {
            skipSpace()
            let start = index
            switch next() {
            case UInt8(ascii: "{"):
                guard open.count < depth else { throw Malformed() }
                open.append(Open(isObject: true))
                skipSpace()
                if peek != UInt8(ascii: "}") {
                    try key(&open)
                    continue
                }
            case UInt8(ascii: "["):
                guard open.count < depth else { throw Malformed() }
                open.append(Open(isObject: false))
                skipSpace()
                if peek != UInt8(ascii: "]") { continue }
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "t"):
                try literal("rue")
                if open.last?.key == "_placeholder" { open[open.count - 1].isPlaceholder = true }
            case UInt8(ascii: "f"): try literal("alse")
            case UInt8(ascii: "n"): try literal("ull")
            case let byte? where byte == UInt8(ascii: "-") || (48...57).contains(byte):
                try number(byte)
                if open.last?.key == "num" {
                    open[open.count - 1].number = Int(String(decoding: bytes[start..<index], as: UTF8.self))
                }
            default: throw Malformed()
            }
            if try !proceed(&open) { return }
        }
    }

    /// After a value: closes what ends there. False when nothing is open any more.
    private mutating func proceed(_ open: inout [Open]) throws(Malformed) -> Bool {
        while let last = open.last {
            skipSpace()
            switch next() {
            case UInt8(ascii: ","):
                if last.isObject { try key(&open) }
                return true
            case UInt8(ascii: "}") where last.isObject:
                if let attachments, last.isPlaceholder {
                    guard let number = last.number, (0..<attachments).contains(number) else { throw Malformed() }
                }
                open.removeLast()
            case UInt8(ascii: "]") where !last.isObject: open.removeLast()
            default: throw Malformed()
            }
        }
        return false
    }

    private mutating func key(_ open: inout [Open]) throws(Malformed) {
        let (start, length) = try name()
        guard attachments != nil, length < 16, !open.isEmpty else { return }
        open[open.count - 1].key = Substring(decoding: bytes[start..<start + length], as: UTF8.self)
    }

    /// A member's name and the colon behind it.
    private mutating func name() throws(Malformed) -> (start: Int, length: Int) {
        skipSpace()
        let text = try text()
        skipSpace()
        guard take(":") else { throw Malformed() }
        return (text.lowerBound, text.count)
    }

    private mutating func literal(_ rest: StaticString) throws(Malformed) {
        for offset in 0..<rest.utf8CodeUnitCount {
            guard next() == rest.utf8Start[offset] else { throw Malformed() }
        }
    }

    /// The rest of a string whose quotation mark was read.
    private mutating func string() throws(Malformed) {
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                switch next() {
                case UInt8(ascii: "u"):
                    for _ in 0..<4 {
                        guard let digit = next(), isHexadecimal(digit) else { throw Malformed() }
                    }
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                    UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                    break
                default: throw Malformed()
                }
            case ..<0x20: throw Malformed()
            default: break
            }
        }
        throw Malformed()
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    /// The rest of a number whose first octet was read.
    private mutating func number(_ first: UInt8) throws(Malformed) {
        var lead = first
        if first == UInt8(ascii: "-") {
            guard let digit = next(), (48...57).contains(digit) else { throw Malformed() }
            lead = digit
        }
        if lead != 48 { digits() }
        if peek == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { throw Malformed() }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            index += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { throw Malformed() }
        }
    }

    @discardableResult
    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, (48...57).contains(byte) { index += 1 }
        return index - start
    }
}

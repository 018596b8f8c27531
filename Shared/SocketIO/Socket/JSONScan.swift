// SPDX-License-Identifier: Apache-2.0
// Checks JSON and finds the elements of an array, without making anything of it (RFC 8259).

import NIOCore

/// Reads bytes from the front. Nothing recurses, so that no nesting is too deep for the stack.
struct JSONScan {
    struct Malformed: Error {}

    /// Nesting deeper than this is refused.
    let depth: Int
    /// Placeholders for binary data must name one of so many attachments; nil looks for none.
    let attachments: Int?
    private let bytes: ByteBufferView
    private var index: Int

    init(_ buffer: ByteBuffer, depth: Int, attachments: Int? = nil) {
        self.depth = depth
        self.attachments = attachments
        bytes = buffer.readableBytesView
        index = bytes.startIndex
    }

    /// The elements of the array that the whole is.
    static func elements(of buffer: ByteBuffer, depth: Int, attachments: Int?) throws(Malformed) -> [ByteBuffer] {
        var scan = JSONScan(buffer, depth: depth, attachments: attachments)
        guard scan.next() == UInt8(ascii: "[") else { throw Malformed() }
        var elements: [ByteBuffer] = []
        scan.skipSpace()
        if scan.peek == UInt8(ascii: "]") {
            scan.index += 1
            try scan.end()
            return []
        }
        while true {
            scan.skipSpace()
            let start = scan.index
            try scan.value()
            guard let element = buffer.getSlice(at: start, length: scan.index - start) else { throw Malformed() }
            elements.append(element)
            scan.skipSpace()
            switch scan.next() {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "]"):
                try scan.end()
                return elements
            default: throw Malformed()
            }
        }
    }

    /// Whether the whole is one object.
    static func isObject(_ buffer: ByteBuffer, depth: Int) -> Bool {
        var scan = JSONScan(buffer, depth: depth)
        scan.skipSpace()
        guard scan.peek == UInt8(ascii: "{") else { return false }
        do throws(Malformed) {
            try scan.value()
            try scan.end()
            return true
        } catch {
            return false
        }
    }

    private var peek: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private mutating func next() -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        defer { index += 1 }
        return bytes[index]
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func end() throws(Malformed) {
        skipSpace()
        guard index == bytes.endIndex else { throw Malformed() }
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
        skipSpace()
        guard next() == UInt8(ascii: "\"") else { throw Malformed() }
        let start = index
        try string()
        if attachments != nil, index - start <= 16, !open.isEmpty {
            open[open.count - 1].key = Substring(decoding: bytes[start..<index - 1], as: UTF8.self)
        }
        skipSpace()
        guard next() == UInt8(ascii: ":") else { throw Malformed() }
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

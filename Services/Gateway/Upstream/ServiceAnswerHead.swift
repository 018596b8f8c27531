// SPDX-License-Identifier: Apache-2.0
// The head of a service's answer, as it came.

import NIOCore

/// What is not HTTP/1.1 as our services speak it.
struct ServiceAnswerFault: Error {}

/// A status, and fields as places in the bytes of the head.
struct ServiceAnswerHead {
    /// What a field means to the gateway.
    enum Meaning {
        /// Nothing: it reaches the client as it is.
        case other
        /// Nothing, and it does not reach the client.
        case withheld
        case cacheControl, entityTag, frameOptions, retryAfter
        /// The account that a sign-up has made.
        case registered
        /// Says that the service fails in some of what it does, not in all.
        case hinders

        init(name: UnsafeBufferPointer<UInt8>) {
            func isNamed(_ lower: StaticString) -> Bool { Forward.same(name, lower) }
            switch name.count {
            // The gateway's own stand for all.
            case 4 where isNamed("date"), 15 where isNamed("referrer-policy"),
                22 where isNamed("x-content-type-options"):
                self = .withheld
            case 4 where isNamed("etag"): self = .entityTag
            case 11 where isNamed("retry-after"): self = .retryAfter
            case 13 where isNamed("cache-control"): self = .cacheControl
            case 15 where isNamed("x-frame-options"): self = .frameOptions
            case 16 where isNamed("x-madang-hinders"): self = .hinders
            case 19 where isNamed("x-madang-registered"): self = .registered
            default: self = Forward.passesBack(name) ? .other : .withheld
            }
        }

        var reachesClient: Bool {
            switch self {
            case .other, .cacheControl, .entityTag, .frameOptions, .retryAfter: true
            case .withheld, .registered, .hinders: false
            }
        }
    }

    struct Field {
        let name: Range<Int>
        let value: Range<Int>
        let meaning: Meaning
    }

    /// How the body is framed (RFC 9112, section 6.3).
    enum Framing: Equatable {
        case none, chunks
        case length(Int)
        /// The body ends with the connection.
        case untilClose
    }

    /// Octets that a head may have.
    static let most = 64 * 1024

    let status: Int
    let framing: Framing
    /// Whether the connection may be used again.
    let keepsAlive: Bool
    let fields: [Field]
    private let bytes: ByteBuffer

    /// Octets of it.
    var count: Int { bytes.readableBytes }

    /// The same with bytes of its own, which hold on to nothing that came with it.
    func detached() -> ServiceAnswerHead {
        ServiceAnswerHead(
            status: status,
            framing: framing,
            keepsAlive: keepsAlive,
            fields: fields,
            bytes: ByteBuffer(bytes: bytes.readableBytesView)
        )
    }

    /// Reads a head from where it starts; nil, with nothing read, while its end has not come.
    static func read(from bytes: inout ByteBuffer) throws(ServiceAnswerFault) -> ServiceAnswerHead? {
        guard let scan = try HeadScan(bytes.readableBytesUInt8Span) else {
            guard bytes.readableBytes <= most else { throw ServiceAnswerFault() }
            return nil
        }
        guard let head = bytes.readSlice(length: scan.end) else { return nil }
        return ServiceAnswerHead(
            status: scan.status,
            framing: try scan.framing,
            keepsAlive: scan.keepsAlive,
            fields: scan.fields,
            bytes: head
        )
    }

    func has(_ meaning: Meaning) -> Bool { fields.contains { $0.meaning == meaning } }

    /// The value of the first field with a meaning.
    func first(_ meaning: Meaning) -> String? {
        guard let field = fields.first(where: { $0.meaning == meaning }) else { return nil }
        return bytes.getString(at: bytes.readerIndex + field.value.lowerBound, length: field.value.count)
    }

    /// Writes the fields that reach the client, as they came.
    func writeFields(to buffer: inout ByteBuffer) {
        bytes.withUnsafeReadableBytes { bytes in
            for field in fields where field.meaning.reachesClient {
                buffer.writeBytes(
                    UnsafeRawBufferPointer(rebasing: bytes[field.name.lowerBound..<field.value.upperBound])
                )
                buffer.writeStaticString("\r\n")
            }
        }
    }
}

/// One pass over the bytes of a head (RFC 9112, sections 4 and 5). What two parsers might read differently is a fault.
private struct HeadScan {
    private(set) var status = 0
    private(set) var keepsAlive: Bool
    private(set) var fields: [ServiceAnswerHead.Field] = []
    /// Where the head has ended.
    private(set) var end = 0
    private var length: Int?
    private var isChunked = false

    /// Nil while the end has not come.
    init?(_ bytes: Span<UInt8>) throws(ServiceAnswerFault) {
        guard bytes.count >= 13 else { return nil }
        guard HeadScan.isSame(bytes, 0..<7, "http/1."), bytes[7] == 0x30 || bytes[7] == 0x31, bytes[8] == 0x20,
            let status = HeadScan.number(bytes, 9..<12), status >= 100, bytes[12] == 0x20 || bytes[12] == 0x0D
        else { throw ServiceAnswerFault() }
        self.status = status
        keepsAlive = bytes[7] == 0x31
        fields.reserveCapacity(16)
        guard let first = try HeadScan.lineEnd(bytes, from: 12) else { return nil }
        var start = first + 2
        while let lineEnd = try HeadScan.lineEnd(bytes, from: start) {
            if lineEnd == start {
                end = start + 2
                return
            }
            try add(bytes, start..<lineEnd)
            start = lineEnd + 2
        }
        return nil
    }

    var framing: ServiceAnswerHead.Framing {
        get throws(ServiceAnswerFault) {
            guard !isChunked || length == nil else { throw ServiceAnswerFault() }
            if status < 200 || status == 204 || status == 304 { return .none }
            if isChunked { return .chunks }
            return length.map { .length($0) } ?? .untilClose
        }
    }

    private mutating func add(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(ServiceAnswerFault) {
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon] != UInt8(ascii: ":") {
            // Neither a fold, nor a space before the colon.
            guard bytes[colon] > 0x20 else { throw ServiceAnswerFault() }
            colon += 1
        }
        guard colon > line.lowerBound, colon < line.upperBound else { throw ServiceAnswerFault() }
        var (from, to) = (colon + 1, line.upperBound)
        while from < to, HeadScan.isBlank(bytes[from]) { from += 1 }
        while from < to, HeadScan.isBlank(bytes[to - 1]) { to -= 1 }
        let (name, value) = (line.lowerBound..<colon, from..<to)
        let meaning = bytes.extracting(name).withUnsafeBufferPointer(ServiceAnswerHead.Meaning.init)
        fields.append(ServiceAnswerHead.Field(name: name, value: value, meaning: meaning))
        switch name.count {
        case 10 where HeadScan.isSame(bytes, name, "connection"):
            if HeadScan.isSame(bytes, value, "close") {
                keepsAlive = false
            } else if HeadScan.isSame(bytes, value, "keep-alive") {
                keepsAlive = true
            }
        case 14 where HeadScan.isSame(bytes, name, "content-length"):
            guard length == nil, let number = HeadScan.number(bytes, value) else { throw ServiceAnswerFault() }
            length = number
        case 17 where HeadScan.isSame(bytes, name, "transfer-encoding"):
            guard !isChunked, HeadScan.isSame(bytes, value, "chunked") else { throw ServiceAnswerFault() }
            isChunked = true
        default: break
        }
    }

    /// Where the line ends that `start` is in: at its CR. Nil while it has not come.
    private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) throws(ServiceAnswerFault) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20, byte != 0x09 {
                guard byte == 0x0D else { throw ServiceAnswerFault() }
                guard index + 1 < bytes.count else { return nil }
                guard bytes[index + 1] == 0x0A else { throw ServiceAnswerFault() }
                return index
            }
            index += 1
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard (1...15).contains(range.count) else { return nil }
        var number = 0
        for index in range {
            guard (0x30...0x39).contains(bytes[index]) else { return nil }
            number = number * 10 + Int(bytes[index] - 0x30)
        }
        return number
    }

    /// Whether the text in a range is `lower`, which is in lower case.
    private static func isSame(_ bytes: Span<UInt8>, _ range: Range<Int>, _ lower: StaticString) -> Bool {
        guard range.count == lower.utf8CodeUnitCount else { return false }
        return lower.withUTF8Buffer { expected in
            for (offset, wanted) in expected.enumerated() {
                let byte = bytes[range.lowerBound + offset]
                guard (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == wanted else { return false }
            }
            return true
        }
    }
}

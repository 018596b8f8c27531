// SPDX-License-Identifier: Apache-2.0
// W3C trace context, carried through HTTP and events.

/// A `traceparent` (www.w3.org/TR/trace-context).
public struct TraceContext: Hashable, Sendable {
    public let traceID: String
    public let spanID: String
    public let flags: String

    private init(traceID: String, spanID: String, flags: String) {
        self.traceID = traceID
        self.spanID = spanID
        self.flags = flags
    }

    /// Nil for a value that breaks the format.
    public init?(traceparent: String?) {
        guard let traceparent else { return nil }
        let bytes = Array(traceparent.utf8.prefix(56))
        let dash = UInt8(ascii: "-")
        guard bytes.count == 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash else { return nil }
        func hex(_ range: Range<Int>) -> String? {
            guard bytes[range].allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
            return String(decoding: bytes[range], as: UTF8.self)
        }
        guard hex(0..<2) == "00", let trace = hex(3..<35), let span = hex(36..<52), let flags = hex(53..<55),
            trace.contains(where: { $0 != "0" }), span.contains(where: { $0 != "0" })
        else { return nil }
        self.init(traceID: trace, spanID: span, flags: flags)
    }

    /// A new trace.
    public static func random() -> TraceContext {
        var random = SystemRandomNumberGenerator()
        return TraceContext(
            traceID: hexadecimal(random.next()) + hexadecimal(random.next() | 1),
            spanID: hexadecimal(random.next() | 1),
            flags: "01"
        )
    }

    /// The same trace with a new span.
    public func child() -> TraceContext {
        var random = SystemRandomNumberGenerator()
        return TraceContext(traceID: traceID, spanID: hexadecimal(random.next() | 1), flags: flags)
    }

    public var traceparent: String { "00-\(traceID)-\(spanID)-\(flags)" }

    /// The trace of the request or event in hand.
    @TaskLocal public static var current: TraceContext?
}

/// Sixteen digits.
/// 16 digits.
public func hexadecimal(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { buffer in
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: (number >> UInt64(60 - index * 4)) & 15)
            buffer[index] = digit < 10 ? 48 + digit : 87 + digit
        }
        return 16
    }
}

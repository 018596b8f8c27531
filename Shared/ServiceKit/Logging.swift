// SPDX-License-Identifier: Apache-2.0
// Logs as lines of JSON on standard error.

import Domain
public import Logging

/// Writes each event as one line of JSON: time, level, message, then the metadata.
public struct JSONLines: LogHandler {
    public var logLevel: Logger.Level = .info
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable ([UInt8]) -> Void

    public init(label: String, write: @escaping @Sendable ([UInt8]) -> Void = { writeAll(2, $0) }) {
        metadata["logger"] = .string(label)
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var line = LogLine(event.level, event.message.description)
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if all["trace_id"] == nil, let trace = TraceContext.current { all["trace_id"] = .string(trace.traceID) }
        if all["request_id"] == nil, let request = LogContext.requestID { all["request_id"] = .string(request) }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line.member(key, value) }
        write(line.ended())
    }

    fileprivate func log(_ level: Logger.Level, _ message: String, _ members: (inout LogLine) -> Void) {
        guard level >= logLevel else { return }
        var line = LogLine(level, message)
        members(&line)
        for (key, value) in metadata { line.member(key, value) }
        if let trace = TraceContext.current { line.member("trace_id", trace.traceID) }
        write(line.ended())
    }
}

extension Logger {
    /// Writes what comes with every request: its members are known in advance and stand in no dictionary. The trace and whose log it
    /// is are added to them. Nothing is written where the lines are not of JSON.
    public func line(_ level: Logger.Level, _ message: String, _ members: (inout LogLine) -> Void) {
        (handler as? JSONLines)?.log(level, message, members)
    }
}

/// A line of the log as it is put together.
public struct LogLine {
    private var bytes: [UInt8] = []

    fileprivate init(_ level: Logger.Level, _ message: String) {
        bytes.reserveCapacity(384)
        bytes.append(contentsOf: #"{"time":"#.utf8)
        append(Timestamp.now().rfc3339)
        bytes.append(contentsOf: #","level":"#.utf8)
        append(level.rawValue)
        bytes.append(contentsOf: #","message":"#.utf8)
        append(message)
    }

    fileprivate mutating func ended() -> [UInt8] {
        bytes.append(contentsOf: "}\n".utf8)
        return bytes
    }

    public mutating func member(_ name: String, _ value: String) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: String, _ value: Int64) {
        self.name(name)
        append(number: value)
    }

    fileprivate mutating func member(_ name: String, _ value: Logger.MetadataValue) {
        self.name(name)
        append(value, depth: 0)
    }

    private mutating func name(_ name: String) {
        bytes.append(UInt8(ascii: ","))
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ value: Logger.MetadataValue, depth: Int) {
        switch value {
        case .string(let text): append(text)
        case .stringConvertible(let number as any FixedWidthInteger): append(number: number)
        case .stringConvertible(let truth as Bool): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
        case .stringConvertible(let other): append(other.description)
        case .array(let values) where depth < 4:
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .dictionary(let members) where depth < 4:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.key)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array, .dictionary: append("…")
        }
    }

    private mutating func append(number: some FixedWidthInteger) {
        bytes.append(contentsOf: String(describing: number).utf8)
    }

    /// A JSON string of at most 8 KiB, so that no cause floods the log.
    private mutating func append(_ text: String) {
        var text = text.utf8.count > 8192 ? String(text.prefix(2000)) + "…" : text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            if utf8.contains(where: LogLine.isEscaped) {
                for byte in utf8 { append(escaped: byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F }

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case 0x22: bytes.append(contentsOf: #"\""#.utf8)
        case 0x5C: bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0..<0x20, 0x7F:
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(LogLine.digits[Int(byte >> 4)])
            bytes.append(LogLine.digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}

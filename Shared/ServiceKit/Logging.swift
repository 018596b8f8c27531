// SPDX-License-Identifier: Apache-2.0
// Logs as lines of JSON on standard error.

import Domain
package import Logging

/// Writes each event as one line of JSON: time, level, message, then the metadata.
package struct JSONLines: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable ([UInt8]) -> Void

    package init(label: String, write: @escaping @Sendable ([UInt8]) -> Void = { writeAll(2, $0) }) {
        metadata["logger"] = .string(label)
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        line.append(contentsOf: #"{"time":"#.utf8)
        append(Timestamp.now().rfc3339, to: &line)
        line.append(contentsOf: #","level":"#.utf8)
        append(event.level.rawValue, to: &line)
        line.append(contentsOf: #","message":"#.utf8)
        append(event.message.description, to: &line)
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if all["trace_id"] == nil, let trace = TraceContext.current { all["trace_id"] = .string(trace.traceID) }
        if all["request_id"] == nil, let request = LogContext.requestID { all["request_id"] = .string(request) }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line.append(UInt8(ascii: ","))
            append(key, to: &line)
            line.append(UInt8(ascii: ":"))
            append(value, depth: 0, to: &line)
        }
        line.append(contentsOf: "}\n".utf8)
        write(line)
    }

    private func append(_ value: Logger.MetadataValue, depth: Int, to line: inout [UInt8]) {
        switch value {
        case .string(let text): append(text, to: &line)
        case .stringConvertible(let number as any FixedWidthInteger):
            line.append(contentsOf: String(describing: number).utf8)
        case .stringConvertible(let truth as Bool): line.append(contentsOf: (truth ? "true" : "false").utf8)
        case .stringConvertible(let other): append(other.description, to: &line)
        case .array(let values) where depth < 4:
            line.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                append(value, depth: depth + 1, to: &line)
            }
            line.append(UInt8(ascii: "]"))
        case .dictionary(let members) where depth < 4:
            line.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                append(member.key, to: &line)
                line.append(UInt8(ascii: ":"))
                append(member.value, depth: depth + 1, to: &line)
            }
            line.append(UInt8(ascii: "}"))
        case .array, .dictionary: append("…", to: &line)
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// A JSON string of at most 8 KiB, so that no cause floods the log.
    private func append(_ text: String, to line: inout [UInt8]) {
        var text = text.utf8.count > 8192 ? String(text.prefix(2000)) + "…" : text
        line.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            if bytes.contains(where: JSONLines.isEscaped) {
                for byte in bytes { JSONLines.append(byte, to: &line) }
            } else {
                line.append(contentsOf: bytes)
            }
        }
        line.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F }

    private static func append(_ byte: UInt8, to line: inout [UInt8]) {
        switch byte {
        case 0x22: line.append(contentsOf: #"\""#.utf8)
        case 0x5C: line.append(contentsOf: #"\\"#.utf8)
        case 0x0A: line.append(contentsOf: #"\n"#.utf8)
        case 0..<0x20, 0x7F:
            line.append(contentsOf: #"\u00"#.utf8)
            line.append(digits[Int(byte >> 4)])
            line.append(digits[Int(byte & 15)])
        default: line.append(byte)
        }
    }
}

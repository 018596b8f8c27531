// SPDX-License-Identifier: Apache-2.0
// Tables as text (RFC 4180).

/// A table that was read: texts in quotation marks may have commas, quotation marks and line breaks in them.
public struct CSV: Sendable {
    public struct Row: Hashable, Sendable {
        /// On which the row begins; the first is 1.
        public let line: Int
        public let fields: [String]
    }

    /// Without the lines on which there is nothing.
    public let rows: [Row]
    /// Whether the text ends within quotation marks.
    public let isCut: Bool

    /// Reads lines that end with CRLF, LF or CR, with or without a byte order mark. Line breaks within a field become LF.
    public init(_ text: String) {
        var reader = Reader()
        var text = text
        text.withUTF8 { bytes in
            let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            for byte in bytes.dropFirst(mark) { reader.take(byte) }
        }
        isCut = reader.state == .quoted
        reader.end()
        rows = reader.rows
    }

    private struct Reader {
        enum State {
            case plain, quoted
            /// Behind a quotation mark within quotation marks: their end, or one of the text.
            case quote
        }

        var rows: [Row] = []
        var state = State.plain
        private var fields: [String] = []
        private var field: [UInt8] = []
        private var line = 1
        private var start = 1
        private var isBehindReturn = false

        mutating func take(_ byte: UInt8) {
            let follows = isBehindReturn && byte == UInt8(ascii: "\n")
            isBehindReturn = byte == UInt8(ascii: "\r")
            // The second half of a line's end.
            if follows { return }
            let isBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if isBreak { line += 1 }
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .quote
            case (.quoted, _): field.append(isBreak ? UInt8(ascii: "\n") : byte)
            case (.quote, UInt8(ascii: "\"")):
                field.append(byte)
                state = .quoted
            case (.plain, UInt8(ascii: "\"")) where field.isEmpty: state = .quoted
            case (_, UInt8(ascii: ",")): endField()
            case _ where isBreak: endRow()
            default:
                field.append(byte)
                state = .plain
            }
        }

        mutating func end() { if !fields.isEmpty || !field.isEmpty { endRow() } }

        private mutating func endField() {
            fields.append(String(decoding: field, as: UTF8.self))
            field.removeAll(keepingCapacity: true)
            state = .plain
        }

        private mutating func endRow() {
            endField()
            if fields != [""] { rows.append(Row(line: start, fields: fields)) }
            fields = []
            start = line
        }
    }

    // MARK: Writing

    /// A line with CRLF at its end.
    ///
    /// A text that a table's program would take for a formula has an apostrophe before it.
    public static func line(_ fields: [String]) -> String {
        fields.map { quoted(isFormula($0) ? "'" + $0 : $0) }.joined(separator: ",") + "\r\n"
    }

    /// A field as `line` writes it, without the apostrophe that says that it is no formula.
    public static func unguarded(_ field: String) -> String {
        field.hasPrefix("'") && isFormula(field.dropFirst()) ? String(field.dropFirst()) : field
    }

    private static func isFormula(_ text: some StringProtocol) -> Bool {
        text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

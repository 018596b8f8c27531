// SPDX-License-Identifier: Apache-2.0
// Reads `multipart/form-data` (RFC 7578) that is whole in memory.

/// Parses the parts of a form; a part with a file name is a file, any other a field.
struct MultipartReader {
    private let bytes: [UInt8]
    private let delimiter: [UInt8]
    private var index = 0

    static func parameters(_ bytes: [UInt8], boundary: String?) throws -> Parameters {
        guard let boundary, (1...70).contains(boundary.utf8.count) else {
            throw Problem.badRequest("multipart: boundary")
        }
        var reader = MultipartReader(bytes: bytes, delimiter: Array("--\(boundary)".utf8))
        return try reader.parameters()
    }

    private mutating func parameters() throws -> Parameters {
        var parameters = Parameters()
        guard let first = find(delimiter, from: 0), first == 0 || endsLine(first) else { throw problem }
        index = first + delimiter.count
        var count = 0
        while true {
            if has("--") { return parameters }
            guard has("\r\n") else { throw problem }
            index += 2
            count += 1
            guard count <= ParameterLimits.count else { throw Problem.badRequest("multipart: too many parts") }
            let head = try head()
            guard let end = find(Array("\r\n".utf8) + delimiter, from: index) else { throw problem }
            let content = bytes[index..<end]
            index = end + 2 + delimiter.count
            guard let name = head.name else { throw Problem.badRequest("multipart: part without a name") }
            let path = try FormReader.path(of: name, place: "multipart")
            // What browsers and apps send where no file was chosen is as if it were not there.
            if head.file != nil, content.isEmpty { continue }
            if let file = head.file {
                let type = head.contentType ?? "application/octet-stream"
                let upload = UploadedFile(name: file, contentType: type, bytes: Array(content))
                parameters.insert(.file(upload), at: path[...])
            } else {
                guard let text = FormReader.validText(content) else {
                    throw Problem.badRequest("multipart (\(FormReader.printable(name)))")
                }
                parameters.insert(.text(text), at: path[...])
            }
        }
    }

    private init(bytes: [UInt8], delimiter: [UInt8]) {
        self.bytes = bytes
        self.delimiter = delimiter
    }

    /// What the header lines of a part say.
    struct Head {
        var name: String?
        var file: String?
        var contentType: String?

        init() {}

        /// - Parameter lines: without the empty one at their end.
        init(lines: ArraySlice<UInt8>) throws {
            for line in lines.split(separator: 10) { try add(line.last == 13 ? line.dropLast() : line) }
        }

        fileprivate mutating func add(_ line: ArraySlice<UInt8>) throws {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let value = FormReader.validText(line[(colon + 1)...])
            else { throw Problem.badRequest("multipart") }
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "content-disposition":
                let attributes = MultipartReader.attributes(value)
                name = attributes["name"]
                file = attributes["filename"]
            case "content-type": contentType = MediaType(value).name
            default: break
            }
        }
    }

    /// The header lines of a part, up to the empty one.
    private mutating func head() throws -> Head {
        var head = Head()
        let start = index
        while true {
            guard index - start <= 8192, let end = lineEnd() else { throw problem }
            let line = bytes[index..<end]
            index = end + 2
            if line.isEmpty { return head }
            do { try head.add(line) } catch { throw problem }
        }
    }

    /// `form-data; name="a"; filename="b;c"`: the quoted values by their names.
    private static func attributes(_ value: String) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = value.utf8.drop { $0 != UInt8(ascii: ";") }
        while !rest.isEmpty {
            rest = rest.drop { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { break }
            let name = String(rest[..<equals]) ?? ""
            rest = rest[rest.index(after: equals)...]
            var text: [UInt8] = []
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                    if byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == byte {
                        text.append(next)
                        rest = rest.dropFirst()
                    } else {
                        text.append(byte)
                    }
                }
                rest = rest.drop { $0 != UInt8(ascii: ";") }
            } else {
                while let byte = rest.first, byte != UInt8(ascii: ";") {
                    text.append(byte)
                    rest = rest.dropFirst()
                }
            }
            // Browsers write a quote in a name as %22 and line breaks as %0D and %0A.
            attributes[name.lowercased()] = String(decoding: text, as: UTF8.self)
        }
        return attributes
    }

    private var problem: Problem { .badRequest("multipart, byte \(index)") }

    private func has(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        return text.withUTF8Buffer { bytes.count - index >= length && bytes[index..<index + length].elementsEqual($0) }
    }

    private func endsLine(_ position: Int) -> Bool {
        position >= 2 && bytes[position - 2] == 0x0D && bytes[position - 1] == 0x0A
    }

    private func lineEnd() -> Int? {
        var end = index
        while end + 1 < bytes.count, end - index <= 8192 {
            if bytes[end] == 0x0D, bytes[end + 1] == 0x0A { return end }
            end += 1
        }
        return nil
    }

    /// The first place of `needle`: Horspool's search, at worst linear in the text times the (short) needle.
    private func find(_ needle: [UInt8], from start: Int) -> Int? {
        let length = needle.count
        guard length > 0, bytes.count - start >= length else { return nil }
        var skip = [Int](repeating: length, count: 256)
        for (offset, byte) in needle.dropLast().enumerated() { skip[Int(byte)] = length - 1 - offset }
        return bytes.withUnsafeBufferPointer { bytes in
            var position = start
            while position + length <= bytes.count {
                var offset = length - 1
                while offset >= 0, bytes[position + offset] == needle[offset] { offset -= 1 }
                if offset < 0 { return position }
                position += skip[Int(bytes[position + length - 1])]
            }
            return nil
        }
    }
}

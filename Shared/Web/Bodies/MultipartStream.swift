// SPDX-License-Identifier: Apache-2.0
// Reads `multipart/form-data` (RFC 7578) while it comes.

import Glibc
import HTTPTypes

/// Takes a form apart while it comes, and keeps of it no more than a part's head and a delimiter.
public struct MultipartStream {
    public enum Piece: Equatable {
        /// A part begins; `file` is the name that a file has, which is never a path to be trusted.
        case part(name: String, file: String?)
        case content([UInt8])
        case partEnd
    }

    private enum Stage {
        /// Before the first part.
        case preamble
        /// Behind a delimiter.
        case delimiter
        case head
        case content
        /// Behind the last part; what still comes means nothing.
        case end
    }

    private static let mostHead = 8192
    private static let mostPreamble = 64 * 1024

    private let delimiter: [UInt8]
    /// As if a line had ended before the body, so that the first delimiter is like the others.
    private var kept: [UInt8] = [13, 10]
    private var stage = Stage.preamble
    private var parts = 0
    private var preamble = 0

    /// Throws where the type is not that of a form with files.
    public init(contentType: String?) throws {
        let type = MediaType(contentType)
        guard type.name == "multipart/form-data" else {
            throw Problem.unsupportedMediaType
        }
        guard let boundary = type.parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw Problem.badRequest("multipart: boundary")
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Whether the form has come to its end.
    public var isComplete: Bool { stage == .end }

    /// What the next bytes of the body say.
    public mutating func read(_ bytes: [UInt8]) throws -> [Piece] {
        guard stage != .end else { return [] }
        kept += bytes
        var pieces: [Piece] = []
        while try step(&pieces) {}
        return pieces
    }

    /// - Returns: whether more can be read of what is kept.
    private mutating func step(_ pieces: inout [Piece]) throws -> Bool {
        switch stage {
        case .end:
            kept = []
            return false
        case .preamble:
            let (before, isFound) = upToDelimiter()
            preamble += before.count
            guard preamble <= MultipartStream.mostPreamble else { throw problem }
            if isFound { stage = .delimiter }
            return isFound
        case .content:
            let (before, isFound) = upToDelimiter()
            if !before.isEmpty { pieces.append(.content(before)) }
            guard isFound else { return false }
            pieces.append(.partEnd)
            stage = .delimiter
            return true
        case .delimiter:
            guard kept.count >= 2 else { return false }
            let next = (kept[0], kept[1])
            kept.removeFirst(2)
            switch next {
            case (UInt8(ascii: "-"), UInt8(ascii: "-")): stage = .end
            case (13, 10):
                stage = .head
                parts += 1
                guard parts <= ParameterLimits.count else { throw Problem.badRequest("multipart: too many parts") }
            default: throw problem
            }
            return true
        case .head:
            guard let end = place(of: [13, 10, 13, 10]) else {
                guard kept.count <= MultipartStream.mostHead else { throw problem }
                return false
            }
            guard end <= MultipartStream.mostHead else { throw problem }
            let head = try MultipartReader.Head(lines: kept[..<end])
            guard let name = head.name else { throw Problem.badRequest("multipart: part without a name") }
            kept.removeFirst(end + 4)
            pieces.append(.part(name: name, file: head.file))
            stage = .content
            return true
        }
    }

    /// What is certainly before the next delimiter, and whether that has come.
    private mutating func upToDelimiter() -> (before: [UInt8], isFound: Bool) {
        if let position = place(of: delimiter) {
            let before = Array(kept[..<position])
            kept.removeFirst(position + delimiter.count)
            return (before, true)
        }
        let certain = max(0, kept.count - delimiter.count + 1)
        let before = Array(kept[..<certain])
        kept.removeFirst(certain)
        return (before, false)
    }

    /// - Parameter needle: begins with the end of a line.
    private func place(of needle: [UInt8]) -> Int? {
        kept.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var from = 0
            while bytes.count - from >= needle.count, let found = memchr(start + from, 13, bytes.count - from) {
                let position = UnsafeRawPointer(found) - start
                guard bytes.count - position >= needle.count else { return nil }
                if memcmp(found, needle, needle.count) == 0 { return position }
                from = position + 1
            }
            return nil
        }
    }

    private var problem: Problem { .badRequest("multipart") }
}

// SPDX-License-Identifier: Apache-2.0
// Answers of services, read from the bytes of a connection (RFC 9112).

import NIOCore

/// Reads one answer after the other; knows no channel.
///
/// Interim answers are passed over, but for the one that leads to another protocol, which nobody asks for.
struct ServiceAnswerReader {
    enum Part {
        case head(ServiceAnswerHead)
        case body(ByteBuffer)
        case end
    }

    private enum Stage {
        /// Nothing was asked.
        case idle
        case head
        case body(left: Int)
        case bodyUntilClose
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailer
        case end
    }

    /// Octets of a line that tells a chunk's size or follows the last chunk.
    static let mostLine = 1024

    private var stage = Stage.idle
    private var bytes = ByteBuffer()
    private var isHead = false

    /// Whether every byte that came was read.
    var isEmpty: Bool { bytes.readableBytes == 0 }

    /// Whether the connection's end is the answer's.
    var endsWithConnection: Bool { if case .bodyUntilClose = stage { true } else { false } }

    /// A request was sent: its answer comes next.
    ///
    /// - Parameter isHead: whether the answer has no body, whatever its head says.
    mutating func expect(isHead: Bool) {
        stage = .head
        self.isHead = isHead
    }

    mutating func append(_ more: ByteBuffer) {
        if isEmpty { bytes = more } else { bytes.writeImmutableBuffer(more) }
    }

    /// The next part of the answer; nil until more comes.
    mutating func next() throws(ServiceAnswerFault) -> Part? {
        while true {
            switch stage {
            case .idle:
                guard isEmpty else { throw ServiceAnswerFault() }
                return nil
            case .head:
                guard let head = try ServiceAnswerHead.read(from: &bytes) else { return nil }
                guard head.status >= 200 else {
                    if head.status == 101 { throw ServiceAnswerFault() }
                    continue
                }
                stage = isHead ? .end : ServiceAnswerReader.stage(after: head.framing)
                return .head(head)
            case .body(let left):
                guard let part = take(left) else { return nil }
                stage = left == part.readableBytes ? .end : .body(left: left - part.readableBytes)
                return .body(part)
            case .bodyUntilClose: return take(.max).map { .body($0) }
            case .chunkSize:
                guard let line = try readLine() else { return nil }
                let size = try ServiceAnswerReader.size(ofChunk: line)
                stage = size == 0 ? .trailer : .chunk(left: size)
            case .chunk(let left):
                guard let part = take(left) else { return nil }
                stage = left == part.readableBytes ? .chunkEnd : .chunk(left: left - part.readableBytes)
                return .body(part)
            case .chunkEnd:
                guard let line = try readLine() else { return nil }
                guard line.isEmpty else { throw ServiceAnswerFault() }
                stage = .chunkSize
            case .trailer:
                guard let line = try readLine() else { return nil }
                if line.isEmpty { stage = .end }
            case .end:
                stage = .idle
                if isEmpty { bytes = ByteBuffer() }
                return .end
            }
        }
    }

    private static func stage(after framing: ServiceAnswerHead.Framing) -> Stage {
        switch framing {
        case .none, .length(0): .end
        case .length(let length): .body(left: length)
        case .chunks: .chunkSize
        case .untilClose: .bodyUntilClose
        }
    }

    private mutating func take(_ most: Int) -> ByteBuffer? {
        isEmpty ? nil : bytes.readSlice(length: min(most, bytes.readableBytes))
    }

    /// A line without its end; nil until all of it has come.
    private mutating func readLine() throws(ServiceAnswerFault) -> ByteBufferView? {
        let view = bytes.readableBytesView
        guard let end = view.prefix(ServiceAnswerReader.mostLine).firstIndex(of: 0x0A) else {
            guard view.count < ServiceAnswerReader.mostLine else { throw ServiceAnswerFault() }
            return nil
        }
        guard end > view.startIndex, view[end - 1] == 0x0D else { throw ServiceAnswerFault() }
        bytes.moveReaderIndex(to: end + 1)
        return view[view.startIndex..<end - 1]
    }

    private static func size(ofChunk line: ByteBufferView) throws(ServiceAnswerFault) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard (1...8).contains(digits.count), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else { throw ServiceAnswerFault() }
        return size
    }
}

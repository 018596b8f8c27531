// SPDX-License-Identifier: Apache-2.0
// Answers of services read from bytes, without a socket.

import NIOCore
import Testing

@testable import GatewayService

@Suite struct ServiceAnswerReaderTests {
    /// What a reader finds in bytes that come in pieces of a size: heads as their status and framing, bodies joined.
    private func parts(
        of answer: String,
        isHead: Bool = false,
        pieces: Int = .max
    ) throws -> (parts: [String], reader: ServiceAnswerReader) {
        var reader = ServiceAnswerReader()
        reader.expect(isHead: isHead)
        var (found, body) = ([String](), "")
        var rest = Array(answer.utf8)[...]
        while !rest.isEmpty {
            reader.append(ByteBuffer(bytes: rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
            while let part = try reader.next() {
                switch part {
                case .head(let head): found.append("\(head.status) \(head.framing)\(head.keepsAlive ? "" : " close")")
                case .body(let bytes): body += String(buffer: bytes)
                case .end:
                    found.append(body)
                    // What follows was not asked for.
                    return (found, reader)
                }
            }
        }
        return (found, reader)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", ["200 length(3)", "abc"]),
        ("HTTP/1.1 200\r\ncontent-length:3\r\nX-A:\t b \t\r\n\r\nabc", ["200 length(3)", "abc"]),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ["200 length(0)", ""]),
        ("HTTP/1.1 204 No Content\r\n\r\n", ["204 none", ""]),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\n\r\n", ["304 none", ""]),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nB;x=y\r\n0123456789a\r\n0\r\nX-T: z\r\n\r\n",
            ["200 chunks", "abc0123456789a"]
        ),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 1\r\n\r\na", ["201 length(1)", "a"]),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", ["200 length(1) close", "a"]),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", ["200 length(1) close", "a"]),
        ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na", ["200 length(1)", "a"]),
    ])
    func anAnswerIsTheSameInAllPieces(_ answer: String, _ expected: [String]) throws {
        for pieces in [1, 2, 3, 7, .max] {
            let (parts, reader) = try parts(of: answer, pieces: pieces)
            #expect(parts == expected, "in pieces of \(pieces)")
            #expect(reader.isEmpty)
        }
    }

    @Test func anAnswerToHeadHasNoBody() throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
        #expect(try parts(of: answer, isHead: true).parts == ["200 length(3)", ""])
    }

    @Test func aBodyWithoutLengthEndsWithItsConnection() throws {
        let (parts, reader) = try parts(of: "HTTP/1.1 200 OK\r\n\r\nabc")
        #expect(parts == ["200 untilClose"])
        #expect(reader.endsWithConnection)
    }

    @Test func whatNobodyAskedForIsNoAnswer() throws {
        var (_, reader) = try parts(of: "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n")
        #expect(!reader.isEmpty)
        #expect(throws: ServiceAnswerFault.self) { try reader.next() }
    }

    @Test func fieldsAreFoundAndPassedOnAsTheyCame() throws {
        var reader = ServiceAnswerReader()
        reader.expect(isHead: false)
        // The head does not stand where the bytes begin.
        let fields = [
            "X-One:  1 ", "Retry-After:  2 ", "ETag:", "x-ONE: 3", "RETRY-after: 4", "Server: s", "Date: d",
            "X-Madang-Registered: 5", "Cache-Control:no-store",
        ]
        var bytes = ByteBuffer(string: "xHTTP/1.1 204 No Content\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n")
        bytes.moveReaderIndex(forwardBy: 1)
        reader.append(bytes)
        guard case .head(let head)? = try reader.next() else { throw ServiceAnswerFault() }
        #expect(head.first(.retryAfter) == "2")
        #expect(head.first(.entityTag)?.isEmpty == true)
        #expect(head.first(.registered) == "5")
        #expect(head.first(.hinders) == nil)
        #expect(head.has(.cacheControl))
        #expect(!head.has(.frameOptions))
        var lines = ByteBuffer()
        head.writeFields(to: &lines)
        let passed = ["X-One:  1", "Retry-After:  2", "ETag:", "x-ONE: 3", "RETRY-after: 4", "Cache-Control:no-store"]
        #expect(String(buffer: lines) == passed.map { $0 + "\r\n" }.joined())
    }

    @Test(arguments: [
        ("date", false), ("Referrer-Policy", false), ("x-content-type-options", false), ("X-Madang-Hinders", false),
        ("x-madang-registered", false), ("connection", false), ("content-length", false), ("server", false),
        ("access-control-allow-origin", false), ("x-request-id", false), ("x-ratelimit-limit", false),
        ("etag", true), ("Cache-Control", true), ("X-Frame-Options", true), ("retry-after", true), ("dates", true),
        ("content-type", true), ("x-other", true),
    ])
    func aFieldsNameTellsWhetherItReachesTheClient(_ name: String, _ reaches: Bool) {
        let meaning = Array(name.utf8).withUnsafeBufferPointer(ServiceAnswerHead.Meaning.init)
        #expect(meaning.reachesClient == reaches)
    }

    @Test(arguments: [
        "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n", "ICY 200 OK 12345\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 099 Low\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
        // Another protocol.
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        // Lines that do not end as they must, and what no value has.
        "HTTP/1.1 200 OK\n\r\n\r\n", "HTTP/1.1 200 OK\r\nX-A: b\n\r\n", "HTTP/1.1 200 OK\r\nX-A: b\rc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-A: \u{0}\r\n\r\n",
        // Names.
        "HTTP/1.1 200 OK\r\n: b\r\n\r\n", "HTTP/1.1 200 OK\r\nX-A\r\n\r\n", "HTTP/1.1 200 OK\r\nX-A : b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\n\r\n",
        // Lengths.
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        // Chunks.
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n123456789\r\na",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "0", count: 2000),
        // Heads without an end.
        "HTTP/1.1 200 OK\r\nX-A: " + String(repeating: "a", count: ServiceAnswerHead.most),
    ])
    func whatTwoParsersMightReadDifferentlyIsAFault(_ answer: String) {
        #expect(throws: ServiceAnswerFault.self) { try parts(of: answer) }
    }
}

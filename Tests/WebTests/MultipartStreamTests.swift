// SPDX-License-Identifier: Apache-2.0
// Forms that are read while they come: the same whatever the pieces in which they do.

import Support
import Testing

@testable import Web

@Suite struct MultipartStreamTests {
    private static let type = "multipart/form-data; boundary=a-b"

    /// What a form says, with the pieces of each part put together.
    private func read(_ body: [UInt8], by size: Int) throws -> (parts: [String], isComplete: Bool) {
        var stream = try MultipartStream(contentType: MultipartStreamTests.type)
        var parts: [String] = []
        var content: [UInt8] = []
        var index = 0
        while index < body.count {
            let end = min(index + size, body.count)
            for piece in try stream.read(Array(body[index..<end])) {
                switch piece {
                case .part(let name, let file):
                    parts.append("\(name) \(file ?? "-") ")
                    content = []
                case .content(let bytes): content += bytes
                case .partEnd: parts[parts.count - 1] += String(decoding: content, as: UTF8.self)
                }
            }
            index = end
        }
        return (parts, stream.isComplete)
    }

    @Test func piecesDoNotMatter() throws {
        let near = "\r\n--a-\r\n--a-c\r\n-\r\n--\r--a-b"
        let text =
            "what comes before\r\n--a-b\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n고양이\r\n"
            + "--a-b\r\nContent-Type: image/png\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a;b.png\"\r\n\r\n"
            + "\(near)\r\n--a-b\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--a-b--\r\nwhat comes behind"
        let body = Array(text.utf8)
        let expected = ["description - 고양이", "file a;b.png \(near)", "empty - "]
        for size in 1...80 {
            let read = try read(body, by: size)
            #expect(read.parts == expected && read.isComplete, "in pieces of \(size)")
        }
        #expect(try read(body, by: body.count).parts == expected)
    }

    @Test func whatIsCutIsNotComplete() throws {
        let body = Array("--a-b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--a-b--".utf8)
        for count in 0..<body.count { #expect(try !read(Array(body.prefix(count)), by: 7).isComplete, "\(count)") }
        #expect(try read(body, by: 7).isComplete)
    }

    @Test func memoryDoesNotGrowWithAFile() throws {
        var stream = try MultipartStream(contentType: MultipartStreamTests.type)
        _ = try stream.read(Array("--a-b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\n".utf8))
        let part = [UInt8](repeating: 13, count: 64 * 1024)
        for _ in 0..<100 {
            let given = try stream.read(part).reduce(0) { count, piece in
                if case .content(let bytes) = piece { count + bytes.count } else { count }
            }
            #expect(given >= part.count - 16)
        }
    }

    @Test(arguments: [
        "--a-b\r\n\r\n\r\nx\r\n--a-b--", "--a-bxy", "--a-b\r\nnonsense\r\n\r\nx",
        "--a-b\r\nContent-Disposition: form-data; name=\"\0\"\r\n\r\nx\r\n--a-b--",
        "--a-b\r\nX: \(String(repeating: "x", count: 9000))", String(repeating: "x", count: 70_000),
    ])
    func whatIsNoFormIsRefused(text: String) {
        for size in [1, 100, 100_000] {
            #expect(throws: Problem.self, "\(text.prefix(20))") { try read(Array(text.utf8), by: size) }
        }
    }

    @Test func noiseNeverTraps() throws {
        var random = TestSeed()
        let alphabet = Array("\r\n-ab:; =\"x\0".utf8)
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            _ = try? read(Array("--a-b\r\n".utf8) + noise, by: Int.random(in: 1...50, using: &random))
        }
    }
}

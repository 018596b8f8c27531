// SPDX-License-Identifier: Apache-2.0
// Multipart bodies, whole and broken.

import Domain
import HTTPTypes
import Support
import Testing

@testable import Web

@Suite struct MultipartTests {
    static let type = "multipart/form-data; boundary=xyz"

    static func part(_ disposition: String, _ content: String, type: String? = nil) -> String {
        let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
        return "--xyz\r\nContent-Disposition: form-data; \(disposition)\r\n\(line)\r\n\(content)\r\n"
    }

    @Test func fieldsAndFilesAreRead() throws {
        let body =
            Self.part(#"name="display_name""#, "마당\r\n--xy") + Self.part(#"name="ids[]""#, "1")
            + Self.part(#"name="ids[]""#, "2") + Self.part(#"name="fields[0][name]""#, "web")
            + Self.part(#"name="avatar"; filename="../../etc/pass\"wd;x""#, "\u{1}bytes", type: "image/png")
            + "--xyz--\r\n"
        let form = try parameters(body, type: Self.type)
        #expect(try form.string("display_name") == "마당\r\n--xy")
        #expect(try form.strings("ids") == ["1", "2"])
        #expect(try form.list("fields")?.first?.string("name") == "web")
        let file = try #require(try form.file("avatar"))
        #expect(file.name == #"../../etc/pass"wd;x"#)
        #expect(file.contentType == "image/png")
        #expect(file.bytes == Array("\u{1}bytes".utf8))
        #expect(problem { _ = try form.string("avatar") }?.status == .badRequest)
    }

    @Test func aFileWithoutAByteIsNone() throws {
        let empty = Self.part(#"name="avatar"; filename="""#, "") + Self.part(#"name="header"; filename="a.jpg""#, "")
        let none = try parameters(empty + Self.part(#"name="note""#, "") + "--xyz--\r\n", type: Self.type)
        #expect(none.names == ["note"] && !none.hasFiles)
        let file = Self.part(#"name="files[0][a]"; filename="""#, "x")
        #expect(try parameters(file + "--xyz--\r\n", type: Self.type).hasFiles)
    }

    @Test func theBoundaryMayBeQuotedAndFollowAPreamble() throws {
        let body = "preamble\r\n" + Self.part("name=a", "1") + "--xyz--"
        #expect(try parameters(body, type: #"Multipart/Form-Data; charset=utf-8; boundary="xyz""#).string("a") == "1")
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=",
        "multipart/form-data; boundary=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "multipart/form-data; boundary=other",
    ])
    func aMissingOrWrongBoundaryIsRefused(_ type: String) {
        let body = Self.part(#"name="a""#, "1") + "--xyz--"
        #expect(problem { _ = try parameters(body, type: type) }?.status == .badRequest)
    }

    @Test(arguments: [
        "--xyz", "--xyz\r\n", "--xyz\r\n\r\n", "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\n1",
        "--xyz\r\nno colon\r\n\r\n1\r\n--xyz--", "--xyz\r\nA: b\r\n\r\n1\r\n--xyz--", "--xyzq", "garbage",
        "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--xyz?",
        "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\n\u{0}\r\n--xyz--",
    ])
    func brokenBodiesAreRefused(_ body: String) {
        #expect(problem { _ = try parameters(body, type: Self.type) }?.status == .badRequest, "\(body)")
    }

    @Test func partsAreBounded() {
        let body = String(repeating: Self.part("name=a", "1"), count: 10_000) + "--xyz--"
        #expect(problem { _ = try parameters(body, type: Self.type) }?.status == .badRequest)
        let head = "--xyz\r\nX: " + String(repeating: "a", count: 20_000) + "\r\n\r\n1\r\n--xyz--"
        #expect(problem { _ = try parameters(head, type: Self.type) }?.status == .badRequest)
    }

    @Test func noMutationTraps() {
        let text = Array((Self.part(#"name="a"; filename="b""#, "1") + Self.part("name=c", "2") + "--xyz--\r\n").utf8)
        for end in 0...text.count { _ = try? parameters(bytes: Array(text[..<end]), type: Self.type) }
        var random = TestSeed()
        for _ in 0..<10_000 {
            var bytes = text
            for _ in 0..<3 {
                guard let index = bytes.indices.randomElement(using: &random) else { continue }
                bytes[index] = .random(in: 0...255, using: &random)
            }
            _ = try? parameters(bytes: bytes, type: Self.type)
        }
    }
}

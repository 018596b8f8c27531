// SPDX-License-Identifier: Apache-2.0
// JSON that is deep, broken, huge or hostile.

import Domain
import HTTPTypes
import Support
import Testing

@testable import Web

@Suite struct JSONReaderTests {
    @Test(arguments: [33, 160, 300, 511, 512, 100_000])
    func deepNestingIsRefused(_ depth: Int) {
        let arrays = #"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        let objects = String(repeating: #"{"a":"#, count: depth + 1) + "1" + String(repeating: "}", count: depth + 1)
        for text in [arrays, objects, String(repeating: "[", count: depth), String(repeating: #"{"a":"#, count: depth)]
        {
            #expect(problem { _ = try parameters(text) }?.status == .badRequest)
        }
    }

    @Test func nestingWithinTheLimitIsRead() throws {
        let text = #"{"a":"# + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"
        #expect(try parameters(text).contains("a"))
    }

    @Test(arguments: [
        "{", "}", "[]", "1", #""a""#, #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#,
        #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":NaN}"#, #"{"a":tru}"#, #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#,
        #"{'a':1}"#,
        #"{"a":1}{"#, #"{"a":[1,]}"#, #"{"a":"\u0000"}"#, #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#,
        #"{"a":"\ud800\u0041"}"#,
        #"{"\u0000":1}"#, "{\"a\":\"\u{0}\"}", "{\"a\":\"\n\"}", #"{"a":-}"#, #"{"a" 1}"#,
    ])
    func brokenTextIsRefused(_ text: String) {
        #expect(problem { _ = try parameters(text) }?.status == .badRequest, "\(text)")
    }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]]
    )
    func invalidUTF8IsRefused(_ bytes: [UInt8]) {
        let body = Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)
        #expect(problem { _ = try parameters(bytes: body) }?.status == .badRequest)
    }

    @Test func escapesAreRead() throws {
        let json = try parameters(#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 마당","b":1e400,"c":-0.5e-3}"#)
        #expect(try json.string("a") == "\"\\/\u{8}\u{c}\n\r\té😀 마당")
        #expect(try json.string("b") == "1e400")
        #expect(problem { _ = try json.integer("b") }?.status == .badRequest)
        #expect(try json.string("c") == "-0.5e-3")
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        #expect(try parameters("\u{FEFF}{\"a\":\"b\"}").string("a") == "b")
    }

    @Test func valuesAreBounded() {
        let text = #"{"a":["# + Array(repeating: "1", count: 30_000).joined(separator: ",") + "]}"
        #expect(problem { _ = try parameters(text) }?.status == .badRequest)
    }

    /// Whatever is cut off or changed, the reader answers with parameters or a problem.
    @Test func noMutationTraps() {
        let text = Array(#"{"a":"b\u00e9\ud83d\ude00","n":[1,-2.5e3,true,null,{"x":{}}],"z":"마당"}"#.utf8)
        var random = TestSeed()
        for end in 0...text.count { _ = try? parameters(bytes: Array(text[..<end])) }
        for _ in 0..<20_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard let index = bytes.indices.randomElement(using: &random) else { continue }
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? parameters(bytes: bytes)
            _ = try? parameters(bytes: bytes, type: "application/x-www-form-urlencoded")
        }
    }
}

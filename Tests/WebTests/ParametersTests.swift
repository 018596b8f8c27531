// SPDX-License-Identifier: Apache-2.0
// Parameters in every form a client sends them, and everything that is none.

import Domain
import HTTPTypes
import Testing

@testable import Web

/// The parameters of a POST with this body.
func parameters(_ body: String, type: String = "application/json", query: String = "") throws -> Parameters {
    try parameters(bytes: Array(body.utf8), type: type, query: query)
}

func parameters(bytes: [UInt8], type: String = "application/json", query: String = "") throws -> Parameters {
    try Request(method: .post, path: "/", query: query, headers: [.contentType: type], body: bytes).parameters()
}

/// The problem that `body` throws.
func problem(_ body: () throws -> Void) -> Problem? {
    do {
        try body()
        return nil
    } catch { return error as? Problem }
}

@Suite struct ParametersTests {
    static let form = "application/x-www-form-urlencoded"

    @Test func queryFormAndJSONMeanTheSame() throws {
        let forms = [
            try parameters("", query: "status=a%20b&ids[]=1&ids[]=2&on=true&poll[options][]=x&poll[options][]=y"),
            try parameters("status=a+b&ids%5B%5D=1&ids[]=2&on=1&poll[options][]=x&poll[options][]=y", type: Self.form),
            try parameters(#"{"status":"a b","ids":["1",2],"on":true,"poll":{"options":["x","y"]}}"#),
        ]
        for form in forms {
            #expect(try form.string("status") == "a b")
            #expect(try form.strings("ids") == ["1", "2"])
            #expect(try form.boolean("on") == true)
            #expect(try form.nested("poll")?.strings("options") == ["x", "y"])
        }
    }

    @Test func bodyWinsOverQueryAndLaterOverEarlier() throws {
        let form = try parameters("a=3&a=4", type: Self.form, query: "a=1&a=2&b=5")
        #expect(try form.string("a") == "4")
        #expect(try form.string("b") == "5")
        #expect(try parameters(#"{"a":1,"a":2}"#).integer("a") == 2)
    }

    @Test func numberedMembersAreAList() throws {
        let form = try parameters(
            "fields[1][name]=b&fields[0][name]=a&fields[10][name]=c&tags[]=x&each[][a]=1&each[][b]=2&each[][a]=3",
            type: Self.form
        )
        #expect(try form.list("fields")?.map { try $0.string("name") } == ["a", "b", "c"])
        let each = try #require(try form.list("each"))
        #expect(each.count == 2)
        #expect(try each.first?.string("b") == "2")
        let json = try parameters(#"{"fields":[{"name":"a"}],"more":{"0":{"name":"b"}}}"#)
        #expect(try json.list("fields")?.first?.string("name") == "a")
        #expect(try json.list("more")?.first?.string("name") == "b")
    }

    @Test func nullIsAbsentAndEmptyBodyIsNoParameters() throws {
        #expect(try parameters(#"{"a":null}"#).contains("a") == false)
        #expect(try parameters("").names.isEmpty)
        #expect(try parameters("  \n").names.isEmpty)
        #expect(try parameters("null").names.isEmpty)
    }

    @Test func bodyWithoutATypeIsReadAsWhatItLooksLike() throws {
        let json = Request(method: .post, path: "/", body: Array(#"{"a":"1"}"#.utf8))
        #expect(try json.parameters().string("a") == "1")
        #expect(try Request(method: .post, path: "/", body: Array("a=1".utf8)).parameters().string("a") == "1")
        let other = Request(method: .post, path: "/", headers: [.contentType: "text/csv"], body: [65])
        #expect(problem { _ = try other.parameters() }?.status == .unsupportedMediaType)
    }

    @Test(arguments: ["-1", "0", "2147483648", "9223372036854775807", "-9223372036854775808", "5.0", "5e0"])
    func wholeNumbers(_ text: String) throws {
        #expect(try parameters("n=\(text)", type: Self.form).integer("n") != nil)
        #expect(try parameters(#"{"n":\#(text)}"#).integer("n") != nil)
    }

    @Test(arguments: ["9223372036854775808", "1e400", "-1e400", "NaN", "inf", "0x10", "1.5", "", " 1", "１", "1e-400"])
    func notWholeNumbers(_ text: String) throws {
        let form = try parameters("n=\(text)&limit=\(text)&max_id=\(text)", type: Self.form)
        if text != "1e-400" { #expect(problem { _ = try form.integer("n") }?.status == .badRequest) }
        #expect(problem { _ = try form.page(default: 20, maximum: 40) }?.status == .badRequest)
        let numbers = try parameters(#"{"n":"\#(text)"}"#)
        if text != "1e-400" { #expect(problem { _ = try numbers.integer("n") }?.status == .badRequest) }
    }

    @Test func pagesAreClampedOrRefused() throws {
        func page(_ query: String) throws -> Page {
            try Request(method: .get, path: "/", query: query).parameters().page(default: 20, maximum: 40)
        }
        #expect(try page("") == Page(limit: 20))
        #expect(try page("limit=100") == Page(limit: 40))
        #expect(try page("limit=9223372036854775807") == Page(limit: 40))
        #expect(try page("max_id=5&since_id=6&min_id=7&limit=1") == Page(before: 5, since: 6, after: 7, limit: 1))
        for bad in [
            "limit=0", "limit=-1", "max_id=-1", "min_id=x", "since_id=", "max_id=99999999999999999999",
        ] {
            #expect(problem { _ = try page(bad) }?.status == .badRequest, "\(bad)")
        }
    }

    @Test func idsAreDecimalOrAbsent() throws {
        let form = try parameters("a=&b=12&c=x&d[]=1&d[]=2", type: Self.form)
        #expect(try form.id("a") as PostID? == nil)
        #expect(try form.id("b") == PostID(12))
        #expect(problem { _ = try form.id("c") as PostID? }?.status == .badRequest)
        #expect(try form.ids("d") == [PostID(1), PostID(2)])
        #expect(try parameters(#"{"b":12}"#).id("b") == PostID(12))
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%00", "a=%ff", "a=%C0%80", "a=%ED%A0%80", "%=1"])
    func brokenPercentEncodingIsRefused(_ text: String) {
        #expect(problem { _ = try parameters(text, type: Self.form) }?.status == .badRequest)
        #expect(problem { _ = try parameters("", query: text) }?.status == .badRequest)
    }

    @Test func namesAreBounded() {
        let many = (0...1000).map { "a\($0)=1" }.joined(separator: "&")
        #expect(problem { _ = try parameters(many, type: Self.form) }?.status == .badRequest)
        let deep = "a" + String(repeating: "[b]", count: 100_000) + "=1"
        #expect(problem { _ = try parameters(deep, type: Self.form) }?.status == .badRequest)
    }

    @Test func wrongKindsAreRefused() throws {
        let json = try parameters(#"{"text":["a"],"list":{"x":1},"members":"a","truth":"maybe","many":[["a"]]}"#)
        #expect(problem { _ = try json.string("text") }?.status == .badRequest)
        #expect(problem { _ = try json.list("list") }?.status == .badRequest)
        #expect(problem { _ = try json.strings("list") }?.status == .badRequest)
        #expect(problem { _ = try json.nested("members") }?.status == .badRequest)
        #expect(problem { _ = try json.boolean("truth") }?.status == .badRequest)
        #expect(problem { _ = try json.strings("many") }?.status == .badRequest)
    }
}

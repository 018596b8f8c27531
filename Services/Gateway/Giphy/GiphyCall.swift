// SPDX-License-Identifier: Apache-2.0
// A request for GIPHY, asked of media.

import GatewayService
import NIOCore
import NIOHTTP1
import Surface
import Views

/// Media answers in GIPHY's form, so that its bytes are passed on as they are.
struct GiphyCall: Sendable {
    private static let parameters = [
        "q", "s", "tag", "ids", "gif_id", "limit", "offset", "rating", "lang", "weirdness", "api_key",
    ]

    /// Behind `/api/v1/gifs/`.
    private let name: String
    private let kind: String
    /// Seconds for which anybody may keep the answer.
    private let freshness: Int?

    init(_ name: String, _ kind: String, freshFor freshness: Int? = nil) {
        (self.name, self.kind, self.freshness) = (name, kind, freshness)
    }

    func run(_ request: WorkRequest) async throws -> WorkAnswer {
        // Of an id, so that nobody comes to other paths by it.
        guard !name.isEmpty || request.names.allSatisfy(GiphyCall.isID) else { throw GiphyFailure.notFound }
        let answer = try await request.ask(ServiceCall(.GET, .media, path(request)))
        guard answer.isGood else { throw GiphyFailure(answer) }
        let caching = freshness.map { "public, max-age=\($0)" } ?? "no-store"
        return WorkAnswer(body: Array(answer.body.readableBytesView), fields: [("Cache-Control", caching)])
    }

    /// Whether it is of letters, digits, hyphens and underscores, and no path of media is called so.
    private static func isID(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        } && !paths.contains("/api/v1/gifs/\(name)")
    }

    private static let paths = Set(GifEndpoint.allCases.map(\.endpoint.path))

    private func path(_ request: WorkRequest) -> String {
        let parts = (name.isEmpty ? [] : [name]) + request.names
        let path = (["/api/v1/gifs"] + parts.map(GiphyCall.encoded)).joined(separator: "/")
        let given = GiphyCall.parameters.compactMap { name in
            request.parameter(name).map { "&\(name)=\(GiphyCall.encoded($0))" }
        }
        return "\(path)?kind=\(kind)\(given.joined())"
    }

    /// Percent-encodes all but what never needs it (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

enum GiphyAnswer {
    /// A name that an app may give its user; nobody here keeps it.
    static func randomID() -> WorkAnswer {
        let id = (0..<2).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }.joined()
        let json = JSONWriter.object { json in
            json.object("data") { $0.member("random_id", id) }
            GiphyAnswer.writeMeta(200, "OK", to: &json)
        }
        return WorkAnswer(body: json, fields: [("Cache-Control", "no-store")])
    }

    static func writeMeta(_ status: Int, _ text: String, to json: inout JSONWriter) {
        json.object("meta") { json in
            json.member("status", status)
            json.member("msg", text)
            json.member("response_id", "")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// A dialect in the manner of GIPHY, with nothing but what the gateway offers to any: note the imports.

import GatewayService
import HTTPTypes
import NIOCore
import NIOHTTP1
import Surface
import Views
import Web

/// Two routes whose key stands in the query, and problems that say `meta`.
struct GifDialect: Dialect {
    /// Where a route tells how its work ended.
    var ended: @Sendable (any Error) -> Void = { _ in }

    struct Missing: Error {}

    var routes: [DialectRoute] {
        [
            DialectRoute(.GET, "/gifs/v1/:id", .read, needsAccount: false) { request in
                let call = ServiceCall(.GET, .posts, "/api/v1/gifs/\(request.names.first ?? "")")
                let answer = try await request.ask(call)
                guard answer.status != 404 else { throw Missing() }
                let title = String(decoding: answer.body.readableBytesView, as: UTF8.self)
                return GifDialect.answer(200, "OK") { $0.object("data") { $0.member("title", title) } }
            },
            DialectRoute(.POST, "/gifs/v1/:id/repeat", .write) { [ended] request in
                do {
                    let times = request.parameter("times").flatMap { Int($0) } ?? 1
                    for number in 0..<min(max(times, 0), 100) {
                        _ = try await request.ask(ServiceCall(.POST, .chat, "/\(number)") { $0.member("n", number) })
                    }
                } catch {
                    ended(error)
                    throw error
                }
                return GifDialect.answer(201, "Created") { _ in }
            },
        ]
    }

    func owns(_ path: String) -> Bool { path.hasPrefix("/gifs/") }

    func token(_ headers: HTTPHeaders, parameter: (String) -> String?) -> String? { parameter("api_key") }

    func answer(to error: any Error, headers: HTTPHeaders) -> WorkAnswer {
        switch error {
        case is Missing: GifDialect.answer(404, "Not Found") { _ in }
        case let problem as Problem:
            GifDialect.answer(problem.status.code, problem.code) { _ in }
        default: GifDialect.answer(500, "fault") { _ in }
        }
    }

    private static func answer(_ status: Int, _ text: String, _ members: (inout JSONWriter) -> Void) -> WorkAnswer {
        var json = JSONWriter()
        json.object { json in
            members(&json)
            json.object("meta") { json in
                json.member("status", status)
                json.member("msg", text)
            }
        }
        return WorkAnswer(status, type: "application/json", body: json.bytes, fields: [("X-Gifs", text)])
    }
}

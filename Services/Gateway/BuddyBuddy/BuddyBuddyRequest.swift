// SPDX-License-Identifier: Apache-2.0
// What is read of a request of the app, and of the answers of our services to it.

import Calls
import Domain
import FoundationEssentials
import GatewayService
import HTTPTypes
import NIOCore
import NIOHTTP1
import Views
import Web

extension WorkRequest {
    /// The varying part at `index`, if it is an id of ours: only such is put into a path.
    func id(_ index: Int) throws(BuddyBuddyFailure) -> String {
        guard names.indices.contains(index), let id = ID<Kind.Post>(names[index]), id.rawValue > 0 else {
            throw .notFound
        }
        return id.description
    }

    /// The fields of the body. Some versions of the app name no type or the wrong header for it, so that the body's
    /// first byte decides; a multipart body without a boundary begins with it.
    func fields() throws(BuddyBuddyFailure) -> Parameters {
        var fields: HTTPFields = [:]
        if let type = FormType.of(headers, start: body) {
            fields[.contentType] = type
        } else if body.starts(with: "--".utf8) {
            throw .badRequest("bad-request")
        } else if body.first == UInt8(ascii: "{") {
            fields[.contentType] = "application/json"
        } else {
            fields[.contentType] = "application/x-www-form-urlencoded"
        }
        let request = Request(method: .post, path: path, headers: fields, body: body)
        do {
            return try request.parameters()
        } catch {
            throw .badRequest("bad-request")
        }
    }

    /// A moment of the query: RFC 3339, also with a plus sign that somebody did not escape. Nil when it is missing
    /// or unreadable: then there is no limit.
    func moment(_ name: String) -> String? {
        guard let text = parameter(name), !text.isEmpty else { return nil }
        let candidates = [text, text.replacing(" ", with: "+"), text.replacing(" ", with: "T")]
        return candidates.lazy.compactMap { Timestamp(rfc3339: $0) }.first?.rfc3339
    }

    // MARK: Services

    /// Asks, and reads a good answer.
    func read<Body: Decodable>(_ call: ServiceCall, as type: Body.Type = Body.self) async throws -> Body {
        try await ask(call).read(type)
    }

    /// The same of a call that only the gateway may make.
    func read<Body: CallBody>(_ call: ServiceCall, as type: Body.Type = Body.self) async throws -> Body {
        let answer = try await ask(call)
        try answer.require()
        guard let body = Body(answer: answer.body) else { throw BuddyBuddyFailure.broken }
        return body
    }

    /// Asks, and needs no more than that it was done.
    func perform(_ call: ServiceCall) async throws { try await ask(call).require() }
}

extension Parameters {
    /// A field as text; nil when it is missing.
    func text(_ name: String) throws(BuddyBuddyFailure) -> String? {
        do {
            return try string(name)
        } catch {
            throw .badRequest("bad-request", field: name)
        }
    }

    /// The uploads that media made of a field's files.
    func uploads(_ name: String) throws(BuddyBuddyFailure) -> [String] {
        do {
            return try strings(name)?.filter { !$0.isEmpty } ?? []
        } catch {
            throw .badRequest("bad-request", field: name)
        }
    }

    /// A field that is a file is refused, in words, where there is nowhere to show it.
    func refuseFiles(_ names: String...) throws(BuddyBuddyFailure) {
        for name in names where contains(name) {
            let text = try? string(name)
            guard text?.isEmpty == true else { throw .uploads }
        }
    }
}

extension ServiceAnswer {
    /// The body of a good answer.
    func read<Body: Decodable>(_ type: Body.Type = Body.self) throws(BuddyBuddyFailure) -> Body {
        try require()
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw .broken
        }
    }

    func require() throws(BuddyBuddyFailure) {
        guard isGood else { throw BuddyBuddyFailure(self) }
    }
}

extension WorkAnswer {
    static func tell(_ json: [UInt8]) -> WorkAnswer {
        WorkAnswer(body: json, fields: [("Cache-Control", "private, no-store")])
    }

    static func tell(_ view: some View) -> WorkAnswer { .tell(view.json()) }

    static func tell(_ views: [some View]) -> WorkAnswer {
        var json = JSONWriter(capacity: 4096)
        json.array(views)
        return .tell(json.bytes)
    }

    /// Where the app reads nothing but the status.
    static var done: WorkAnswer { .tell(Array("{}".utf8)) }
}

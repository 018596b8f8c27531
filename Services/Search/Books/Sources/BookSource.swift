// SPDX-License-Identifier: Apache-2.0
// Somebody outside who has books, as the catalogue sees them.

import Domain
import JSON
import NIOCore
import Outbound

/// In the order in which their word counts.
enum BookSourceName: String, Codable, CaseIterable, Hashable, Sendable, Comparable {
    case naver, kakao
    case google
    case openLibrary = "openlibrary"

    var rank: Int { BookSourceName.allCases.firstIndex(of: self) ?? 0 }

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

extension BookSourceName: CustomStringConvertible {
    var description: String { rawValue }
}

/// A catalogue outside: how it is asked and how it is read. When it is asked is not its own to say.
protocol BookSource: Sendable {
    var name: BookSourceName { get }
    var access: BookAccess { get }
    /// Path and query.
    func path(_ call: BookCall) -> String
    var headers: [(name: String, value: String)] { get }
    /// Whether they say that they have nothing: of words that they do not take.
    func isNothing(_ answer: OutboundAnswer) -> Bool
    /// Nil for what is no answer of theirs.
    func read(_ answer: RawJSON, to call: BookCall) -> ToldBooks?
}

/// How an operator may ask a source.
struct BookAccess: Sendable {
    let server: ServerAddress
    /// Stand in requests to them alone: in no answer, no row and no log.
    var secrets: [String] = []
    /// How often they are asked on a day of UTC, at most.
    var daily: Int
}

extension BookSource {
    var headers: [(name: String, value: String)] { [] }

    func isNothing(_ answer: OutboundAnswer) -> Bool { answer.status == 400 }

    func request(_ call: BookCall, time: Duration, from site: String) -> OutboundRequest {
        OutboundRequest(
            .get,
            access.server.origin + path(call),
            headers: [("User-Agent", "Madang (+\(site)) books"), ("Accept", "application/json")] + headers,
            limits: .init(bytes: BookCall.longest, time: time),
            guard: .operators(access.server.hostName, port: access.server.port)
        )
    }

    /// What they answered; throws `NoAnswer` for what is no answer of theirs.
    func read(_ answer: OutboundAnswer, to call: BookCall) throws(NoAnswer) -> ToldBooks {
        if isNothing(answer) { return ToldBooks(books: [], total: 0) }
        try answer.requireWhole()
        guard let text = String(validating: answer.body, as: UTF8.self),
            var told = read(RawJSON(ByteBuffer(string: text)), to: call)
        else { throw .unreadable }
        told.books = Array(told.books.prefix(call.range.count))
        if case .isbn(let isbn) = call { told.books.removeAll { $0.isbn != isbn } }
        told.books.removeAll { book in
            // They may repeat what they were sent.
            guard let json = try? book.json else { return true }
            return access.secrets.contains { json.contains($0) }
        }
        var seen: Set<String> = []
        told.books.removeAll { !seen.insert($0.id).inserted }
        return told
    }
}

extension RawJSON {
    /// A number of things, from 0 on.
    var count: Int? { integer.map { Int(clamping: max(0, min($0, 1_000_000_000))) } }

    /// The texts of an array; what is none is left out.
    var texts: [String] { elements?.compactMap(\.text) ?? [] }
}

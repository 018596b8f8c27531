// SPDX-License-Identifier: Apache-2.0
// What is asked of search, and of posts and chat to show what it found.

import Calls
import Domain
import HTTPTypes
import JSON
import NIOCore
import NIOHTTP1
import Surface
import Views
import Web

extension WorkRequest {
    /// The parameters of a request that reads.
    func parameters() throws -> Parameters {
        var fields: HTTPFields = [:]
        fields[.contentType] = headers.first(name: "content-type")
        let query = target.query ?? ""
        return try Request(method: .get, path: path, query: query, headers: fields, body: body).parameters()
    }

    // MARK: Search

    /// What search finds for the caller; without asking when there is nothing to look for.
    func find(_ question: SearchQuestion) async throws -> SearchFindings {
        guard !question.kinds.isEmpty, question.text.contains(where: { !$0.isWhitespace }) else {
            return SearchFindings([:])
        }
        let answer = try await askSearch(ServiceCall(.search, askedByCaller: SearchCall.find, question))
        guard let findings = SearchFindings(answer: answer) else {
            throw WorkRequest.isAway("what it found cannot be read")
        }
        return findings
    }

    /// Whatever search does instead of answering, it is away and may be back in a moment.
    func askSearch(_ call: ServiceCall) async throws -> ByteBuffer {
        let answer: ServiceAnswer
        do {
            answer = try await ask(call)
        } catch let problem as Problem {
            throw WorkRequest.isAway(problem.cause ?? problem.code, retryAfter: problem.headers[.retryAfter])
        }
        if answer.isGood { return answer.body }
        guard answer.status >= 500 else { throw ServiceRefusal(answer) }
        throw WorkRequest.isAway("search: \(answer.status)", retryAfter: answer.retryAfter)
    }

    static func isAway(_ cause: String, retryAfter: String? = nil) -> Problem {
        var problem = Problem.unavailable(cause: cause)
        if let retryAfter { problem.headers[.retryAfter] = retryAfter }
        return problem
    }

    // MARK: Posts and chat

    /// Accounts as posts shows them, the one with the name first: a JSON array.
    func show(accounts: FoundAccounts) async throws -> ByteBuffer {
        guard !accounts.ids.isEmpty || accounts.name != nil else { return .emptyList }
        return try await need(ServiceCall(.posts, askedByCaller: PostsCall.getFoundAccounts, accounts))
    }

    /// Posts that the caller may see, 40 at most: a JSON array.
    func show(posts: [PostID]) async throws -> ByteBuffer {
        guard !posts.isEmpty else { return .emptyList }
        let query = posts.map { "id[]=\($0)" }.joined(separator: "&")
        return try await need(ServiceCall(.GET, .posts, "\(PostEndpoint.postsByIDs.path)?\(query)"))
    }

    /// Projects that the caller may see: a JSON array.
    func show(projects: [ProjectID]) async throws -> ByteBuffer {
        guard !projects.isEmpty else { return .emptyList }
        return try await need(
            ServiceCall(.posts, askedByCaller: PostsCall.getFoundProjects, FoundThings(projects))
        )
    }

    /// Records of reading that the caller may see: a JSON array.
    func show(records: [RecordID]) async throws -> ByteBuffer {
        guard !records.isEmpty else { return .emptyList }
        return try await need(ServiceCall(.posts, askedByCaller: PostsCall.getFoundRecords, FoundThings(records)))
    }

    func show(inChat found: FoundInChat) async throws -> ShownInChat {
        try WorkRequest.shown(try await need(ServiceCall(.chat, askedByCaller: ChatCall.getFound, found)))
    }

    static func shown(_ answer: ByteBuffer) throws -> ShownInChat {
        guard let shown = ShownInChat(answer: answer) else {
            throw Problem(.badGateway, "bad-gateway", cause: "chat: what it shows cannot be read")
        }
        return shown
    }

    // MARK: Answers

    /// What is answered to somebody is for nobody else.
    func answer(_ json: [UInt8]) -> WorkAnswer {
        WorkAnswer(body: json, fields: principal == nil ? [] : [("Cache-Control", "private, no-store")])
    }

    func answer(_ json: ByteBuffer) -> WorkAnswer { answer(Array(json.readableBytesView)) }

    /// Throws what somebody is told who may not.
    func require(_ access: Access) throws {
        try access.require(principal?.scopes, hasAccount: accountID != nil)
    }
}

extension ByteBuffer {
    static let emptyList = ByteBuffer(string: "[]")

    /// The ids of a list's objects.
    var ids: [Int64] {
        RawJSON(self).elements?.compactMap { $0.member("id")?.text.flatMap { Int64($0) } } ?? []
    }
}

extension Parameters {
    /// What somebody looks for; throws without one.
    func sought(_ name: String = "q") throws -> String {
        guard let text = try string(name) else { throw Problem.badRequest(name) }
        guard !text.utf8.contains(0) else { throw Problem.invalid(name, "invalid") }
        return text
    }

    /// A number, brought within bounds.
    func number(_ name: String, default standard: Int, _ bounds: ClosedRange<Int64>) throws -> Int {
        guard let number = try integer(name) else { return standard }
        return Int(min(max(number, bounds.lowerBound), bounds.upperBound))
    }
}

extension [Found] {
    var posts: [PostID] { map { PostID($0.id) } }
    var accounts: [AccountID] { map { AccountID($0.id) } }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, json: ByteBuffer) {
        self.name(name)
        raw(json.readableBytesView)
    }

    /// Where things were found, by their ids: of those alone that are shown.
    mutating func member(_ name: StaticString, excerptsOf found: [Found], shown: ByteBuffer) {
        let shown = Set(shown.ids)
        self.name(name)
        object { json in
            for found in found where shown.contains(found.id) {
                guard let excerpt = found.excerpt else { continue }
                json.dynamicName(String(found.id))
                json.string(excerpt)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// GET /api/v2/search, and /api/v1/search, where hashtags are texts.

import Calls
import Domain
import JSON
import NIOCore
import Surface
import Views
import Web

/// Finds accounts, posts and hashtags; playgrounds, channels and messages where they are asked for.
enum Search {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        let wish = try SearchWish(request)
        return request.answer(try await result(wish, request).json { $0.raw($1.bytes.readableBytesView) })
    }

    static func runOld(_ request: WorkRequest) async throws -> WorkAnswer {
        let wish = try SearchWish(request)
        let result = try await result(wish, request)
        return request.answer(result.json { $0.string($1.member("name")?.text ?? "") })
    }

    private static func result(_ wish: SearchWish, _ request: WorkRequest) async throws -> SearchResult {
        var result = SearchResult(wish.kinds)
        switch wish.subject {
        case .post(let id):
            if wish.has(.statuses) { result.statuses = try await request.show(posts: [id]) }
        case .account(let name):
            let named = FoundAccounts([], name: name, isFollowed: wish.isFollowed)
            if wish.has(.accounts) { result.accounts = try await request.show(accounts: named) }
        case .tag(let name):
            guard wish.has(.hashtags) else { break }
            let found = try await request.find(SearchQuestion("#\(name)", [.hashtag]))
            result.hashtags = found.tags.filter { $0.member("name")?.text?.lowercased() == name }
        case .words, .handle: try await look(wish, request, &result)
        }
        return result
    }

    private static func look(_ wish: SearchWish, _ request: WorkRequest, _ result: inout SearchResult) async throws {
        let found = try await request.find(wish.question)
        async let accounts = wish.has(.accounts) ? request.show(accounts: wish.accounts(found)) : .emptyList
        async let statuses = request.show(posts: found[.post].posts)
        async let chat = wish.asksChat ? request.show(inChat: wish.inChat(found)) : nil
        result.accounts = try await accounts
        result.statuses = try await statuses
        result.chat = try await chat
        result.hashtags = found.tags
        result.found = found
    }
}

extension SearchFindings {
    fileprivate var tags: [RawJSON] { hashtags.map { RawJSON(ByteBuffer(bytes: $0)) } }
}

/// What somebody asks for.
struct SearchWish: Sendable {
    /// What `type` names.
    enum Kind: String, CaseIterable, Sendable {
        case accounts, statuses, hashtags, playgrounds, channels, messages

        /// Those of the Mastodon API, which are meant when none is named.
        static let usual = [accounts, statuses, hashtags]

        var found: FoundKind {
            switch self {
            case .accounts: .account
            case .statuses: .post
            case .hashtags: .hashtag
            case .playgrounds: .playground
            case .channels: .channel
            case .messages: .message
            }
        }
    }

    let kinds: [Kind]
    let subject: SearchSubject
    let isFollowed: Bool
    private let text: String
    private let limit: Int
    private let offset: Int
    private let before: Int64?
    private let after: Int64?
    private let author: AccountID?
    /// Whoever is called so is found whether or not the index knows them by now.
    private let name: Username?

    init(_ request: WorkRequest) throws {
        if request.principal != nil { try request.require(.app("read:search")) }
        let parameters = try request.parameters()
        text = try parameters.sought()
        kinds = try SearchWish.kinds(parameters)
        limit = try parameters.number("limit", default: 20, 1...40)
        offset = try parameters.number("offset", default: 0, 0...1000)
        before = try parameters.cursor("max_id")
        after = try parameters.cursor("min_id") ?? parameters.cursor("since_id")
        author = try parameters.id("account_id")
        isFollowed = try parameters.boolean("following") ?? false
        // There are no reviews: every hashtag is as good as another.
        _ = try parameters.boolean("exclude_unreviewed")
        let resolves = try parameters.boolean("resolve") ?? false
        if offset > 0 || resolves || isFollowed { try request.require(.account("read:search")) }
        if kinds.contains(where: { !Kind.usual.contains($0) }) { try request.require(.account("read:chat")) }
        subject = SearchSubject(text, site: request.site)
        name = offset == 0 ? Username(acct: text.trimmed, domain: request.site.domain) : nil
    }

    private static func kinds(_ parameters: Parameters) throws -> [Kind] {
        let named = try (parameters.strings("type") ?? []).filter { !$0.isEmpty }
        let kinds = try named.map { name in
            guard let kind = Kind(rawValue: name) else { throw Problem.invalid("type", "invalid") }
            return kind
        }
        return kinds.isEmpty ? Kind.usual : Kind.allCases.filter(kinds.contains)
    }

    func has(_ kind: Kind) -> Bool { kinds.contains(kind) }
    var asksChat: Bool { kinds.contains { !Kind.usual.contains($0) } }

    /// Whoever is called by their whole name needs no looking for.
    var question: SearchQuestion {
        var isHandle = false
        if case .handle = subject { isHandle = true }
        return SearchQuestion(
            text,
            kinds.filter { !(isHandle && $0 == .accounts) }.map(\.found),
            limit: limit,
            offset: offset,
            before: before,
            after: after,
            author: author,
            isFollowed: isFollowed
        )
    }

    func accounts(_ found: SearchFindings) -> FoundAccounts {
        FoundAccounts(found[.account].accounts, name: name, isFollowed: isFollowed, limit: limit)
    }

    func inChat(_ found: SearchFindings) -> FoundInChat {
        var inChat = FoundInChat()
        inChat.playgrounds = found[.playground].map { PlaygroundID($0.id) }
        inChat.channels = found[.channel].map { ChannelID($0.id) }
        inChat.messages = found[.message].map { MessageID($0.id) }
        return inChat
    }
}

/// What was found, as others show it.
struct SearchResult: Sendable {
    private let kinds: [SearchWish.Kind]
    var accounts = ByteBuffer.emptyList
    var statuses = ByteBuffer.emptyList
    var hashtags: [RawJSON] = []
    var chat: ShownInChat?
    var found = SearchFindings([:])

    init(_ kinds: [SearchWish.Kind]) { self.kinds = kinds }

    /// - Parameter tag: writes a hashtag.
    func json(tag: (inout JSONWriter, RawJSON) -> Void) -> [UInt8] {
        return JSONWriter.object(capacity: 512 + accounts.readableBytes + statuses.readableBytes) { json in
            json.member("accounts", json: accounts)
            json.member("statuses", json: statuses)
            json.array("hashtags") { json in for hashtag in hashtags { tag(&json, hashtag) } }
            if kinds.contains(.playgrounds) { json.member("playgrounds", json: chat?.playgrounds ?? .emptyList) }
            if kinds.contains(.channels) { json.member("channels", json: chat?.channels ?? .emptyList) }
            if kinds.contains(.messages) { json.member("messages", json: chat?.messages ?? .emptyList) }
            json.object("highlights") { json in
                if kinds.contains(.statuses) {
                    json.member("statuses", excerptsOf: found[.post], shown: statuses)
                }
                if kinds.contains(.messages) {
                    json.member("messages", excerptsOf: found[.message], shown: chat?.messages ?? .emptyList)
                }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The bodies of what the gateway asks search for. Search finds; posts and chat show, and say once more who may see.

public import Domain
import JSON
public import NIOCore
public import Views
public import Web

/// Kinds of things that are found.
public enum FoundKind: String, CaseIterable, Sendable {
    case account, post, hashtag, playground, channel, message, project, record
}

// MARK: find

/// What `SearchCall.find` is asked, by the principal that goes with it.
public struct SearchQuestion: CallBody, Equatable {
    /// As it was typed, filters in it.
    public var text: String
    public var kinds: [FoundKind]
    /// Of each kind, from 1 to 80.
    public var limit: Int
    /// How many of each kind are passed over, from 0 to 1000.
    public var offset: Int
    /// Ids below this only.
    public var before: Int64?
    /// Ids above this only.
    public var after: Int64?
    /// Posts and messages by this account only.
    public var author: AccountID?
    /// Accounts that the asking one follows only.
    public var isFollowed: Bool
    /// A playground or a channel to look in. Accounts are its members then.
    public var place: Int64?
    /// Whether accounts are found by their names only, as mentions are completed.
    public var isCompletion: Bool
    /// Where a page of projects or of records goes on, as the one before said. Of these, an offset counts for nothing.
    public var cursor: String?

    public init(
        _ text: String,
        _ kinds: [FoundKind],
        limit: Int = 20,
        offset: Int = 0,
        before: Int64? = nil,
        after: Int64? = nil,
        author: AccountID? = nil,
        isFollowed: Bool = false,
        place: Int64? = nil,
        isCompletion: Bool = false,
        cursor: String? = nil
    ) {
        self.text = text
        self.kinds = kinds
        self.limit = limit
        self.offset = offset
        self.before = before
        self.after = after
        self.author = author
        self.isFollowed = isFollowed
        self.place = place
        self.isCompletion = isCompletion
        self.cursor = cursor
    }

    public init(_ parameters: Parameters) throws {
        guard let text = try parameters.string("text") else { throw Problem.badRequest("text") }
        let kinds = try (parameters.strings("kinds") ?? []).compactMap(FoundKind.init(rawValue:))
        guard !kinds.isEmpty else { throw Problem.badRequest("kinds") }
        self.init(
            text,
            kinds,
            limit: try parameters.limit(default: 20, maximum: 80),
            offset: Int(min(max(try parameters.integer("offset") ?? 0, 0), 1000)),
            before: try parameters.integer("before"),
            after: try parameters.integer("after"),
            author: try parameters.id("author_id"),
            isFollowed: try parameters.boolean("followed") ?? false,
            place: try parameters.integer("place"),
            isCompletion: try parameters.boolean("completion") ?? false,
            cursor: try parameters.string("cursor")
        )
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("text", text)
        json.member("kinds", kinds.map(\.rawValue))
        json.member("limit", limit)
        json.member("offset", offset)
        if let before { json.member("before", before) }
        if let after { json.member("after", after) }
        if let author { json.member("author_id", author) }
        if isFollowed { json.member("followed", true) }
        if let place { json.member("place", place) }
        if isCompletion { json.member("completion", true) }
        if let cursor { json.member("cursor", cursor) }
    }
}

/// What was found of a kind whose things others show.
public struct Found: Equatable, Sendable {
    public let id: Int64
    /// Where it was found: a part of the text as HTML, with `<em>` around what matched; nil for what is found by its name.
    public let excerpt: String?

    public init(_ id: Int64, excerpt: String? = nil) { (self.id, self.excerpt) = (id, excerpt) }
}

/// What `SearchCall.find` is answered: of each kind that was asked for, best first.
public struct SearchFindings: ObjectView {
    public private(set) var found: [FoundKind: [Found]]
    /// Mastodon's `Tag` entities, as JSON.
    public let hashtags: [[UInt8]]
    /// Where the next page of projects or of records begins; nil at the end, and where several kinds were asked for.
    public let next: String?

    public init(_ found: [FoundKind: [Found]], hashtags: [[UInt8]] = [], next: String? = nil) {
        (self.found, self.hashtags, self.next) = (found, hashtags, next)
    }

    /// Nil for what is no such answer.
    public init?(answer: ByteBuffer) {
        guard let members = RawJSON(answer).members else { return nil }
        var (found, hashtags): ([FoundKind: [Found]], [[UInt8]]) = ([:], [])
        for (name, value) in members {
            guard let kind = FoundKind(rawValue: name), let elements = value.elements else { continue }
            if kind == .hashtag {
                hashtags = elements.map { Array($0.bytes.readableBytesView) }
            } else {
                found[kind] = elements.compactMap { element in
                    element.member("id")?.text.flatMap { Int64($0) }.map {
                        Found($0, excerpt: element.member("excerpt")?.text)
                    }
                }
            }
        }
        self.init(found, hashtags: hashtags, next: RawJSON(answer).member("next")?.text)
    }

    public subscript(_ kind: FoundKind) -> [Found] { found[kind] ?? [] }

    public func writeMembers(to json: inout JSONWriter) {
        for kind in FoundKind.allCases where kind != .hashtag {
            guard let found = found[kind] else { continue }
            json.dynamicName(kind.rawValue)
            json.array { json in
                for found in found {
                    json.object { json in
                        json.member("id", String(found.id))
                        if let excerpt = found.excerpt { json.member("excerpt", excerpt) }
                    }
                }
            }
        }
        json.name("hashtag")
        json.array { json in for tag in hashtags { json.raw(tag) } }
        if let next { json.member("next", next) }
    }
}

// MARK: suggestPeople, trendingPosts

/// Somebody whom one might follow.
public struct SuggestedPerson: Equatable, Sendable {
    public let id: AccountID
    /// Why, in Mastodon's words: `friends_of_friends`, `most_followed` or `most_interactions`.
    public let sources: [String]

    public init(_ id: AccountID, sources: [String]) { (self.id, self.sources) = (id, sources) }
}

/// What `SearchCall.suggestPeople` is answered, best first.
public struct SuggestedPeople: ObjectView {
    public let people: [SuggestedPerson]

    public init(_ people: [SuggestedPerson]) { self.people = people }

    /// Nil for what is no such answer.
    public init?(answer: ByteBuffer) {
        guard let people = RawJSON(answer).member("people")?.elements else { return nil }
        self.init(
            people.compactMap { person in
                person.member("id")?.text.flatMap { AccountID($0) }.map {
                    SuggestedPerson($0, sources: person.member("sources")?.elements?.compactMap(\.text) ?? [])
                }
            }
        )
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.array("people", people) { json, person in
            json.member("id", person.id)
            json.member("sources", person.sources)
        }
    }
}

/// What `SearchCall.trendingPosts` is answered, best first.
public struct TrendingPosts: ObjectView {
    public let ids: [PostID]

    public init(_ ids: [PostID]) { self.ids = ids }

    /// Nil for what is no such answer.
    public init?(answer: ByteBuffer) {
        guard let ids = RawJSON(answer).member("ids")?.elements else { return nil }
        self.init(ids.compactMap { $0.text.flatMap { PostID($0) } })
    }

    public func writeMembers(to json: inout JSONWriter) { json.member("ids", ids.map(\.description)) }
}

// SPDX-License-Identifier: Apache-2.0
// POST /internal/search: what somebody may find.

import Calls
import Domain
import Postgres
import Views
import Web

enum Find {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let question = try SearchQuestion(request.parameters())
        let finding = Finding(question, for: request.principal?.account?.id, dependencies)
        let findings = try await finding.findings()
        if let viewer = request.principal?.account?.id, !question.isCompletion, !findings.isEmpty {
            dependencies.queries.note(question.text, by: viewer)
        }
        return .json(findings)
    }
}

extension SearchFindings {
    fileprivate var isEmpty: Bool { hashtags.isEmpty && FoundKind.allCases.allSatisfy { self[$0].isEmpty } }
}

extension FoundKind {
    /// Of what is paged by cursors.
    fileprivate var paged: SearchKind? {
        switch self {
        case .project: .project
        case .record: .reading
        case .account, .post, .hashtag, .playground, .channel, .message: nil
        }
    }
}

/// One question, answered for one person.
struct Finding: Sendable {
    private let question: SearchQuestion
    private let viewer: AccountID?
    private let dependencies: Dependencies
    /// Without what is not for the index itself: our own domain, and places by their names.
    private let query: SearchQuery

    init(_ question: SearchQuestion, for viewer: AccountID?, _ dependencies: Dependencies) {
        self.question = question
        self.viewer = viewer
        self.dependencies = dependencies
        query = SearchQuery(question.text).here(dependencies.site)
    }

    func findings() async throws -> SearchFindings {
        let kinds = Set(question.kinds)
        if let kind = kinds.first, kinds.count == 1, let paged = kind.paged {
            let page = try await page(paged)
            return SearchFindings([kind: page.found], next: page.next)
        }
        let answers = try await withThrowingTaskGroup(of: (FoundKind, [Found]).self) { group in
            for kind in kinds where kind != .hashtag { group.addTask { (kind, try await found(kind)) } }
            return try await group.reduce(into: [FoundKind: [Found]]()) { $0[$1.0] = $1.1 }
        }
        return SearchFindings(answers, hashtags: kinds.contains(.hashtag) ? try await hashtags() : [])
    }

    /// What stands on one page.
    private func page(_ kind: SearchKind) async throws -> (found: [Found], next: String?) {
        let page = try await TitledPage.of(kind, question, viewer, dependencies)
        return (page.hits.map { Found($0.id, excerpt: Excerpt.html($0)) } + page.named.map { Found($0) }, page.next)
    }

    private func found(_ kind: FoundKind) async throws -> [Found] {
        switch kind {
        case .account: try await named(.account, thenByWords: !question.isCompletion)
        case .playground: try await named(.playground, thenByWords: true)
        case .channel: try await named(.channel, thenByWords: true)
        case .post: try await byWords(.post)
        case .message: try await byWords(.message)
        case .hashtag: []
        case .project: try await page(.project).found
        case .record: try await page(.reading).found
        }
    }

    // MARK: By names

    private var wanted: Int { question.offset + question.limit }

    /// What is called so, best first; then what says so of itself.
    private func named(_ kind: SearchKind, thenByWords: Bool) async throws -> [Found] {
        var ids = try await names(kind)
        if ids.count < wanted, thenByWords {
            let seen = Set(ids)
            ids += try await within(
                kind,
                words(kind, most: wanted + seen.count).map(\.id).filter { !seen.contains($0) }
            )
        }
        return ids.dropFirst(question.offset).prefix(question.limit).map { Found($0) }
    }

    private func names(_ kind: SearchKind) async throws -> [Int64] {
        let text = query.nameText
        if let circle = circle(of: kind) {
            return try await CircleStore.named(
                text,
                kind,
                in: circle,
                for: viewer,
                most: wanted,
                in: dependencies.bounded
            )
        }
        let request = NameRequest(text, [kind], viewer: viewer, limit: wanted)
        return try await dependencies.index.complete(request).map(\.id)
    }

    /// Among whom or what is looked, where that is not everything; nobody follows for who is not signed in.
    private func circle(of kind: SearchKind) -> Circle? {
        switch kind {
        case .account where question.isFollowed: .followed(by: viewer ?? AccountID(0))
        case .account: question.place.map { .members(of: $0, for: viewer ?? AccountID(0)) }
        case .channel: question.place.map { .channels(of: $0) }
        default: nil
        }
    }

    /// Those of some that are in the circle, in their order.
    private func within(_ kind: SearchKind, _ ids: [Int64]) async throws -> [Int64] {
        guard let circle = circle(of: kind), !ids.isEmpty else { return ids }
        let inside = try await CircleStore.among(ids, in: circle, in: dependencies.bounded)
        return ids.filter(inside.contains)
    }

    private func hashtags() async throws -> [[UInt8]] {
        let request = NameRequest(query.nameText, [.hashtag], viewer: viewer, limit: wanted)
        let ids = try await dependencies.index.complete(request).dropFirst(question.offset).prefix(question.limit).map(
            \.id
        )
        return try await Tags.views(ids, dependencies).map { $0.json() }
    }

    // MARK: By words

    private func byWords(_ kind: SearchKind) async throws -> [Found] {
        try await words(kind, most: wanted).dropFirst(question.offset).map { Found($0.id, excerpt: Excerpt.html($0)) }
    }

    /// The first so many, a page of the index after the other.
    private func words(_ kind: SearchKind, most: Int) async throws -> [SearchHit] {
        guard var search = try await request(kind) else { return [] }
        var hits: [SearchHit] = []
        while true {
            search.limit = min(most - hits.count, 80)
            let page = try await dependencies.index.find(search)
            hits += page.hits
            search.cursor = page.next
            guard hits.count < most, page.next != nil, !page.isCut else { return hits }
        }
    }

    /// Nil where nothing can be found.
    private func request(_ kind: SearchKind) async throws -> SearchRequest? {
        var (query, places) = (query, [Int64]?.none)
        if kind == .message {
            guard let viewer else { return nil }
            if let place = question.place { places = try await channels("", place, of: viewer) }
            for restriction in query.restrictions {
                guard case .inside(let name) = restriction.filter else { continue }
                let named = try await channels(name, Int64(name), of: viewer)
                query.restrictions.removeAll { $0 == restriction }
                if restriction.isExcluded {
                    query.restrictions += named.prefix(SearchQuery.filterLimit).map {
                        SearchQuery.Restriction(.inside("\($0)"), isExcluded: true)
                    }
                } else {
                    places = places.map { $0.filter(named.contains) } ?? named
                }
            }
            if places?.isEmpty == true { return nil }
        }
        // Signs alone are nothing to look for.
        guard
            !query.restrictions.isEmpty || places != nil
                || query.words.contains(where: { !$0.isExcluded && Wanted(exactly: $0.text) != nil })
        else { return nil }
        var search = SearchRequest(kind, query, viewer: viewer)
        search.before = question.before
        search.after = question.after
        search.author = question.author
        search.places = places ?? []
        return search
    }

    private func channels(_ name: String, _ id: Int64?, of viewer: AccountID) async throws -> [Int64] {
        return try await PlaceStore.channels(of: viewer, named: name, or: id, in: dependencies.bounded)
    }
}

extension SearchQuery {
    /// With `mina` for `@mina@example.org`, where that is this server.
    func here(_ site: Site) -> SearchQuery {
        var query = self
        query.words = words.map { word in
            guard word.text.hasPrefix("@") || word.text.hasSuffix("@\(site.domain)") else { return word }
            return Word(Self.local(word.text, site), isPhrase: word.isPhrase, isExcluded: word.isExcluded)
        }
        query.restrictions = restrictions.map { restriction in
            guard case .from(let name) = restriction.filter else { return restriction }
            return Restriction(.from(Self.local(name, site)), isExcluded: restriction.isExcluded)
        }
        return query
    }

    private static func local(_ name: String, _ site: Site) -> String {
        let suffix = "@\(site.domain)"
        return name.lowercased().hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// What may be a name: its words, one after the other, without the marks of handles and hashtags.
    var nameText: String {
        words.filter { !$0.isExcluded }.map { String($0.text.drop { "@#＠＃".contains($0) }) }.joined(separator: " ")
    }
}

// SPDX-License-Identifier: Apache-2.0
// The index in PostgreSQL (decision 0016).

import Domain
package import Postgres
import TextAnalysis

package struct PostgresIndex: SearchIndex {
    /// How many of the newest that match are ranked.
    package static let window = 100
    /// Who finds fewer that match as typed is shown also what nearly matches.
    private static let few = 3
    /// As `window`, of what only nearly matches and fills a page.
    package static let looseWindow = 40
    /// How long a search may take, however many statements it needs.
    package static let patience: Duration = .milliseconds(500)

    let database: Database
    private let lists = KnownLists()
    private let segmentSize: Int
    let patience: Duration

    /// - Parameters:
    ///   - segmentSize: documents in a segment.
    ///   - patience: how long a search may take.
    package init(_ database: Database, segmentSize: Int? = nil, patience: Duration = patience) {
        self.database = database
        self.segmentSize = segmentSize ?? SegmentStore.size
        self.patience = patience
    }

    // MARK: Writing

    @discardableResult
    package func put(
        _ documents: [SearchDocument],
        again: Set<DocumentKey> = [],
        in transaction: Transaction
    ) async throws -> Set<DocumentKey> {
        guard !documents.isEmpty else { return [] }
        let analyzed = documents.newest.map(AnalyzedDocument.init)
        let cut = try await cut(analyzed, isAgain: !again.isEmpty, in: transaction)
        var kept = try await DocumentStore.keep(cut, in: transaction)
        let told = analyzed.map(\.document).filter { again.contains($0.key) && !kept.contains($0.key) }
        if !told.isEmpty { kept.formUnion(try await DocumentStore.current(told, in: transaction)) }
        let new = analyzed.filter { kept.contains($0.document.key) }
        let named = new.map(\.document).filter { Self.named.contains($0.kind) }
        if !named.isEmpty {
            NameStore.clear(named.map(\.key), in: transaction)
            NameStore.add(named.map { ($0.key, $0.names) }, in: transaction)
        }
        let words = new.reduce(into: Set()) { $0.formUnion($1.words) }
        if !words.isEmpty { WordStore.keep(words.sorted(), in: transaction) }
        KeyMerge.end(transaction)
        return kept
    }

    /// By themselves, for loading and for tests.
    package func put(_ documents: [SearchDocument]) async throws {
        _ = try await database.transaction { try await put(documents, in: $0) }
    }

    /// Gives documents their keys, and begins segments where the newest are full.
    ///
    /// - Parameter isAgain: that lists are read anew, because they may have been damaged.
    private func cut(
        _ documents: [AnalyzedDocument],
        isAgain: Bool,
        in transaction: some Transacting
    ) async throws -> [AnalyzedDocument] {
        let kinds = Array(Set(documents.map(\.document.kind)))
        // Nobody else begins a segment from here on, so keys are by the lists that whoever looks for them will know.
        TurnStore.take(in: transaction)
        var lists: [SearchKind: Lists] = [:]
        for kind in try await SegmentStore.full(kinds, size: segmentSize, in: transaction) {
            let number = try await SegmentStore.open(kind, in: transaction)
            if SegmentStore.weighs(at: number) { SegmentStore.weigh(kind, at: number, in: transaction) }
        }
        for kind in kinds {
            let current = try await current(kind, isAnew: isAgain, in: transaction)
            lists[kind] = current
            transaction.afterCommit { self.lists[kind] = current }
        }
        return documents.map { $0.cut(by: lists[$0.document.kind] ?? Lists()) }
    }

    /// Whose names are found while they are typed.
    private static let named: Set<SearchKind> = [
        .account, .hashtag, .playground, .channel, .project, .book, .reading,
    ]

    package func remove(_ removals: [SearchRemoval], in transaction: Transaction) async throws {
        guard !removals.isEmpty else { return }
        let gone = try await DocumentStore.bury(removals.newest, in: transaction).filter {
            Self.named.contains($0.kind)
        }
        if !gone.isEmpty { NameStore.clear(Array(gone), in: transaction) }
        KeyMerge.end(transaction)
    }

    package func remove(_ removals: [SearchRemoval]) async throws {
        try await database.transaction { try await remove(removals, in: $0) }
    }

    package func forget(_ documents: [DocumentKey], in transaction: Transaction) async throws {
        guard !documents.isEmpty else { return }
        DocumentStore.forget(documents, in: transaction)
        NameStore.clear(documents, in: transaction)
    }

    package func put(popularity: [SearchPopularity], in transaction: Transaction) async throws {
        guard !popularity.isEmpty else { return }
        let popularity = popularity.newest
        DocumentStore.keep(popularity, in: transaction)
        let named = popularity.filter { Self.named.contains($0.kind) }.map(\.key)
        if !named.isEmpty { NameStore.weigh(named, in: transaction) }
        KeyMerge.end(transaction)
    }

    package func put(popularity: [SearchPopularity]) async throws {
        try await database.transaction { try await put(popularity: popularity, in: $0) }
    }

    // MARK: Finding

    package func find(_ request: SearchRequest) async throws -> SearchPage {
        do { return try await found(request) } catch PostgresError.deadlineExceeded {
            return SearchPage(hits: [], next: nil, isCut: true)
        }
    }

    private func found(_ request: SearchRequest) async throws -> SearchPage {
        let limit = min(max(request.limit, 1), 80)
        let end = ContinuousClock.now + patience
        let bounded = database.bounded(until: end)
        guard !request.query.isEmpty, request.kind != .message || request.viewer != nil,
            let base = try await base(of: request, in: bounded)
        else { return SearchPage(hits: [], next: nil, isCut: false) }
        let begun = try await begun(request.query, in: bounded)
        let strict = Self.strict(request.query, begun)
        var exact = SearchPage(hits: [], next: nil, isCut: false)
        if request.cursor?.isLoose != true {
            exact = try await page(request, base, strict, limit, until: end, in: bounded)
            // What only nearly matches is shown where little matches, and not in the middle of a list.
            if request.cursor != nil || exact.hits.count >= min(limit, Self.few) || exact.isCut
                || request.order == .newest && !exact.hits.isEmpty
            {
                return exact
            }
        }
        do {
            let near = try await near(request.query, in: bounded)
            let loose = Self.loose(request.query, begun, near)
            guard loose.map(\.ways) != strict.map(\.ways) else { return exact }
            // All that matches exactly stands on the first page, however old it is.
            let nearly = try await page(
                request,
                base,
                loose,
                limit - exact.hits.count,
                besides: strict,
                until: end,
                in: bounded
            )
            return SearchPage(hits: exact.hits + nearly.hits, next: nearly.next, isCut: nearly.isCut)
        } catch PostgresError.deadlineExceeded {
            return SearchPage(hits: exact.hits, next: nil, isCut: true)
        }
    }

    /// The newest that match, by the lists that there are now.
    private func newest(_ match: Match, until end: ContinuousClock.Instant, in database: some Querying) async throws
        -> Newest
    {
        var match = match
        if match.kind == .message, let viewer = match.viewer {
            match.requireOne(of: try await PeopleStore.places(of: viewer, in: database))
        }
        var known = try await known(match.kind, in: database)
        while true {
            let newest = try await newest(match, Walk(match, known), until: end, in: database)
            guard newest.newestSegment != known.newest else { return newest }
            known = try await current(match.kind, in: database)
            lists[match.kind] = known
        }
    }

    /// As the keys tell, where they tell all; by the patterns as well where something shares its number with what is looked for.
    private func newest(
        _ match: Match,
        _ walk: Walk,
        until end: ContinuousClock.Instant,
        in database: some Querying
    ) async throws -> Newest {
        func ask(byKeys: Bool) async throws -> Newest {
            let time = max(.zero, (end - .now) * 0.6)
            return try await DocumentStore.newest(match, walk, byKeys: byKeys, time: time, in: database)
        }
        guard match.isToldByKeys, walk.isWhole else { return try await ask(byKeys: false) }
        let newest = try await ask(byKeys: true)
        return newest.candidates.allSatisfy { match.holds($0.form.bytes) } ? newest : try await ask(byKeys: false)
    }

    /// The lists as they were when somebody last looked.
    private func known(_ kind: SearchKind, in database: some Querying) async throws -> Lists {
        let known = lists[kind]
        if known.newest != nil { return known }
        let current = try await current(kind, in: database)
        lists[kind] = current
        return current
    }

    /// The lists that there are now: those that are known, and what was begun since; all anew where there are fewer.
    private func current(_ kind: SearchKind, isAnew: Bool = false, in database: some Querying) async throws -> Lists {
        let known = isAnew ? Lists() : lists[kind]
        if let current = try await SegmentStore.lists(of: kind, after: known, in: database) { return current }
        return try await SegmentStore.lists(of: kind, after: Lists(), in: database) ?? Lists()
    }

    /// - Parameter exact: what has been shown before and is left out.
    private func page(
        _ request: SearchRequest,
        _ base: Match,
        _ wanted: [Wanted],
        _ limit: Int,
        besides exact: [Wanted]? = nil,
        until end: ContinuousClock.Instant,
        in database: some Querying
    ) async throws -> SearchPage {
        let isLoose = exact != nil
        var match = base
        match.hasCloseTerms = try await known(match.kind, in: database).haveCloseTerms
        for word in wanted { match.require(word) }
        for word in request.query.words where word.isExcluded {
            if let word = Wanted(exactly: word.text) { match.exclude(word) }
        }
        if let cursor = request.cursor { match.ceiling = min(match.ceiling, cursor.ceiling) }
        match.limit = request.order == .newest ? limit + 1 : isLoose ? Self.looseWindow : Self.window
        let newest = try await newest(match, until: end, in: database)
        let candidates = newest.candidates
        let others = exact.map { exact in
            let shown = Ranking(exact, order: request.order)
            return candidates.filter { !shown.isMatched(by: $0.form.bytes) }
        }
        var ranked = Ranking(wanted, order: request.order).ranked(others ?? candidates)
        if let last = request.cursor?.last { ranked.removeAll { $0.place >= last } }
        let shown = ranked.prefix(limit)
        let highlights = Highlights(wanted)
        let hits = shown.map { ranked in
            let (text, form) = (ranked.candidate.source.text, ranked.candidate.form.bytes)
            return SearchHit(id: ranked.candidate.id, text: text, highlights: highlights.of(text, form: form))
        }
        var next: SearchCursor?
        if ranked.count > limit, let last = shown.last {
            next =
                request.order == .newest
                ? SearchCursor(ceiling: last.candidate.id, last: nil, isLoose: isLoose)
                : SearchCursor(
                    // What comes in later is newer than this window.
                    ceiling: request.cursor?.ceiling ?? min(match.ceiling, (candidates.first?.id ?? 0) &+ 1),
                    last: last.place,
                    isLoose: isLoose
                )
        } else if candidates.count == match.limit || newest.isCut, let oldest = candidates.last {
            next = SearchCursor(ceiling: oldest.id, last: nil, isLoose: isLoose)
        }
        return SearchPage(hits: hits, next: next, isCut: newest.isCut)
    }

    /// The filters; nil where nothing can match.
    private func base(of request: SearchRequest, in database: some Querying) async throws -> Match? {
        var match = Match(request.kind, viewer: request.viewer)
        match.ceiling = request.before ?? .max
        match.floor = request.after ?? .min
        if let author = request.author { match.require(.from(author)) }
        if !request.places.isEmpty { match.requireOne(of: request.places.map { Term.inside($0).number }) }
        let handles = request.query.restrictions.compactMap { restriction in
            if case .from(let handle) = restriction.filter { handle.lowercased() } else { nil }
        }
        let people = handles.isEmpty ? [:] : try await PeopleStore.named(handles, in: database)
        for restriction in request.query.restrictions {
            guard let term = Self.term(of: restriction.filter, people, request.viewer) else {
                switch restriction.filter {
                case .before(let day) where restriction.isExcluded:
                    match.floor = max(match.floor, Self.id(day.start) - 1)
                case .before(let day): match.ceiling = min(match.ceiling, Self.id(day.start))
                case .after(let day) where restriction.isExcluded: match.ceiling = min(match.ceiling, Self.id(day.end))
                case .after(let day): match.floor = max(match.floor, Self.id(day.end) - 1)
                // Nobody of that name wrote anything; and everything was not written by them.
                default: if !restriction.isExcluded { return nil }
                }
                continue
            }
            if restriction.isExcluded { match.exclude(term) } else { match.require(term) }
        }
        return match
    }

    private static func term(of filter: SearchQuery.Filter, _ people: [String: AccountID], _ viewer: AccountID?)
        -> Term?
    {
        switch filter {
        case .from("me"): viewer.map(Term.from)
        case .from(let handle): people[handle.lowercased()].map(Term.from)
        case .has(let attachment): Term(fact: "has", attachment.rawValue)
        case .language(let language): Term(fact: "lang", language)
        case .inside(let place): Int64(place).map(Term.inside)
        case .isbn(let isbn): .isbn(isbn)
        case .before, .after: nil
        }
    }

    /// The first id of a moment.
    private static func id(_ milliseconds: Int64) -> Int64 { milliseconds << 16 }

    // MARK: Words

    private static func strict(_ query: SearchQuery, _ begun: [String]) -> [Wanted] {
        query.wantedWords.compactMap { word, isTyping in
            word.isPhrase ? Wanted(exactly: word.text) : Wanted(word.text, begun: isTyping ? begun : [])
        }
    }

    private static func loose(_ query: SearchQuery, _ begun: [String], _ near: [String: [String]]) -> [Wanted] {
        query.wantedWords.compactMap { word, isTyping in
            word.isPhrase
                ? Wanted(exactly: word.text)
                : Wanted(
                    loosely: word.text,
                    begun: isTyping ? begun : [],
                    isTyping: isTyping,
                    near: near[word.text] ?? []
                )
        }
    }

    /// What the last word may be the beginning of, where spaces part words.
    private func begun(_ query: SearchQuery, in database: some Querying) async throws -> [String] {
        guard query.isTyping, let last = query.words.last, let word = Self.written(last), word.unicodeScalars.count > 1
        else {
            return []
        }
        return try await WordStore.begun(word, in: database)
    }

    /// For words of five letters and more: what they may have been meant to be.
    private func near(_ query: SearchQuery, in database: some Querying) async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (word, _) in query.wantedWords where !word.isPhrase {
            guard let written = Self.written(word), written.unicodeScalars.count >= 5, found[word.text] == nil else {
                continue
            }
            let most = written.unicodeScalars.count >= 8 ? 2 : 1
            let near = try await WordStore.near(NameKeys.deletions(written).sorted(), in: database)
            found[word.text] = near.filter { NameKeys.slips($0, written, most: most) != nil }
        }
        return found
    }

    /// The only word of a text, where spaces part words.
    private static func written(_ word: SearchQuery.Word) -> String? {
        let text = AnalyzedText(word.text)
        guard text.marked.isEmpty, text.tokens.count == 1, let token = text.tokens.first, !token.isDense else {
            return nil
        }
        return token.written
    }
}

extension SearchQuery {
    var isEmpty: Bool { !words.contains { !$0.isExcluded } && restrictions.isEmpty }

    /// With whether somebody is still writing it.
    fileprivate var wantedWords: [(Word, Bool)] {
        words.enumerated().filter { !$0.element.isExcluded }.map {
            ($0.element, isTyping && $0.offset == words.count - 1)
        }
    }
}

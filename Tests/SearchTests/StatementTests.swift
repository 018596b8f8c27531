// SPDX-License-Identifier: Apache-2.0
// Every statement of search: its text, its rows and its plan.

import Crypto
import Domain
import Events
import Postgres
import Serving
import Support
import Testing
import TextAnalysis

@testable import SearchService

@Suite struct StatementTests {
    @Test func `every function of a store is called`() throws { try Self.catalogue.expectComplete() }

    @Test func `every statement is as agreed and walks an index`() async throws {
        try await Self.catalogue.expectStatements(
            migrations: SearchService.migrations,
            schema: "search",
            // Read whole once by each process, then only what was begun since. `segments` has a row for 1024 documents. `frequent` has
            // terms of a thousandth of the documents and more, of which there are some thousand whatever the number of documents,
            // and gains a row only where one becomes four times as frequent or rare. `book_asks` has a row for a day and a source,
            // `usage_words` 250, `rebuilds` one a queue, `term_upgrades` one for each release that kept more of documents than those before,
            // `neighbouring_keys` one.
            small: [
                "segments", "frequent", "book_asks", "usage_words", "term_upgrades", "neighbouring_keys", "rebuilds",
            ]
        )
    }

    // See StatementRows.sql.
    private static let viewer = AccountID(7)

    private static func fact(_ value: String) -> Term { Term(fact: "x", value) }

    private static func match(
        _ kind: SearchKind = .post,
        viewer: AccountID? = viewer,
        _ make: (inout Match) -> Void = { _ in }
    ) -> Match {
        var match = Match(kind, viewer: viewer)
        match.ceiling = 1_000_000
        match.floor = 0
        make(&match)
        return match
    }

    /// In the twenty segments that there are.
    private static func newest(_ match: Match, byKeys: Bool = false, in database: some Querying) async throws {
        var lists = Lists()
        for first in 0..<20 { lists.add(segment: Int64(first) * 1000) }
        _ = try await DocumentStore.newest(match, Walk(match, lists), byKeys: byKeys, time: .seconds(1), in: database)
    }

    private static let catalogue: StatementCatalogue = {
        var call = StatementCatalogue("Search")
        let document = SearchDocument(kind: .post, id: 5, version: 9, author: viewer, people: [viewer], text: "독서 모임")
        call("ExportedStore.profile(of:in:)", walks: "accounts_pkey") {
            _ = try await ExportedStore.profile(of: viewer, in: $0)
        }
        call("SegmentStore.full(_:size:in:)") { _ = try await SegmentStore.full([.post, .gif], size: 100, in: $0) }
        call("SegmentStore.open(_:in:)") { _ = try await SegmentStore.open(.post, in: $0) }
        call("SegmentStore.weigh(_:at:in:)") { SegmentStore.weigh(.post, at: 19, in: $0) }
        call("SegmentStore.lists(of:after:in:)") {
            var known = Lists()
            for first in 0..<19 { known.add(segment: Int64(first) * 1000) }
            _ = try await SegmentStore.lists(of: .post, after: known, in: $0)
        }
        call("TermUpgradeStore.end(in:)") { _ = try await TermUpgradeStore.end(in: $0) }
        call("DocumentStore.keep(_:in:)") { _ = try await DocumentStore.keep([AnalyzedDocument(document)], in: $0) }
        call("DocumentStore.current(_:in:)", walks: "documents_pkey") {
            let known = SearchDocument(kind: .account, id: 33, version: 1, text: "")
            _ = try await DocumentStore.current([known], in: $0)
        }
        call("DocumentStore.bury(_:in:)") {
            _ = try await DocumentStore.bury([SearchRemoval(kind: .post, id: 5, version: 9)], in: $0)
        }
        call("DocumentStore.forget(_:in:)", walks: "documents_pkey") {
            DocumentStore.forget([DocumentKey(kind: .account, id: 33)], in: $0)
        }
        call("DocumentStore.keep(_:in:)", "popularity") {
            DocumentStore.keep([SearchPopularity(kind: .post, id: 5, popularity: 3, version: 9)], in: $0)
        }
        call("DocumentStore.newest(_:_:byKeys:time:in:)", "nobody", walks: "documents_keys") {
            try await newest(match(viewer: nil) { if let wanted = Wanted("콘텐츠") { $0.require(wanted) } }, in: $0)
        }
        call("DocumentStore.newest(_:_:byKeys:time:in:)", "somebody", walks: "documents_keys") {
            try await newest(match { $0.require(fact("a")) }, in: $0)
        }
        call("DocumentStore.newest(_:_:byKeys:time:in:)", "by keys", walks: "documents_keys") {
            try await newest(match { $0.require(fact("a")) }, byKeys: true, in: $0)
        }
        call("DocumentStore.newest(_:_:byKeys:time:in:)", "without words", walks: "documents_pkey") {
            try await newest(match { $0.exclude(fact("b")) }, in: $0)
        }
        call("DocumentStore.newest(_:_:byKeys:time:in:)", "some of several, without", walks: "documents_keys") {
            let match = match { match in
                match.requireOne(of: [fact("a").number, fact("c").number])
                match.exclude(fact("b"))
                if let wanted = Wanted("없음") { match.exclude(wanted) }
                if let wanted = Wanted("콘텐츠") { match.require(wanted) }
            }
            try await newest(match, in: $0)
        }
        call("DocumentStore.newest(_:_:byKeys:time:in:)", "messages", walks: "documents_keys") {
            try await newest(match(.message) { $0.requireOne(of: [1, 2]) }, in: $0)
        }
        call("DocumentStore.texts(of:_:in:)", walks: "documents_pkey") {
            _ = try await DocumentStore.texts(of: [33], .account, in: $0)
        }
        names(&call)
        people(&call)
        places(&call)
        uses(&call)
        suggestions(&call)
        ends(&call)
        books(&call)
        shelves(&call)
        usage(&call)
        erasures(&call)
        return call
    }()

    private static func names(_ call: inout StatementCatalogue) {
        let hit = DocumentKey(kind: .account, id: 3)
        call("NameStore.clear(_:in:)", walks: "names_pkey") { NameStore.clear([hit], in: $0) }
        call("NameStore.add(_:in:)") {
            NameStore.add([(DocumentKey(kind: .account, id: 900_000), ["김민수", "minsu"])], in: $0)
        }
        call("NameStore.weigh(_:in:)", walks: "names_pkey") { NameStore.weigh([hit], in: $0) }
        call("NameStore.find(_:of:for:most:in:)", "typed", walks: "names_typed") {
            _ = try await NameStore.find(.typed("name33"), of: [.account], for: viewer, most: 20, in: $0)
        }
        call("NameStore.find(_:of:for:most:in:)", "initials", walks: "names_initials") {
            _ = try await NameStore.find(.initials("ㄱ33"), of: [.account], for: nil, most: 20, in: $0)
        }
        call("NameStore.find(_:of:for:most:in:)", "near", walks: "names_near") {
            _ = try await NameStore.find(.near([33]), of: [.account], for: viewer, most: 20, in: $0)
        }
        call("WordStore.keep(_:in:)") { WordStore.keep(["entirely", "new"], in: $0) }
        call("WordStore.words(after:most:in:)", walks: "words_pkey") {
            _ = try await WordStore.words(after: "word33", most: 10, in: $0)
        }
        call("WordStore.unused(_:in:)", walks: "documents_keys") {
            _ = try await WordStore.unused([("used", [33 ^ -1_373_228_989]), ("unused", [-77])], in: $0)
        }
        call("WordStore.forget(_:in:)", walks: "words_pkey") { _ = try await WordStore.forget(["word33"], in: $0) }
        call("WordStore.begun(_:in:)", walks: "words_pkey") { _ = try await WordStore.begun("word33", in: $0) }
        call("WordStore.near(_:in:)", walks: "words_near") { _ = try await WordStore.near([33], in: $0) }
    }

    private static func people(_ call: inout StatementCatalogue) {
        call("PeopleStore.keep(_:in:)", "people") {
            PeopleStore.keep([Person(id: viewer, version: 9, handle: "x", isIndexable: true, isGone: false)], in: $0)
        }
        call("PeopleStore.keep(_:in:)", "ties") {
            PeopleStore.keep([Tie(.block, by: viewer, of: AccountID(9), version: 9, isActive: true)], in: $0)
        }
        call("PeopleStore.keep(_:in:)", "memberships") {
            PeopleStore.keep([Membership(of: viewer, in: 9, version: 9, isActive: true)], in: $0)
        }
        call("PeopleStore.known(_:in:)", walks: "accounts_pkey") {
            _ = try await PeopleStore.known([AccountID(33)], in: $0)
        }
        call("PeopleStore.keep(languages:in:)") {
            let registered = AccountRegistered(
                accountID: AccountID(33),
                username: try #require(Username("p33")),
                language: .japanese,
                createdAt: Timestamp(milliseconds: 0)
            )
            PeopleStore.keep(languages: [registered], in: $0)
        }
        call("PeopleStore.handles(of:in:)", walks: "accounts_pkey") {
            _ = try await PeopleStore.handles(of: [AccountID(33)], in: $0)
        }
        call("PeopleStore.places(of:in:)", walks: "memberships_pkey") {
            _ = try await PeopleStore.places(of: viewer, in: $0)
        }
        call("PeopleStore.named(_:in:)", walks: "accounts_handle") { _ = try await PeopleStore.named(["p33"], in: $0) }
    }

    private static func places(_ call: inout StatementCatalogue) {
        call("TurnStore.take(in:)") { TurnStore.take(in: $0) }
        call("PlaceStore.keep(_:in:)") {
            PlaceStore.keep([Place(id: 900_000, playground: nil, version: 1, name: "일반", isGone: false)], in: $0)
        }
        call("PlaceStore.channels(of:named:or:in:)", walks: "memberships_pkey") {
            _ = try await PlaceStore.channels(of: viewer, named: "place 3", or: 3, in: $0)
        }
        call("CircleStore.named(_:_:in:for:most:in:)", "followed", walks: "names_pkey") {
            let circle = Circle.followed(by: viewer)
            _ = try await CircleStore.named("name", .account, in: circle, for: viewer, most: 20, in: $0)
        }
        call("CircleStore.named(_:_:in:for:most:in:)", "members", walks: "names_pkey") {
            let circle = Circle.members(of: 1, for: viewer)
            _ = try await CircleStore.named("name", .account, in: circle, for: viewer, most: 20, in: $0)
        }
        call("CircleStore.named(_:_:in:for:most:in:)", "channels", walks: "places_of_playground") {
            let circle = Circle.channels(of: 7)
            _ = try await CircleStore.named("name", .channel, in: circle, for: viewer, most: 20, in: $0)
        }
        call("CircleStore.among(_:in:in:)", walks: "ties_pkey") {
            _ = try await CircleStore.among([2], in: .followed(by: viewer), in: $0)
        }
    }

    private static func uses(_ call: inout StatementCatalogue) {
        let (post, now) = (PostID(19_000 << 16), PostID(20_000 << 16))
        call("UseStore.keep(_:in:)") {
            UseStore.keep([Use(post: PostID(5), thing: .link, id: 9, account: viewer)], in: $0)
        }
        call("UseStore.forget(_:in:)", walks: "uses_pkey") { UseStore.forget([PostID(33 << 16)], in: $0) }
        call("UseStore.trending(_:since:usual:now:in:)", walks: "uses_pkey") {
            _ = try await UseStore.trending(.hashtag, since: post, usual: PostID(1), now: now, in: $0)
        }
        call("UseStore.history(of:_:since:in:)", walks: "uses_of_thing") {
            _ = try await UseStore.history(of: [33], .hashtag, since: PostID(1), in: $0)
        }
        call("LinkStore.keep(_:in:)") { LinkStore.keep([Link(id: 5, url: "https://a.test", post: PostID(5))], in: $0) }
        call("LinkStore.addresses(_:in:)", walks: "links_pkey") { _ = try await LinkStore.addresses([33], in: $0) }
        call("PopularStore.keep(_:in:)") {
            PopularStore.keep([SearchPopularity(kind: .post, id: 5, popularity: 3, version: 9)], in: $0)
        }
        call("PopularStore.trending(since:now:for:in:)", walks: "popular_pkey") {
            _ = try await PopularStore.trending(since: PostID(19_000), now: now, for: viewer, in: $0)
        }
    }

    private static func suggestions(_ call: inout StatementCatalogue) {
        call("SuggestionStore.friendsOfFriends(of:in:)", walks: "ties_pkey") {
            _ = try await SuggestionStore.friendsOfFriends(of: viewer, in: $0)
        }
        call("SuggestionStore.mostFollowed(for:in:)", walks: "accounts_followed") {
            _ = try await SuggestionStore.mostFollowed(for: viewer, in: $0)
        }
        call("QueryStore.keep(_:at:in:)") {
            let asked = try #require(AskedQuery("something new", by: viewer))
            try await QueryStore.keep([asked], at: Timestamp(milliseconds: 0), in: $0)
        }
        call("QueryStore.popular(beginning:in:)", walks: "popular_queries_typed") {
            _ = try await QueryStore.popular(beginning: "query33", in: $0)
        }
        call("SegmentStore.counts(in:)") { _ = try await SegmentStore.counts(in: $0) }
    }

    private static func ends(_ call: inout StatementCatalogue) {
        let moment = Timestamp(milliseconds: 1_000_000)
        call("AgedStore.documents", walks: "documents_gone") {
            _ = try await AgedStore.documents.forget(before: moment, in: $0)
        }
        let indexes = [
            "ties": "ties_ended", "memberships": "memberships_ended", "places": "places_gone",
            "shelved_books": "shelved_books_ended", "askers": "askers_old", "popular_queries": "popular_queries_old",
        ]
        for rows in AgedStore.ended {
            call("AgedStore.ended", rows.name, walks: indexes[rows.name]) {
                _ = try await rows.forget(before: moment, in: $0)
            }
        }
        for rows in AgedStore.questions {
            call("AgedStore.questions", rows.name, walks: indexes[rows.name]) {
                _ = try await rows.forget(before: moment, in: $0)
            }
        }
        for rows in AgedStore.days {
            call("AgedStore.days", rows.name) { _ = try await rows.forget(before: PostID(100 << 16), in: $0) }
        }
        call("AgedStore.forgetDocumentsOfGonePlaces(in:)", walks: "places_gone") {
            _ = try await AgedStore.forgetDocumentsOfGonePlaces(in: $0)
        }
    }

    private static func books(_ call: inout StatementCatalogue) {
        let (now, late) = (Timestamp(milliseconds: 1_700_000_000_000), Timestamp(milliseconds: 1_800_000_000_000))
        let epoch = Timestamp(milliseconds: 0)
        call("BookStore.keep(_:at:in:)") {
            let book = ToldBook(.naver, id: "new", isbn: ISBN("9788936434120"), title: "소년이 온다")
            try BookStore.keep([try #require(book)], at: now, in: $0)
        }
        call("BookStore.books(of:since:in:)", walks: "books_isbn") {
            _ = try await BookStore.books(of: try #require(ISBN("9788936434120")), since: epoch, in: $0)
        }
        call("BookStore.books(having:since:in:)", walks: "books_terms") {
            _ = try await BookStore.books(having: [33, -1], since: epoch, in: $0)
        }
        call("BookStore.aged", "by age", walks: "books_told") {
            _ = try await BookStore.aged.forget(before: late, in: $0)
        }
        call("BookStore.aged", "by number", walks: "books_told") {
            _ = try await BookStore.aged.forget(beyond: 5000, in: $0)
        }
        call("BookAnswerStore.answers(_:at:since:in:)", walks: "book_answers_pkey") {
            _ = try await BookAnswerStore.answers([[1], bookHash], at: now, since: epoch, in: $0)
        }
        call("BookAnswerStore.isFresh(_:at:in:)", walks: "book_answers_pkey") {
            _ = try await BookAnswerStore.isFresh(bookHash, at: epoch, in: $0)
        }
        call("BookAnswerStore.claim(_:of:at:until:in:)") {
            _ = try await BookAnswerStore.claim([1], of: .naver, at: now, until: late, in: $0)
        }
        call("BookAnswerStore.release(_:in:)", walks: "book_answers_pkey") {
            try await BookAnswerStore.release(bookHash, in: $0)
        }
        call("BookAnswerStore.keep(_:as:of:at:fresh:in:)") {
            BookAnswerStore.keep(ToldBooks(books: [], total: 7), as: [1], of: .naver, at: now, fresh: late, in: $0)
        }
        call("BookAnswerStore.aged", "by age", walks: "book_answers_touched") {
            _ = try await BookAnswerStore.aged.forget(before: late, in: $0)
        }
        call("BookAnswerStore.aged", "by number", walks: "book_answers_touched") {
            _ = try await BookAnswerStore.aged.forget(beyond: 5000, in: $0)
        }
        call("BookAskStore.spend(_:at:most:in:)") {
            _ = try await BookAskStore.spend(.naver, at: now, most: 7, in: $0)
        }
        call("BookAskStore.forget(before:in:)") { _ = try await BookAskStore.forget(before: late, in: $0) }
    }

    private static func shelves(_ call: inout StatementCatalogue) {
        call("ShelvedBookStore.keep(_:in:)") {
            let book = ShelfBookSnapshot(id: ID(1), title: "어린 왕자", isbn: ISBN("9788932917245"))
            let record = RecordSnapshot(
                id: ID(900_000),
                accountID: viewer,
                book: book,
                state: .finished,
                visibility: .public,
                version: 9
            )
            let withdrawn = RecordWithdrawn(recordID: ID(33), accountID: viewer, subjectVersion: 9)
            try ShelvedBookStore.keep([ShelvedBook(record), ShelvedBook(withdrawn)], in: $0)
        }
        call("ShelvedBookStore.books(of:in:)", walks: "shelved_books_pkey") {
            _ = try await ShelvedBookStore.books(of: [ID(33)], in: $0)
        }
        call("ShelvedBookStore.first(of:in:)", walks: "shelved_books_book") {
            _ = try await ShelvedBookStore.first(of: [33], in: $0)
        }
        call("ShelvedBookStore.first(of:besides:in:)", walks: "shelved_books_book") {
            _ = try await ShelvedBookStore.first(of: [33], besides: [ID(33)], in: $0)
        }
        call("ShelvedBookStore.shown(_:in:)", walks: "shelved_books_pkey") {
            _ = try await ShelvedBookStore.shown([ID(33)], in: $0)
        }
        call("ShelvedBookStore.books(after:most:in:)", walks: "shelved_books_book") {
            _ = try await ShelvedBookStore.books(after: 33, most: 10, in: $0)
        }
    }

    /// SHA-256 of `7`, as the rows have it.
    private static let bookHash = Array(SHA256.hash(data: Array("7".utf8)))

    private static func usage(_ call: inout StatementCatalogue) {
        call("UsageStore.take(in:)") { UsageStore.take(in: $0) }
        call("UsageStore.add(_:on:in:)") {
            let keys = [("name1", "1.0"), ("unknown", "2.0")].map { UsageKey(name: $0, platform: .ios, version: $1) }
            UsageStore.add(Dictionary(keys.map { ($0, 3) }) { first, _ in first }, on: "2026-03-01", in: $0)
        }
        call("UsageStore.usage(on:in:)", walks: "usage_pkey") {
            _ = try await UsageStore.usage(on: "2026-01-02", in: $0)
        }
        call("UsageStore.platforms(on:in:)", walks: "usage_pkey") {
            _ = try await UsageStore.platforms(on: "2026-01-02", in: $0)
        }
        call("UsageStore.forget(before:in:)", walks: "usage_pkey") {
            _ = try await UsageStore.forget(before: "2026-01-02", in: $0)
        }
        call("UsageStore.forgetWords(before:in:)") {
            _ = try await UsageStore.forgetWords(before: "2026-01-02", in: $0)
        }
    }
}

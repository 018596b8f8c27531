// SPDX-License-Identifier: Apache-2.0
// How terms are cut into lists, and that all is found whatever the cuts.

import Domain
import Postgres
import Support
import Testing
import TextAnalysis

@testable import SearchService

@Suite struct ListTests {
    private static func term(_ text: String) -> Int32 { Term(dense: text.unicodeScalars.map(\.value)).number }

    @Test func `a term has the keys of the lists that it was cut into at the time`() {
        var lists = Lists()
        for first in 0..<4000 { lists.add(segment: Int64(first) * 10) }
        lists.add(.init(since: 1500, shift: 2), of: 7)
        lists.add(.init(since: 1503, shift: 0), of: 7)
        #expect(lists.segment(of: -5) == 0 && lists.segment(of: 19) == 1 && lists.segment(of: 20) == 2)
        #expect(lists.segment(of: .max) == 3999)
        // The first of a million, that of 1024 segments at 1024; of four segments; of one.
        #expect(lists.keys(of: 7, in: 0...1499).count == 2)
        #expect(lists.keys(of: 7, in: 1500...1502).count == 1)
        #expect(lists.keys(of: 7, in: 1498...1504).count == 1 + 1 + 2)
        #expect(lists.keys(of: 8, in: 0...3999).count == 4)
        #expect(Set(lists.keys(of: 7, in: 0...3999)).count == lists.keys(of: 7, in: 0...3999).count)
    }

    @Test(arguments: [0, 3, 9]) func `lists that follow one another have neighbouring keys, but in segments of before`(
        shift: Int
    ) {
        var (before, now, both) = (Lists(), Lists(), Lists())
        for number in 0..<4000 {
            before.add(segment: Int64(number) * 10, isNeighbouring: false)
            now.add(segment: Int64(number) * 10)
            both.add(segment: Int64(number) * 10, isNeighbouring: number >= 2000)
        }
        for term: Int32 in [7, .max - 5, .min + 3] {
            before.add(.init(since: 0, shift: shift), of: term)
            now.add(.init(since: 0, shift: shift), of: term)
            both.add(.init(since: 0, shift: shift), of: term)
            let keys = now.keys(of: term, in: 0...3999)
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
            #expect(both.keys(of: term, in: 0...1999) == before.keys(of: term, in: 0...1999))
            #expect(both.keys(of: term, in: 2000...3999) == now.keys(of: term, in: 2000...3999))
            #expect(
                both.keys(of: term, in: 0...3999)
                    == both.keys(of: term, in: 0...1999) + both.keys(of: term, in: 2000...3999)
            )
        }
    }

    @Test(arguments: [0, 3, 10]) func `steps join without gap and end where they are told to`(shift: Int) {
        var lists = Lists()
        for first in 0..<3000 { lists.add(segment: first == 0 ? .min : Int64(first) * 10) }
        if shift < 10 { lists.add(.init(since: 0, shift: shift), of: 7) }
        for (ceiling, floor) in [(Int64.max, Int64.min), (29_005, 17), (12, 11), (30_000_000, 5)] {
            var match = Match(.post, viewer: nil)
            match.require(Term(fact: "x", "y"))
            match.requireOne(of: [7])
            (match.ceiling, match.floor) = (ceiling, floor)
            let walk = Walk(match, lists)
            #expect(walk.ceilings.first == ceiling)
            #expect(Array(walk.floors.dropLast()) == Array(walk.ceilings.dropFirst()))
            #expect(walk.floors.last == (floor == .min ? .min : floor + 1))
            #expect(
                walk.groups.map(\.steps).allSatisfy { $0.count == walk.floors.count && $0.allSatisfy { !$0.isEmpty } }
            )
        }
        var match = Match(.post, viewer: nil)
        (match.ceiling, match.floor) = (5, 5)
        #expect(Walk(match, lists).ceilings.isEmpty)
    }

    @Test func `a step compares documents with few keys, and a list that is not cut is looked into once`() {
        var lists = Lists()
        for first in 0..<3000 { lists.add(segment: first == 0 ? .min : Int64(first) * 10) }
        for term: Int32 in [7, 8] { lists.add(.init(since: 0, shift: 1), of: term) }
        var together = Match(.post, viewer: nil)
        for term: Int32 in [7, 8] { together.requireOne(of: [term]) }
        let steps = Walk(together, lists).groups.map(\.steps)
        #expect(steps.count == 2 && steps.joined().allSatisfy { $0.count <= 8 })
        #expect(steps.allSatisfy { Set($0.joined()).count == 1500 })
        var rare = Match(.post, viewer: nil)
        rare.requireOne(of: [9])
        let keys = Walk(rare, lists).groups.map(\.all).joined()
        #expect(keys.count == 3 && Set(keys).count == 3)
    }

    @Test(arguments: 0...9, [1, 20, 100]) func `no list of the most frequent term is looked into by two steps`(
        shift: Int,
        limit: Int
    ) {
        var lists = Lists()
        for first in 0..<3000 { lists.add(segment: first == 0 ? .min : Int64(first) * 10) }
        lists.add(.init(since: 0, shift: shift), of: 7)
        lists.add(.init(since: 0, shift: min(shift + 3, 9)), of: 1_000_000)
        for terms in [[7], [7, 1_000_000]] as [[Int32]] {
            var match = Match(.post, viewer: nil)
            match.limit = limit
            for term in terms { match.requireOne(of: [term]) }
            let walk = Walk(match, lists)
            let keys = walk.groups.map(\.all).filter { $0.contains(lists.keys(of: 7, in: 2999...2999)[0]) }.joined()
            #expect(keys.count == Set(keys).count && walk.isWhole)
        }
    }

    @Test(arguments: [
        ("책", true), ("독서", true), ("독서실", true), ("독서모임", false), ("독서 모임", false), ("reading", true),
        ("read a", false),
        ("#요리", true), ("@mina", true), ("책 a", false),
    ])
    func `what is a term by itself is told by its keys`(text: String, isTold: Bool) throws {
        var match = Match(.post, viewer: nil)
        match.require(try #require(Wanted(exactly: text)))
        #expect(match.isToldByKeys == isTold)
        match.require(try #require(Wanted("read", begun: ["read", "reader"])))
        #expect(!match.isToldByKeys)
    }

    @Test func `what shares a key with what is looked for is not shown for it`() async throws {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            let index = PostgresIndex(database, patience: .seconds(30))
            try await index.put(
                (1...120).map { SearchDocument(kind: .post, id: $0, version: 1, text: $0 > 60 ? "다른" : "책") }
            )
            var request = SearchRequest(.post, SearchQuery("책 "), viewer: nil)
            request.limit = 80
            let expected = try await index.find(request).hits.map(\.id)
            #expect(expected.sorted() == Array(1...60))
            _ = try await database.query(
                "UPDATE documents SET keys = keys || (SELECT d.keys FROM documents d WHERE d.id = 1) WHERE id > 60"
            )
            #expect(try await index.find(request).hits.map(\.id) == expected)
        }
    }

    private static let words: [(text: String, every: Int64)] = [("가", 1), ("나", 2), ("다", 7), ("라", 40), ("마", 300)]

    private static let last: Int64 = 1600

    private static func text(_ id: Int64) -> String {
        words.filter { id % $0.every == 0 }.map(\.text).joined(separator: "x ") + "x"
    }

    @Test(arguments: TestSeed.list([3]), [false, true])
    func `whatever is frequent or becomes so, all that matches is found, newest first`(
        seed: UInt64,
        isUpdated: Bool
    ) async throws {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            if isUpdated { _ = try await database.query("UPDATE neighbouring_keys SET since = 'infinity'") }
            var chance = TestSeed(seed)
            let index = PostgresIndex(database, segmentSize: 16, patience: .seconds(30))
            // Others put as well, and know of no segment that one begins until they look.
            let other = PostgresIndex(database, segmentSize: 16, patience: .seconds(30))
            var ids = Array(Int64(1)...1500)
            // Most come in order, some late.
            for _ in 0..<200 {
                ids.swapAt(Int.random(in: ids.indices, using: &chance), Int.random(in: ids.indices, using: &chance))
            }
            // The last ones fill segments of their own, whenever the latest of the others came.
            ids += 1501...Self.last
            let parts = stride(from: 0, to: ids.count, by: 15).map { Array(ids[$0..<min($0 + 15, ids.count)]) }
            for pair in stride(from: 0, to: parts.count, by: 2).map({ parts[$0..<min($0 + 2, parts.count)] }) {
                if isUpdated, pair.startIndex == 50 {
                    _ = try await database.query("UPDATE neighbouring_keys SET since = now()")
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, part) in zip([index, other], pair) {
                        group.addTask {
                            try await index.put(
                                part.map { SearchDocument(kind: .post, id: $0, version: 1, text: Self.text($0)) }
                            )
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let lists = try #require(try await SegmentStore.lists(of: .post, after: Lists(), in: database))
            #expect(lists.shift(of: Self.term("가")) < 3 && lists.shift(of: Self.term("나")) < Lists.whole)
            #expect(lists.shift(of: Self.term("하")) == Lists.whole)
            let scattered = min(lists.firstNeighbour, lists.firsts.count)
            #expect(isUpdated ? (1..<lists.firsts.count).contains(scattered) : scattered == 0)
            // Of one term learnt in segments of both kinds nothing becomes another.
            let terms = Set(
                (Int64(1)...Self.last).flatMap { id in
                    let document = SearchDocument(kind: .post, id: id, version: 1, text: Self.text(id))
                    return AnalyzedDocument(document).terms.map { Int($0.number) }
                }
            ).sorted()
            let strangers: [Int] = try await database.query("SELECT term FROM frequent WHERE term <> ALL (\(terms))")
                .all {
                    try $0.next()
                }
            #expect(strangers == [])
            for query in ["가", "나", "다", "라", "마", "가 나", "나 다", "가 라", "라 마", "다 -나", "가 -나 -다"] {
                let all = (Int64(1)...Self.last).filter { id in
                    query.split(separator: " ").allSatisfy { word in
                        let isThere = Self.text(id).contains(word.last.map(String.init) ?? "")
                        return word.first == "-" ? !isThere : isThere
                    }
                }
                for index in [index, other] {
                    var request = SearchRequest(.post, SearchQuery(query + " "), viewer: nil)
                    request.order = .newest
                    request.limit = 80
                    var found: [Int64] = []
                    repeat {
                        let page = try await index.find(request)
                        found += page.hits.map(\.id)
                        request.cursor = page.next
                    } while request.cursor != nil && found.count <= Self.last
                    #expect(found == all.reversed(), "\(query)")
                }
            }
        }
    }

    @Test func `who hits the bound gets what was found so far, and is told that there may be more`() async throws {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            let patient = PostgresIndex(database, patience: .seconds(30))
            try await patient.put([SearchDocument(kind: .post, id: 1, version: 1, text: "가")])
            let request = SearchRequest(.post, SearchQuery("가 "), viewer: nil)
            let whole = try await patient.find(request)
            #expect(whole.hits.map(\.id) == [1] && !whole.isCut)
            // No time at all: not even the first statement is answered.
            let cut = try await PostgresIndex(database, patience: .zero).find(request)
            #expect(cut.hits.isEmpty && cut.isCut && cut.next == nil)
            // No time for a step.
            var match = Match(.post, viewer: nil)
            if let wanted = Wanted("가") { match.require(wanted) }
            let lists = try #require(try await SegmentStore.lists(of: .post, after: Lists(), in: database))
            let late = try await DocumentStore.newest(
                match,
                Walk(match, lists),
                byKeys: true,
                time: .zero,
                in: database
            )
            #expect(late.isCut && late.candidates.isEmpty && late.newestSegment == 0)
            let early = try await DocumentStore.newest(
                match,
                Walk(match, lists),
                byKeys: false,
                time: .seconds(9),
                in: database
            )
            #expect(!early.isCut && early.candidates.map(\.id) == [1])
        }
    }

    @Test func `of a beginning that everybody has, the most popular come first`() async throws {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            let index = PostgresIndex(database, patience: .seconds(30))
            func account(_ id: Int64, _ name: String, _ popularity: Int) -> SearchDocument {
                SearchDocument(kind: .account, id: id, version: 1, popularity: popularity, names: [name], text: name)
            }
            for first in stride(from: Int64(1), through: 1401, by: 200) {
                try await index.put((first..<(first + 200)).map { account($0, "김가\($0)", $0 == 1333 ? 900 : 0) })
            }
            try await index.put(popularity: [SearchPopularity(kind: .account, id: 777, popularity: 5000, version: 3)])
            try await index.put([account(5000, "가나 김", 90_000), account(5001, "김", 0)])
            func found(_ text: String, _ limit: Int) async throws -> [Int64] {
                try await index.complete(NameRequest(text, [.account], viewer: nil, limit: limit)).map(\.id)
            }
            // A name of two words is found by its second as well as by its whole.
            #expect(try await found("김", 4) == [5000, 5001, 777, 1333])
            #expect(try await found("ㄱ", 2) == [5000, 777])
            #expect(try await found("ㄱㄱ", 2) == [777, 1333])
            try await index.put(
                [account(777, "김가", 0)].map {
                    var news = $0; news.version = 9; return news
                }
            )
            try await index.put(popularity: [SearchPopularity(kind: .account, id: 777, popularity: 1, version: 4)])
            #expect(try await found("ㄱㄱ", 2) == [1333, 777])
        }
    }
}

extension Walk.Keys {
    fileprivate var steps: [ArraySlice<Int32>] { zip(starts, ends).map { all[(Int($0) - 1)..<Int($1)] } }
}

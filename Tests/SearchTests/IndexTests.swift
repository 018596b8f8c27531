// SPDX-License-Identifier: Apache-2.0
// What the index keeps, finds, marks and pages.

import Domain
import Postgres
import Support
import Testing

@testable import SearchService

@Suite struct IndexTests {
    private static func post(_ id: Int64, _ text: String, version: Int64 = 1, by author: Int64 = 1, popularity: Int = 0)
        -> SearchDocument
    {
        SearchDocument(
            kind: .post,
            id: id,
            version: version,
            author: AccountID(author),
            audience: .everyone,
            popularity: popularity,
            text: text
        )
    }

    private static func run(segmentSize: Int = 4, _ body: @Sendable (PostgresIndex, Database) async throws -> Void)
        async throws
    {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            try await body(PostgresIndex(database, segmentSize: segmentSize, patience: .seconds(30)), database)
        }
    }

    private static func found(
        _ text: String,
        _ index: PostgresIndex,
        _ kind: SearchKind = .post,
        order: SearchOrder = .newest
    ) async throws -> [Int64] {
        var request = SearchRequest(kind, SearchQuery(text), viewer: AccountID(7))
        request.order = order
        return try await index.find(request).hits.map(\.id)
    }

    @Test func `what is written is in the index itself, and nothing in its pending list`() async throws {
        try await Self.run { index, database in
            func pendingPages() async throws -> Int? {
                try await database.query("SELECT gin_clean_pending_list('documents_keys')").one { try $0.next() }
            }
            let posts = (1...40).map { Self.post($0, "글 \($0)") }
            try await index.put(posts)
            #expect(try await pendingPages() == 0)
            try await index.put(popularity: posts.map { .init(kind: .post, id: $0.id, popularity: 5, version: 2) })
            #expect(try await pendingPages() == 0)
            try await index.remove(posts.prefix(20).map { SearchRemoval(kind: .post, id: $0.id, version: 9) })
            #expect(try await pendingPages() == 0)
            // A batch that does all of it ends once.
            try await database.transaction { transaction in
                _ = try await index.put((51...90).map { Self.post($0, "글 \($0)") }, in: transaction)
                let popular = SearchPopularity(kind: .post, id: 51, popularity: 5, version: 2)
                try await index.put(popularity: [popular], in: transaction)
                try await index.remove([SearchRemoval(kind: .post, id: 52, version: 9)], in: transaction)
            }
            #expect(try await pendingPages() == 0)
            _ = try await database.query("UPDATE documents SET keys = keys || 1 WHERE NOT gone")
            #expect(try await pendingPages() ?? 0 > 0)
        }
    }

    @Test func `the newest version stays, in any order and twice; what is gone stays gone`() async throws {
        try await Self.run { index, _ in
            try await index.put([
                Self.post(1, "새 글", version: 3), Self.post(1, "헌 글", version: 2), Self.post(2, "둘째 글"),
            ])
            try await index.put([Self.post(1, "아주 헌 글", version: 1)])
            #expect(try await Self.found("글 ", index) == [2, 1])
            #expect(try await Self.found("헌 ", index) == [])
            try await index.remove([
                SearchRemoval(kind: .post, id: 2, version: 9), SearchRemoval(kind: .post, id: 3, version: 9),
            ])
            try await index.put([Self.post(2, "둘째 글", version: 8), Self.post(3, "셋째 글", version: 8)])
            #expect(try await Self.found("글 ", index) == [1])
            try await index.put(popularity: [
                .init(kind: .post, id: 1, popularity: 50, version: 2),
                .init(kind: .post, id: 1, popularity: 9, version: 1),
            ])
            try await index.put([Self.post(1, "새 글 고침", version: 4)])
            try await index.put([Self.post(4, "새 글", popularity: 3)])
            #expect(try await Self.found("글 ", index, order: .relevance) == [1, 4])
        }
    }

    @Test func `an end that comes after a newer beginning takes no name away`() async throws {
        try await Self.run { index, _ in
            let account = SearchDocument(kind: .account, id: 1, version: 6, names: ["김민수"], text: "김민수")
            try await index.put([account])
            try await index.remove([SearchRemoval(kind: .account, id: 1, version: 5)])
            let asked = NameRequest("김민", [.account], viewer: nil)
            #expect(try await index.complete(asked).map(\.id) == [1])
            try await index.remove([SearchRemoval(kind: .account, id: 1, version: 7)])
            #expect(try await index.complete(asked).isEmpty)
        }
    }

    @Test func `what matches exactly comes first, however old it is among what nearly does, and once`() async throws {
        try await Self.run(segmentSize: 64) { index, _ in
            try await index.put([Self.post(1, "어제 도서관에서는 조용했다"), Self.post(2, "도서관에서는 먹지 마세요")])
            try await index.put((3...320).map { Self.post($0, "도서관 \($0)") })
            var request = SearchRequest(.post, SearchQuery("도서관에서는 "), viewer: AccountID(7))
            var found: [Int64] = []
            repeat {
                let page = try await index.find(request)
                found += page.hits.map(\.id)
                request.cursor = page.next
            } while request.cursor != nil
            #expect(Set(found.prefix(2)) == [1, 2])
            #expect(found.count == 320 && Set(found).count == 320)
        }
    }

    @Test func `names that begin so in many places leave room for others`() async throws {
        try await Self.run { index, _ in
            // In the order of the alphabet the six places of one come before those of the next.
            let letters = Array("나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도")
            try await index.put(
                letters.enumerated().map { number, letter in
                    let name = "우리 " + String(repeating: "가\(letter)", count: 6)
                    return SearchDocument(kind: .account, id: Int64(number + 1), version: 1, names: [name], text: "")
                }
            )
            #expect(try await index.complete(NameRequest("가", [.account], viewer: nil, limit: 20)).count == 20)
        }
    }

    @Test func `a beginning finds every word that begins so, and marks the whole of it`() async throws {
        try await Self.run { index, _ in
            try await index.put([
                Self.post(1, "running shoes"), Self.post(2, "a runner"), Self.post(3, "rut and runes"),
                Self.post(4, "turn"),
            ])
            #expect(try await Self.found("run", index) == [3, 2, 1])
            let hits = try await index.find(SearchRequest(.post, SearchQuery("runn"), viewer: AccountID(7))).hits
            #expect(hits.map(\.id).sorted() == [1, 2])
            for hit in hits {
                #expect(hit.highlights == [hit.id == 1 ? 0..<7 : 2..<8])
            }
        }
    }

    @Test func `one syllable, parts of words, words apart, exclusion and phrases`() async throws {
        try await Self.run { index, _ in
            try await index.put([
                Self.post(1, "도서관에서 책을 읽었다"), Self.post(2, "독서 모임에 가요"), Self.post(3, "読書会に行きました"),
                Self.post(4, "I was cooking pasta, then baked cookies"), Self.post(5, "cook pasta pasta #요리"),
                Self.post(6, "독서모임 후기"),
            ])
            #expect(try await Self.found("책 ", index) == [1])
            #expect(try await Self.found("서관 ", index) == [1])
            #expect(try await Self.found("독서모임 ", index) == [6, 2])
            #expect(try await Self.found("독서 모임 ", index) == [6, 2])
            #expect(try await Self.found("모임 -후기", index) == [2])
            #expect(try await Self.found("読 ", index) == [3])
            #expect(try await Self.found("cooked pasta ", index) == [5, 4])
            #expect(try await Self.found("\"cooking pasta\"", index) == [5, 4])
            #expect(try await Self.found("\"pasta cooking\"", index) == [])
            #expect(try await Self.found("#요리", index) == [5])
            #expect(try await Self.found("#요", index) == [])
            #expect(try await Self.found("pas", index) == [5, 4])
            #expect(try await Self.found("pas ", index) == [])
            #expect(try await Self.found("patsa ", index) == [5, 4], "a word of five letters may have a slip")
        }
    }

    @Test func `filters`() async throws {
        try await Self.run { index, database in
            let may = Int64(1_777_593_600_000) << 16
            try await database.transaction {
                PeopleStore.keep(
                    [Person(id: AccountID(1), version: 1, handle: "mina", isIndexable: true, isGone: false)],
                    in: $0
                )
            }
            var first = Self.post(may, "글 하나")
            first.language = "ko"
            first.attachments = [.image]
            var second = Self.post(may + (86_400_000 << 16), "글 둘", by: 7)
            second.language = "ja"
            second.place = 55
            try await index.put([first, second])
            for (text, ids) in [
                ("글 from:mina", [first.id]), ("글 from:@MINA", [first.id]), ("글 from:me", [second.id]),
                ("글 -from:me", [first.id]), ("글 from:nobody", []),
                ("글 has:image", [first.id]), ("글 has:media", [first.id]), ("글 -has:image", [second.id]),
                ("글 lang:ja", [second.id]), ("in:55", [second.id]),
                ("글 before:2026-05-02", [first.id]), ("글 after:2026-05-01", [second.id]), ("글 after:2026-05", []),
                ("글 -after:2026-05-01", [first.id]),
                ("from:mina", [first.id]), ("글 has:image lang:ko before:2027 from:mina -둘", [first.id]),
                ("-하나 lang:ja", [second.id]), ("-하나", []),
            ] { #expect(try await Self.found(text + " ", index) == ids, "\(text)") }
        }
    }

    @Test func `what matched is marked in what was written`() async throws {
        try await Self.run { index, _ in
            let text = "오늘 Ｃｏｏｋｉｎｇ 독서 모임! 도서관"
            try await index.put([Self.post(1, text)])
            let page = try await index.find(SearchRequest(.post, SearchQuery("독서모임 cooked "), viewer: nil))
            let marked = try #require(page.hits.first).highlights.map {
                String(decoding: Array(text.utf8)[$0], as: UTF8.self)
            }
            #expect(marked == ["Ｃｏｏｋｉｎｇ", "독서 모임"])
        }
    }

    @Test(arguments: [SearchOrder.newest, .relevance])
    func `pages join without gap or repetition while documents come in`(order: SearchOrder) async throws {
        try await Self.run(segmentSize: 16) { index, _ in
            try await index.put((1...450).map { Self.post($0, "이야기 \($0)", popularity: Int($0 * 7919 % 100)) })
            var request = SearchRequest(.post, SearchQuery("이야기 "), viewer: nil)
            request.order = order
            request.limit = 30
            var seen: [Int64] = []
            var pages = 0
            repeat {
                let page = try await index.find(request)
                seen += page.hits.map(\.id)
                request.cursor = page.next.flatMap { SearchCursor($0.description) }
                #expect(page.next == request.cursor)
                pages += 1
                try await index.put([Self.post(1000 + Int64(pages), "이야기 새것", popularity: 1000)])
            } while request.cursor != nil && pages < 40
            #expect(Set(seen) == Set(1...450) && seen.count == 450)
            if order == .newest { #expect(seen == seen.sorted(by: >)) }
        }
    }

    @Test func `names are found while they are typed, by consonants and with a slip`() async throws {
        try await Self.run { index, _ in
            func account(_ id: Int64, _ name: String, _ handle: String, _ popularity: Int = 0) -> SearchDocument {
                SearchDocument(
                    kind: .account,
                    id: id,
                    version: 1,
                    author: AccountID(id),
                    popularity: popularity,
                    names: [name, handle],
                    text: "\(name) @\(handle)"
                )
            }
            try await index.put([
                account(1, "김민수", "minsu"), account(2, "관악산 산책", "gwanak"), account(3, "山田太郎", "taro_yamada"),
                account(4, "Jun Photographer", "jun_photo", 100),
                account(5, "김민지", "minji", 10),
            ])
            for (text, ids) in [
                ("ㄱ", [5, 2, 1]), ("고", [2]), ("과", [2]), ("관아", [2]), ("김미", [5, 1]), ("김민수", [1]), ("ㄱㅁㅅ", [1]),
                ("ㅁㅈ", [5]), ("민수", [1]),
                ("太", [3]), ("yam", [3]), ("photo", [4]), ("jnu", []), ("photogrpaher", [4]), ("mnisu", [1]),
                ("김만수", [1]), ("zzzz", []), ("", []), ("!", []),
            ] as [(String, [Int64])] {
                #expect(
                    try await index.complete(NameRequest(text, [.account], viewer: nil)).map(\.id) == ids,
                    "\(text)"
                )
            }
            try await index.put([
                {
                    var renamed = account(1, "박하늘", "minsu"); renamed.version = 2; return renamed
                }()
            ])
            #expect(try await index.complete(NameRequest("김민수", [.account], viewer: nil)).map(\.id) == [])
            #expect(try await index.complete(NameRequest("ㅂㅎㄴ", [.account], viewer: nil)).map(\.id) == [1])
        }
    }

    @Test func `a segment is full after its documents, and the next begins behind the newest`() async throws {
        try await Self.run(segmentSize: 4) { index, database in
            for id in Int64(1)...20 { try await index.put([Self.post(id, "글")]) }
            let segments: [(Int, Int64)] = try await database.query(
                "SELECT number, first_id FROM segments ORDER BY number"
            ).all {
                (try $0.next(), try $0.next())
            }
            #expect(segments.map(\.0) == [0, 1, 2, 3, 4] && segments.map(\.1) == [.min, 5, 9, 13, 17])
            #expect(try await Self.found("글 ", index) == Array((Int64(1)...20).reversed()))
        }
    }
}

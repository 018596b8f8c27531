// SPDX-License-Identifier: Apache-2.0
// Projects, records of reading and books on shelves: what they are found by, by whom, page by page.

import Calls
import Domain
import Events
import HTTPTypes
import NIOCore
import Outbox
import Postgres
import Support
import Testing
import Views
import Web

@testable import SearchService

@Suite struct TitledTests {
    private static func ask(_ question: SearchQuestion, _ world: SearchWorld, as viewer: Int64? = 7) async throws
        -> SearchFindings
    {
        let json = String(decoding: question.json(), as: UTF8.self)
        let answer = await world.send(.post, "/internal/search", json: json, as: viewer.map { AccountID($0) })
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try #require(SearchFindings(answer: ByteBuffer(bytes: answer.body)))
    }

    private static func found(_ text: String, _ kind: FoundKind, _ world: SearchWorld, as viewer: Int64? = 7)
        async throws -> [Int64]
    {
        try await ask(SearchQuestion(text, [kind]), world, as: viewer)[kind].map(\.id)
    }

    /// The titles of the books on shelves, and where the next page begins.
    private static func books(_ text: String, _ world: SearchWorld, as viewer: Int64? = nil) async throws
        -> (titles: [String?], next: String?)
    {
        let path = "/api/v1/search/books?q=\(text.percentEncoded)"
        let answer = await world.send(.get, path, as: viewer.map { AccountID($0) })
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        let json = try JSON(bytes: answer.body)
        return (try #require(json["books"]).elements.map { $0["title"]?.text }, json["next_cursor"]?.text)
    }

    // MARK: Projects

    @Test func `a project is found by whatever its leader says of it`() async throws {
        try await SearchWorld.run { world in
            let (one, two) = (SearchWorld.id(1), SearchWorld.id(2))
            try await world.tell(
                SearchWorld.told(
                    SearchWorld.project(
                        one,
                        by: 1,
                        "스터디 모임 앱",
                        text: "함께 만들어요",
                        tags: ["swift"],
                        roles: ["디자이너"],
                        place: "부산"
                    )
                ),
                SearchWorld.told(SearchWorld.project(two, by: 2, "독립 출판", text: "표지를 그립니다", state: .finished))
            )
            for text in ["스터디", "함께 만들", "#swift", "디자이너", "부산", "ㅅㅌㄷ", "\"모임 앱\"", "from:p1"] {
                #expect(try await Self.found(text, .project, world) == [one], "\(text)")
                #expect(try await Self.found(text, .project, world, as: nil) == [one], "\(text)")
            }
            #expect(try await Self.found("표지", .project, world) == [two])
            #expect(try await Self.found("ㄷㄹㅊㅍ", .project, world) == [two])
            #expect(try await Self.found("만들어요 -부산", .project, world) == [])
            #expect(try await Self.found("만들어요 after:2026-03-01", .project, world) == [])
            #expect(try await Self.found("만들어요 after:2026-02", .project, world) == [one])
        }
    }

    @Test func `a draft is its leader's, and what is deleted is gone for good`() async throws {
        try await SearchWorld.run { world in
            let id = SearchWorld.id(1)
            func tell(_ state: ProjectState, _ version: Int64) async throws {
                try await world.tell(
                    SearchWorld.told(SearchWorld.project(id, by: 1, "비밀 계획", state: state, version: version))
                )
            }
            try await tell(.draft, 1)
            for text in ["비밀", "ㅂㅁㄱㅎ"] {
                #expect(try await Self.found(text, .project, world, as: 1) == [id])
                for stranger in [Int64?(2), nil] {
                    #expect(try await Self.found(text, .project, world, as: stranger) == [])
                }
            }
            try await tell(.recruiting, 5)
            // What comes late changes nothing.
            try await tell(.draft, 3)
            #expect(try await Self.found("비밀", .project, world, as: 2) == [id])
            try await world.tell(AccountBlocked(actorID: AccountID(1), targetID: AccountID(2), subjectVersion: 3))
            try await world.tell(AccountBlocked(actorID: AccountID(3), targetID: AccountID(1), subjectVersion: 3))
            for text in ["비밀", "ㅂㅁㄱㅎ"] {
                for stranger in [Int64(2), 3] {
                    #expect(try await Self.found(text, .project, world, as: stranger) == [])
                }
            }
            try await world.tell(ProjectDeleted(projectID: ID(id), leaderID: AccountID(1), subjectVersion: 9))
            try await tell(.closed, 8)
            #expect(try await Self.found("비밀", .project, world, as: 1) == [])
            #expect(try await world.database.query("SELECT count(*) FROM names WHERE kind = 7").number() == 0)
        }
    }

    // MARK: Records

    @Test func `a record is found by its book and its review, by those who may see it`() async throws {
        try await SearchWorld.run { world in
            let (open, shown) = (SearchWorld.id(1), SearchWorld.id(2))
            let (reader, hidden) = (SearchWorld.account(1), SearchWorld.account(4, indexable: false))
            try await world.tell(
                RecordPublished(
                    reader: reader,
                    record: SearchWorld.record(
                        open,
                        by: 1,
                        of: "어린 왕자",
                        authors: ["생텍쥐페리"],
                        isbn: "9788932917245",
                        review: "장미가 좋다"
                    )
                ),
                RecordPublished(
                    reader: reader,
                    record: SearchWorld.record(shown, by: 1, of: "어린 왕자", review: "몰래", visibility: .followers)
                ),
                RecordPublished(
                    reader: hidden,
                    record: SearchWorld.record(SearchWorld.id(3), by: 4, of: "어린 왕자", review: "장미")
                ),
                AccountFollowed(
                    actor: SearchWorld.account(5),
                    targetID: AccountID(1),
                    followedAt: SearchWorld.now,
                    subjectVersion: 3
                )
            )
            for text in ["장미", "생텍쥐페리", "978-89-329-1724-5", "8932917248", "isbn:9788932917245 장미"] {
                #expect(try await Self.found(text, .record, world, as: nil) == [open], "\(text)")
            }
            for text in ["어린 왕자", "ㅇㄹㅇㅈ"] {
                #expect(try await Self.found(text, .record, world, as: nil) == [open], "\(text)")
                #expect(Set(try await Self.found(text, .record, world, as: 5)) == [open, shown], "\(text)")
                #expect(Set(try await Self.found(text, .record, world, as: 1)) == [open, shown], "\(text)")
            }
            // A number is found as a whole only.
            #expect(try await Self.found("97889329172", .record, world) == [])
            try await world.tell(AccountUnfollowed(actorID: AccountID(5), targetID: AccountID(1), subjectVersion: 4))
            #expect(try await Self.found("몰래", .record, world, as: 5) == [])
            try await world.tell(RecordWithdrawn(recordID: ID(open), accountID: AccountID(1), subjectVersion: 8))
            try await world.tell(
                RecordUpdated(reader: reader, record: SearchWorld.record(open, by: 1, of: "늦은 소식", version: 7))
            )
            #expect(try await Self.found("장미", .record, world, as: 1) == [])
            #expect(try await Self.found("늦은", .record, world, as: 1) == [])
        }
    }

    // MARK: Books

    @Test func `a book is on shelves once, as its first public record has it`() async throws {
        try await SearchWorld.run { world in
            let (first, second) = (SearchWorld.id(1), SearchWorld.id(2))
            func tell(_ id: Int64, _ title: String, _ visibility: RecordVisibility = .public, _ version: Int64 = 1)
                async throws
            {
                let record = SearchWorld.record(
                    id,
                    by: id,
                    of: title,
                    isbn: "9788932917245",
                    visibility: visibility,
                    version: version
                )
                try await world.tell(RecordUpdated(reader: SearchWorld.account(id), record: record))
            }
            try await tell(second, "어린왕자 (양장)")
            #expect(try await Self.books("어린왕자", world).titles == ["어린왕자 (양장)"])
            // An earlier one comes late.
            try await tell(first, "어린 왕자")
            for text in ["어린왕자", "ㅇㄹㅇㅈ", "9788932917245", "89-329-1724-8", "isbn:9788932917245"] {
                #expect(try await Self.books(text, world).titles == ["어린 왕자"], "\(text)")
            }
            #expect(try await Self.books("97889329", world).titles == [])
            // A search of several statements finds both while the first comes in: as if the document were still there.
            let moving = SearchDocument(kind: .book, id: second, version: 1, names: ["어린왕자"], text: "어린왕자 (양장)")
            try await PostgresIndex(world.database).put([moving])
            #expect(try await Self.books("어린왕자", world).titles.count == 1)
            let key = DocumentKey(kind: .book, id: second)
            try await world.database.transaction { try await PostgresIndex(world.database).forget([key], in: $0) }
            // What only followers see is on nobody's open shelf, and who has a book is not told.
            try await tell(SearchWorld.id(3), "숨은 책", .followers)
            for viewer in [SearchWorld.id(3), 7] {
                #expect(try await Self.books("숨은", world, as: viewer).titles == [])
            }
            #expect(
                try await world.database.query("SELECT count(author_id) FROM documents WHERE kind = 8").number() == 0
            )
            // It becomes the next one's, and goes with the last.
            try await tell(first, "어린 왕자", .followers, 5)
            #expect(try await Self.books("어린왕자", world).titles == ["어린왕자 (양장)"])
            try await world.tell(RecordWithdrawn(recordID: ID(second), accountID: ID(second), subjectVersion: 9))
            #expect(try await Self.books("어린왕자", world).titles == [])
            #expect(try await world.database.query("SELECT count(*) FROM names WHERE kind = 8").number() == 0)
        }
    }

    @Test func `a book whose document is missing has one again`() async throws {
        try await SearchWorld.run { world in
            for id in Int64(1)...3 {
                let record = SearchWorld.record(SearchWorld.id(id), by: id, of: "어린 왕자")
                try await world.tell(RecordPublished(reader: SearchWorld.account(id), record: record))
            }
            _ = try await world.database.query("DELETE FROM documents WHERE kind = 8")
            _ = try await world.database.query("DELETE FROM names WHERE kind = 8")
            #expect(try await Self.books("어린", world).titles == [])
            try await ShelfWalk.sweep(world.dependencies.index).finish(in: world.database)
            #expect(try await Self.books("어린", world).titles == ["어린 왕자"])
            #expect(try await Self.books("ㅇㄹ", world).titles == ["어린 왕자"])
        }
    }

    @Test func `titles are suggested, each book once and without who has it`() async throws {
        try await SearchWorld.run { world in
            for id in Int64(1)...3 {
                let record = SearchWorld.record(SearchWorld.id(id), by: id, of: "마당 나온 암탉")
                try await world.tell(RecordPublished(reader: SearchWorld.account(id), record: record))
            }
            let project = SearchWorld.project(SearchWorld.id(9), by: 1, "마당 앱")
            let draft = SearchWorld.project(SearchWorld.id(10), by: 1, "마당 비밀", state: .draft)
            try await world.tell(SearchWorld.told(project), SearchWorld.told(draft))
            for text in ["마당", "ㅁㄷ"] {
                let answer = await world.send(
                    .get,
                    "/api/v1/search/suggestions?q=\(text.percentEncoded)",
                    as: AccountID(7)
                )
                let suggestions = try JSON(bytes: answer.body).elements
                #expect(suggestions.map { $0["type"]?.text } == ["project", "book"], "\(text)")
                #expect(suggestions.map { $0["text"]?.text } == ["마당 앱", "마당 나온 암탉"], "\(text)")
                #expect(suggestions.last?["id"] == nil)
            }
        }
    }

    // MARK: Pages

    @Test func `a page joins the next while others come in`() async throws {
        try await SearchWorld.run { world in
            for number in Int64(1)...50 {
                try await world.tell(
                    SearchWorld.told(SearchWorld.project(SearchWorld.id(number), by: 1, "같은 \(number)"))
                )
            }
            var (seen, cursor, pages) = ([Int64](), String?.none, 0)
            repeat {
                let question = SearchQuestion("같은 ", [.project], limit: 7, cursor: cursor)
                let page = try await Self.ask(question, world)
                seen += page[.project].map(\.id)
                cursor = page.next
                pages += 1
                let late = SearchWorld.project(SearchWorld.id(100 + Int64(pages)), by: 2, "같은 나중")
                try await world.tell(SearchWorld.told(late))
            } while cursor != nil && pages < 20
            #expect(seen.count == 50 && Set(seen) == Set((Int64(1)...50).map { SearchWorld.id($0) }))
        }
    }

    @Test func `what is no cursor is refused`() async throws {
        try await SearchWorld.run { world in
            for cursor in ["x", "1.2.3", "1.2.3.4", "99999999999999999999.1.1.0", "-"] {
                let json = String(decoding: SearchQuestion("a", [.record], cursor: cursor).json(), as: UTF8.self)
                #expect(await world.send(.post, "/internal/search", json: json).status.code == 422, "\(cursor)")
                let path = "/api/v1/search/books?q=a&cursor=\(cursor)"
                #expect(await world.send(.get, path).status.code == 422, "\(cursor)")
            }
            #expect(await world.send(.get, "/api/v1/search/books").status.code == 400)
            for query in ["q=", "q=%20", "q=%25", "q=%22", "q=-", "q=a&limit=1"] {
                #expect(await world.send(.get, "/api/v1/search/books?\(query)").status == .ok, "\(query)")
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The board: its orders, filters and pages against what a naive reader would find.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

/// A project as a naive reader remembers it.
private struct Remembered {
    let id: Int64
    var state = "recruiting"
    var deadline: Int64?
    var applications = 0
    let category: String
    let place: String?
    let tags: Set<String>
    let roles: Set<String>

    /// The place in a list; lower comes first.
    func key(_ sort: String) -> (Int64, Int64) {
        switch sort {
        case "deadline": (deadline ?? .max, id)
        case "applications": (Int64(-applications), -id)
        default: (0, -id)
        }
    }
}

@Suite struct BoardTests {
    /// Every order with every filter, page by page in both directions, over a drawn board.
    @Test func everyListIsWhatANaiveReaderFinds() async throws {
        try await GraphWorld.run { world in
            var random = TestSeed()
            let ann = try await world.person("ann")
            let leaders = [ann, try await world.person("bob"), try await world.person("cat")]
            var fans: [Person] = []
            for number in 0..<6 { fans.append(try await world.person("fan\(number)")) }
            var board: [Remembered] = []
            for number in 0..<40 {
                let category = ["앱", "Web", "게임"].randomElement(using: &random) ?? "앱"
                let place = [nil, "online", "서울"].randomElement(using: &random) ?? nil
                let tags = ["swift", "kotlin", "서버"].filter { _ in Bool.random(using: &random) }
                let roles = ["iOS", "디자이너"].filter { _ in Bool.random(using: &random) } + ["기획"]
                // Some share a deadline to the millisecond.
                let days = Bool.random(using: &random) ? Int64.random(in: 2...6, using: &random) : nil
                let deadline = days.map { (GraphWorld.start + .seconds($0 * 86_400)) }
                let made = try await world.project(
                    by: leaders[number % 3],
                    [
                        "title": "p\(number)", "text": "", "category": category, "place": place ?? "", "tags": tags,
                        "roles": roles.map { ["name": $0] } as [[String: any Sendable]],
                        "deadline": deadline?.rfc3339 ?? "",
                    ]
                )
                var one = Remembered(
                    id: try #require(Int64(try made.id)),
                    deadline: deadline?.milliseconds,
                    category: category,
                    place: place,
                    tags: Set(tags),
                    roles: Set(roles)
                )
                for fan in fans where Int.random(in: 0..<3, using: &random) == 0 {
                    #expect(try await world.apply(to: made, as: fan, role: "기획").code == 200)
                    one.applications += 1
                }
                if Int.random(in: 0..<5, using: &random) == 0 {
                    #expect(try await world.step("close", try made.id, as: leaders[number % 3]).code == 200)
                    one.state = "closed"
                }
                board.append(one)
            }
            let filters: [(query: String, holds: (Remembered) -> Bool)] = [
                ("", { _ in true }), ("&category=web", { $0.category == "Web" }),
                ("&place=ONLINE", { $0.place == "online" }), ("&tag=Swift", { $0.tags.contains("swift") }),
                ("&role=%EF%BD%89%EF%BD%8F%EF%BD%93", { $0.roles.contains("iOS") }),
                (
                    "&tag=%EC%84%9C%EB%B2%84&category=%EC%95%B1&role=iOS",
                    { $0.tags.contains("서버") && $0.category == "앱" && $0.roles.contains("iOS") }
                ),
                ("&category=none", { _ in false }),
            ]
            for state in ["recruiting", "closed"] {
                for sort in ["newest", "deadline", "applications"] {
                    for filter in filters {
                        let expected = board.filter { $0.state == state && filter.holds($0) }
                            .sorted { $0.key(sort) < $1.key(sort) }.map { "\($0.id)" }
                        let path = "/api/v1/projects?limit=3&state=\(state)&sort=\(sort)\(filter.query)"
                        let label = "\(path) seed \(random.seed)"
                        let pages = try await world.walk(path, "next")
                        #expect(pages.flatMap(\.self) == expected, "\(label)")
                        guard let last = expected.last, expected.count > 3 else { continue }
                        // Back from the end.
                        var back = try await world.walk("\(path)&min_id=\(last)", "prev")
                        back.removeAll(where: \.isEmpty)
                        #expect(back.reversed().flatMap(\.self) == Array(expected.dropLast()), "\(label) back")
                    }
                }
            }
        }
    }

    @Test func listsOfAnAccountAndOfWhatIsKept() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            var ids: [String] = []
            for number in 0..<7 { ids.append(try await world.project(by: ann, ["title": "p\(number)"]).id) }
            let led = try await world.walk("/api/v1/accounts/\(ann.id)/projects?limit=3", "next")
            #expect(led == [Array(ids[4...6].reversed()), Array(ids[1...3].reversed()), [ids[0]], []])
            // Kept in another order than they were made.
            for id in [ids[3], ids[0], ids[5]] {
                for _ in 0..<2 {
                    let kept = try await world.step("bookmark", id, as: bob)
                    #expect(try kept.bool("bookmarked") == true)
                }
            }
            let kept = try await world.walk("/api/v1/projects/bookmarks?limit=2", "next", as: bob)
            #expect(kept == [[ids[5], ids[0]], [ids[3]], []])
            #expect(try await world.step("unbookmark", ids[0], as: bob).bool("bookmarked") == false)
            try await world.relate("mute", ann, as: bob)
            #expect(try await world.ids("/api/v1/projects/bookmarks", as: bob) == [ids[5], ids[3]])
            #expect(try await world.ids("/api/v1/projects", as: bob).isEmpty, "the board shows nobody who is muted")
            #expect(try await world.get("/api/v1/projects/\(ids[1])", as: bob).code == 200)
            try await world.relate("block", ann, as: bob)
            #expect(try await world.ids("/api/v1/projects/bookmarks", as: bob).isEmpty)
            #expect(try await world.ids("/api/v1/accounts/\(ann.id)/projects", as: bob).isEmpty)
        }
    }

    /// A filter that few projects match goes on behind the rows of one look.
    @Test func aRareFilterGoesOnBehindWhatWasLookedAt() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let rare = try await world.project(by: ann, ["category": "앱", "place": "online"]).id
            let ids = try (0..<2500).map { _ in try world.dependencies.ids.next(ProjectID.self).rawValue }
            _ = try await world.database.query(
                """
                INSERT INTO projects (id, leader_id, state, title, summary, body, created_at)
                SELECT id, \(ann.id), 'recruiting', 'p', '', '', now() FROM unnest(\(ids)) id
                """
            )
            _ = try await world.database.query(
                """
                INSERT INTO project_facets (project_id, facet, state, deadline, applications_count)
                SELECT id, facet, 'recruiting', 'infinity', 0 FROM unnest(\(ids)) id, unnest(ARRAY ['', 'p:online']) facet
                """
            )
            for sort in ["newest", "deadline", "applications"] {
                var path: String? = "/api/v1/projects?sort=\(sort)&place=online&category=%EC%95%B1"
                var (found, asked): ([String], Int) = ([], 0)
                while let next = path, asked < 10 {
                    let answer = try await world.get(next)
                    found += try answer.list.compactMap { $0["id"] as? String }
                    path = try answer.pageLink("next")
                    asked += 1
                }
                #expect(found == [rare], "\(sort)")
                #expect(asked <= 2, "\(sort): a page is filled from all that a few looks find")
            }
        }
    }

    /// A cursor is a project's id: of a foreign or a deleted project it only says where to go on.
    @Test func foreignCursorsGiveNothingElse() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            var ids: [String] = []
            for number in 0..<5 {
                let deadline = (GraphWorld.start + .seconds(Int64(90_000 + number * 100))).rfc3339
                ids.append(try await world.project(by: ann, ["deadline": deadline]).id)
            }
            let draft = try await world.project(by: ann, ["publish": false]).id
            #expect(try await world.send(.delete, "/api/v1/projects/\(ids[2])", as: ann).code == 200)
            for sort in ["newest", "deadline", "applications"] {
                for cursor in ids + [draft, "1", "9223372036854775807", ann.id.description] {
                    for name in ["max_id", "min_id", "since_id"] {
                        let list = try await world.ids("/api/v1/projects?sort=\(sort)&\(name)=\(cursor)")
                        #expect(Set(list).isSubset(of: [ids[0], ids[1], ids[3], ids[4]]), "\(sort) \(name)")
                    }
                }
            }
            let after = try await world.ids("/api/v1/projects?sort=deadline&max_id=\(ids[2])")
            #expect(after == [ids[3], ids[4]], "where a deleted one stood")
        }
    }
}

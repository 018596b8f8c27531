// SPDX-License-Identifier: Apache-2.0
// Favourites and follows that come at the same time share a transaction, and each ends as it would have by itself.

import Domain
import Events
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct JointCommandTests {
    private typealias Act = (name: String, run: @Sendable () async throws -> Int)

    /// Runs acts while somebody holds a row's lock, for which the first of them waits and the others behind it.
    ///
    /// - Parameter waiting: how many wait behind it.
    private func run(
        _ acts: [Act],
        in world: GraphWorld,
        whileLocked lock: SQL,
        until waiting: @escaping @Sendable () -> Int
    ) async throws -> [String: [Int]] {
        let tasks = try await world.database.transaction { transaction in
            _ = try await transaction.query(lock)
            func begin(_ acts: some Sequence<Act>) -> [Task<(name: String, code: Int), any Error>] {
                acts.map { act in Task { (name: act.name, code: try await act.run()) } }
            }
            let first = begin(acts.prefix(1))
            try await eventually("the first waits for the row") {
                let blocked: SQL = """
                    SELECT count(*) FROM pg_locks
                    JOIN pg_stat_activity USING (pid)
                    WHERE NOT granted AND datname = current_database()
                    """
                return try await world.number(blocked) > 0
            }
            let others = begin(acts.dropFirst())
            try await eventually("nearly all others wait for the first") { waiting() >= acts.count - 8 }
            return first + others
        }
        var codes: [String: [Int]] = [:]
        for task in tasks {
            let act = try await task.value
            codes[act.name, default: []].append(act.code)
        }
        return codes.mapValues { $0.sorted() }
    }

    private func people(_ count: Int, in world: GraphWorld) async throws -> [Person] {
        var people: [Person] = []
        for number in 0..<count { people.append(try await world.person("p\(number)")) }
        return people
    }

    @Test func favouritesOfOnePost() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bad = try await world.person("bad")
            let id = try await world.write("hot", as: ann)
            let boost = try #require(try await world.act("reblog", on: id, as: ann).string("id"))
            try await world.relate("block", bad, as: ann)
            let crowd = try await people(12, in: world)
            var acts: [Act] = []
            for (number, person) in crowd.enumerated() {
                // Some by the boost, and each twice.
                for entry in [id, number.isMultiple(of: 3) ? boost : id] {
                    acts.append(("liked", { try await world.act("favourite", on: entry, as: person).code }))
                }
            }
            acts.append(("blocked", { try await world.act("favourite", on: id, as: bad).code }))
            let missing = "\(try #require(PostID(id)).rawValue + 4)"
            acts.append(("missing", { try await world.act("favourite", on: missing, as: bad).code }))
            let lock: SQL = "SELECT FROM posts WHERE id = \(try #require(PostID(id))) FOR UPDATE"
            let codes = try await run(acts, in: world, whileLocked: lock) { world.dependencies.favourites.waiting }
            #expect(codes == ["liked": Array(repeating: 200, count: 24), "blocked": [404], "missing": [404]])
            #expect(try await world.status(id)["favourites_count"] as? Int == 12)
            #expect(try await world.number("SELECT count(*) FROM favourites") == 12)
            let told = try await world.events().filter { $0.type == PostLiked.type }
            #expect(told.count == 12 && Set(told.map(\.version)).count == 12)
            // The transactions of these acts took less than one each.
            let writers: SQL = "SELECT count(DISTINCT CAST(xmin AS text)) FROM favourites"
            #expect(try await world.number(writers) < 12)

            var ends: [Act] = []
            for person in crowd {
                for _ in 0..<2 {
                    ends.append(("ended", { try await world.act("unfavourite", on: id, as: person).code }))
                }
            }
            ends.append(("missing", { try await world.act("unfavourite", on: missing, as: bad).code }))
            let after = try await run(ends, in: world, whileLocked: lock) { world.dependencies.unfavourites.waiting }
            #expect(after == ["ended": Array(repeating: 200, count: 24), "missing": [404]])
            #expect(try await world.status(id)["favourites_count"] as? Int == 0)
            let taken = try await world.events().filter { $0.type == PostUnliked.type }
            #expect(taken.count == 12)
            let versions = (told + taken).map(\.version)
            #expect(Set(versions).count == 24)
            #expect(try #require(taken.map(\.version).min()) > #require(told.map(\.version).max()))
        }
    }

    @Test func followsOfOneAccount() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bad = try await world.person("bad")
            try await world.relate("block", bad, as: ann)
            let path = "/api/v1/accounts/\(ann.id)"
            let crowd = try await people(12, in: world)
            var acts: [Act] = []
            for (number, person) in crowd.enumerated() {
                for form in ["notify=true", number == 3 ? "languages[]=ko" : "notify=true"] {
                    acts.append(("followed", { try await world.post(path + "/follow", as: person, form: form).code }))
                }
            }
            acts.append(("blocked", { try await world.post(path + "/follow", as: bad).code }))
            let lock: SQL = "SELECT FROM accounts WHERE id = \(ann.id) FOR UPDATE"
            let codes = try await run(acts, in: world, whileLocked: lock) { world.dependencies.follows.waiting }
            #expect(codes == ["followed": Array(repeating: 200, count: 24), "blocked": [403]])
            #expect(try await world.counts(ann).contains(12))
            #expect(try await world.number("SELECT count(*) FROM follows WHERE notify OR languages IS NOT NULL") == 12)
            #expect(try await world.number("SELECT CAST(sum(following_count) AS bigint) FROM accounts") == 12)
            let told = try await world.events().filter { $0.type == AccountFollowed.type }
            #expect(told.count == 12 && Set(told.map(\.subject)).count == 12)
            // The transactions of these acts took less than one each.
            let writers: SQL =
                "SELECT count(DISTINCT CAST(xmin AS text)) FROM outbox WHERE type = \(AccountFollowed.type)"
            #expect(try await world.number(writers) < 12)

            var ends: [Act] = []
            for person in crowd {
                for _ in 0..<2 { ends.append(("ended", { try await world.post(path + "/unfollow", as: person).code })) }
            }
            let after = try await run(ends, in: world, whileLocked: lock) { world.dependencies.unfollows.waiting }
            #expect(after == ["ended": Array(repeating: 200, count: 24)])
            #expect(try await world.number("SELECT count(*) FROM follows") == 0)
            #expect(
                try await world.number("SELECT CAST(sum(following_count + followers_count) AS bigint) FROM accounts")
                    == 0
            )
            #expect(try await world.events().count { $0.type == AccountUnfollowed.type } == 12)
        }
    }

    @Test func aLockedAccountIsAskedByEachOfThem() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let code = try await world.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: ann,
                scopes: "read write follow",
                type: "application/x-www-form-urlencoded",
                body: "locked=true"
            ).code
            #expect(code == 200)
            let crowd = try await people(12, in: world)
            var acts: [Act] = []
            for person in crowd {
                acts.append(
                    (
                        "asked",
                        {
                            let answer = try await world.post("/api/v1/accounts/\(ann.id)/follow", as: person)
                            #expect(try answer.bool("requested") == true && answer.bool("following") == false)
                            return answer.code
                        }
                    )
                )
            }
            let lock: SQL = "SELECT FROM accounts WHERE id = \(ann.id) FOR UPDATE"
            let codes = try await run(acts, in: world, whileLocked: lock) { world.dependencies.follows.waiting }
            #expect(codes == ["asked": Array(repeating: 200, count: 12)])
            #expect(try await world.number("SELECT count(*) FROM follow_requests") == 12)
            #expect(try await world.number("SELECT count(*) FROM follows") == 0)
        }
    }
}

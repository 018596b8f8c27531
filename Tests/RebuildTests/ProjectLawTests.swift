// SPDX-License-Identifier: Apache-2.0
// Who is in a project is in its playground, and nobody else because of it, whatever is lost, late, shuffled or repeated.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import Outbox

/// What travels between posts and chat about projects, in no order at all.
private struct Post: Sendable {
    struct Letter: Sendable {
        let type: String
        let subject: String
        let version: Int64
        let envelope: [UInt8]
    }

    let here: Neighbourhood
    private(set) var waiting: [Letter] = []

    init(_ here: Neighbourhood) { self.here = here }

    /// Takes what was recorded since.
    mutating func collect() async throws {
        for database in [here.posts.database, here.chat.database] {
            let envelopes: [[UInt8]] = try await database.query(
                """
                WITH taken AS (DELETE FROM outbox RETURNING id, audience, envelope)
                SELECT envelope FROM taken WHERE audience = 'events' ORDER BY id
                """
            ).all { try $0.next() }
            waiting += try envelopes.map { envelope in
                let event = try TestEvent(envelope)
                return Letter(type: event.type, subject: event.subject, version: event.version, envelope: envelope)
            }
        }
    }

    /// Some of what waits arrives, in any order; some of it stays, to come again.
    mutating func deliverSome(_ random: inout TestSeed) async throws {
        try await collect()
        waiting.shuffle(using: &random)
        // A list of which a newer one is on its way may be lost.
        if Int.random(in: 0..<3, using: &random) == 0, let lost = waiting.indices.randomElement(using: &random) {
            let letter = waiting[lost]
            let isOutdone = waiting.contains {
                $0.type == ProjectMembersChanged.type && $0.subject == letter.subject && $0.version > letter.version
            }
            if letter.type == ProjectMembersChanged.type, isOutdone { waiting.remove(at: lost) }
        }
        let count = Int.random(in: 0...max(0, waiting.count), using: &random)
        let arriving = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        try await deliver(arriving)
        for letter in arriving where Int.random(in: 0..<4, using: &random) == 0 { waiting.append(letter) }
    }

    /// Everything arrives, and what follows from it.
    mutating func deliverAll(_ random: inout TestSeed) async throws {
        try await collect()
        while !waiting.isEmpty {
            let arriving = waiting.shuffled(using: &random)
            waiting = []
            try await deliver(arriving)
            try await collect()
        }
    }

    private func deliver(_ letters: [Letter]) async throws {
        let queues =
            here.posts.rooms.map { (here.posts.database, $0) } + here.chat.projects.map { (here.chat.database, $0) }
        for (database, queue) in queues {
            let wanted = Set(queue.reactions.map(\.type))
            let mine = letters.filter { wanted.contains($0.type) }
            for start in stride(from: 0, to: mine.count, by: 5) {
                try await queue.apply(mine[start..<min(start + 5, mine.count)].map(\.envelope), in: database)
            }
        }
    }
}

@Suite(.serialized) struct ProjectLawTests {
    /// Histories of a hundred acts, with deliveries between the acts.
    @Test func whoIsInAProjectIsInItsPlayground() async throws {
        try await Neighbourhood.run(people: 8) { here in
            var random = TestSeed()
            for _ in 0..<TestScale.of(6, atMost: 300) {
                var post = Post(here)
                let projects = try await begin(here)
                for _ in 0..<100 {
                    try await act(here, projects, &random)
                    if Bool.random(using: &random) { try await post.deliverSome(&random) }
                }
                try await post.deliverAll(&random)
                try await expectLaw(here, "seed \(random.seed)")
                // So that there is room for the next ones.
                _ = try await here.posts.database.query("UPDATE projects SET state = 'finished'")
            }
        }
    }

    /// The same while the two talk at the same time, as processes do.
    @Test func whatRacesEndsTheSame() async throws {
        try await Neighbourhood.run(people: 8) { here in
            var random = TestSeed()
            let projects = try await begin(here)
            for _ in 0..<TestScale.of(5, atMost: 50) {
                let seeds = (0..<6).map { _ in UInt64.random(in: .min ... .max, using: &random) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for seed in seeds {
                        group.addTask {
                            var random = TestSeed(seed)
                            for _ in 0..<8 { try await act(here, projects, &random) }
                        }
                    }
                    try await group.waitForAll()
                }
                var post = Post(here)
                try await post.deliverAll(&random)
                try await expectLaw(here, "seed \(random.seed)")
            }
        }
    }

    private func begin(_ here: Neighbourhood) async throws -> [String] {
        var ids: [String] = []
        for leader in here.people.prefix(2) {
            let made = try await here.send(
                "posts",
                .post,
                "/api/v1/projects",
                as: leader,
                [
                    "title": "마당", "publish": true, "language": "ko",
                    "roles": [["name": "iOS", "wanted": 4]] as [[String: any Sendable]],
                ]
            )
            ids.append(try #require(here.text(made, "id")))
        }
        return ids
    }

    /// Somebody does something, or is refused.
    private func act(
        _ here: Neighbourhood,
        _ projects: [String],
        _ random: inout some RandomNumberGenerator
    ) async throws {
        let project = try #require(projects.randomElement(using: &random))
        let person = try #require(here.people.randomElement(using: &random))
        let other = try #require(here.people.randomElement(using: &random))
        let row = try await here.posts.database.query(
            "SELECT leader_id, playground_id FROM projects WHERE id = \(Int64(project) ?? 0)"
        ).one { (try $0.next(AccountID.self), try $0.next(PlaygroundID?.self)) }
        guard let (leaderID, playground) = row, let leader = here.people.first(where: { $0.id == leaderID }) else {
            return
        }
        let path = "/api/v1/projects/\(project)"
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4: try await join(here, project, person, leader)
        case 5: try await here.send("posts", .post, "\(path)/leave", as: person)
        case 6: try await here.send("posts", .delete, "\(path)/members/\(other.id)", as: leader)
        case 7: try await here.send("posts", .post, "\(path)/transfer", as: leader, ["account_id": "\(other.id)"])
        default:
            guard let playground else { return }
            let room = "/api/v1/playgrounds/\(playground)"
            let owner = try await here.chat.database.query("SELECT owner_id FROM playgrounds WHERE id = \(playground)")
                .one { try $0.next(AccountID.self) }
            let host = here.people.first { $0.id == owner } ?? leader
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: try await here.send("chat", .post, "\(room)/leave", as: person)
            case 3: try await here.send("chat", .delete, "\(room)/members/\(other.id)", as: host)
            case 4: try await here.send("chat", .post, "\(room)/bans", as: host, ["account_id": "\(other.id)"])
            case 5: try await here.send("chat", .delete, "\(room)/bans/\(other.id)", as: host)
            case 6: try await here.send("chat", .post, "\(room)/transfer", as: host, ["account_id": "\(other.id)"])
            default: try await here.send("chat", .delete, room, as: host)
            }
        }
    }

    private func join(
        _ here: Neighbourhood,
        _ project: String,
        _ person: Principal.Account,
        _ leader: Principal.Account
    ) async throws {
        let shown = try await here.get("posts", "/api/v1/projects/\(project)", as: person)
        let object = try JSONSerialization.jsonObject(with: Data(shown.body)) as? [String: Any]
        guard let role = (object?["roles"] as? [[String: Any]])?.first?["id"] as? String else { return }
        let path = "/api/v1/projects/\(project)/applications"
        let applied = try await here.send("posts", .post, path, as: person, ["role_id": role])
        guard let application = here.text(applied, "id") else {
            // Ten times is enough for anybody; so that histories go on, those are forgotten.
            _ = try await here.posts.database.query("DELETE FROM applications WHERE state <> 'open'")
            return
        }
        try await here.send("posts", .post, "/api/v1/applications/\(application)/accept", as: leader)
        try await here.send("posts", .post, "/api/v1/applications/\(application)/withdraw", as: person)
    }

    private func expectLaw(_ here: Neighbourhood, _ comment: Comment) async throws {
        let members = try await here.posts.database.query(
            "SELECT project_id, account_id, since FROM project_members ORDER BY 1, 2"
        ).all { [try $0.next(Int64.self), try $0.next(Int64.self), try $0.next(Int64.self)] }
        let rooms = try await here.chat.database.query(
            """
            SELECT m.project_id, m.account_id, m.since
            FROM project_room_members m
            JOIN project_rooms r ON r.project_id = m.project_id
            WHERE NOT m.gone
            ORDER BY 1, 2
            """
        ).all { [try $0.next(Int64.self), try $0.next(Int64.self), try $0.next(Int64.self)] }
        let open = Set(
            try await here.chat.database.query("SELECT project_id FROM project_rooms WHERE playground_id IS NOT NULL")
                .all { try $0.next(Int64.self) }
        )
        // A project whose playground was deleted, or that never had two people, has none until somebody comes or goes.
        #expect(members.filter { open.contains($0[0]) } == rooms, comment)
        let absent = try await here.chat.database.query(
            """
            SELECT count(*)
            FROM project_room_members m
            JOIN project_rooms r ON r.project_id = m.project_id
            WHERE NOT m.gone AND NOT EXISTS (
                SELECT FROM playground_members p
                WHERE p.playground_id = r.playground_id AND p.account_id = m.account_id
            )
            """
        ).number()
        #expect(absent == 0, comment)
        // Nobody came by another way: who is in no project is in no playground of one.
        let guests = try await here.chat.database.query(
            """
            SELECT count(*)
            FROM playground_members p
            JOIN project_rooms r ON r.playground_id = p.playground_id
            WHERE NOT EXISTS (
                SELECT FROM project_room_members m
                WHERE m.project_id = r.project_id AND m.account_id = p.account_id AND NOT m.gone
            )
            """
        ).number()
        #expect(guests == 0, comment)
        let shown = try await here.posts.database.query(
            "SELECT id, playground_id FROM projects WHERE playground_id IS NOT NULL ORDER BY id"
        ).all { [try $0.next(Int64.self), try $0.next(Int64.self)] }
        let kept = try await here.chat.database.query(
            "SELECT project_id, playground_id FROM project_rooms WHERE playground_id IS NOT NULL ORDER BY 1"
        ).all { [try $0.next(Int64.self), try $0.next(Int64.self)] }
        #expect(shown == kept, comment)
    }
}

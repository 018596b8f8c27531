// SPDX-License-Identifier: Apache-2.0
// The playgrounds of projects: lists of members followed, and departures told.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import ChatService

/// A project as posts would tell of it.
private struct ProjectTeller {
    let world: ChatWorld
    let id: ProjectID
    let leader: Somebody
    private(set) var version: Int64 = 1
    private var members: [(person: Somebody, since: Int64)]

    init(_ world: ChatWorld, leader: Somebody) throws {
        (self.world, self.leader) = (world, leader)
        id = try world.dependencies.ids.next()
        members = [(leader, 1)]
    }

    /// The list after somebody came or went.
    mutating func list(adding: Somebody? = nil, removing: Somebody? = nil, leader: Somebody? = nil) -> [UInt8] {
        version += 1
        if let removing { members.removeAll { $0.person.id == removing.id } }
        if let adding { members.append((adding, version)) }
        return event(leader: leader)
    }

    func since(_ person: Somebody) -> Int64? { members.first { $0.person.id == person.id }?.since }

    private func event(leader: Somebody?) -> [UInt8] {
        ChatWorld.message(
            ProjectMembersChanged(
                projectID: id,
                title: "마당 앱",
                language: "ko-KR",
                leaderID: leader?.id ?? self.leader.id,
                members: members.map {
                    ProjectMemberSnapshot(accountID: $0.person.id, username: $0.person.username, since: $0.since)
                },
                subjectVersion: version
            )
        )
    }

    func deleted() -> [UInt8] {
        ChatWorld.message(ProjectDeleted(projectID: id, leaderID: leader.id, subjectVersion: version + 1))
    }
}

extension ChatWorld {
    fileprivate static func message(_ event: some Event) -> [UInt8] {
        let envelope = Envelope(id: EventID.new(), time: start, traceparent: nil, data: event)
        return (try? envelope.message()) ?? []
    }

    fileprivate func follow(_ lists: [UInt8]...) async throws {
        for list in lists { try await ProjectLists.queue(dependencies).apply([list], in: database) }
    }

    /// The playground of a project and who is in it.
    fileprivate func room(of project: ProjectID) async throws -> (id: String, members: Set<AccountID>)? {
        let id = try await database.query("SELECT playground_id FROM project_rooms WHERE project_id = \(project)")
            .one { try $0.next(PlaygroundID?.self) }
        guard case .some(.some(let playground)) = id else { return nil }
        let members: [AccountID] = try await database.query(
            "SELECT account_id FROM playground_members WHERE playground_id = \(playground)"
        ).all { try $0.next() }
        return (playground.description, Set(members))
    }

    fileprivate func told<E: Event>(_: E.Type) async throws -> [E] {
        try await recordedEvents(in: database).compactMap { event in
            try TestEvent(event).type == E.type
                ? try JSONDecoder().decode(Envelope<E>.self, from: Data(event)).data : nil
        }
    }
}

@Suite struct ProjectRoomTests {
    @Test func theFirstToComeOpensThePlayground() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            // Of whom chat has heard nothing.
            let bob = try world.stranger("bob")
            var project = try ProjectTeller(world, leader: ann)
            try await world.follow(project.list())
            #expect(try await world.room(of: project.id) == nil, "nobody to talk to")
            let list = project.list(adding: bob)
            try await world.follow(list, list)
            let room = try #require(try await world.room(of: project.id))
            #expect(room.members == [ann.id, bob.id])
            let opened = try await world.told(ProjectRoomChanged.self)
            #expect(opened.map(\.playgroundID?.description) == [room.id])
            let seen = try await world.get("/api/v1/playgrounds/\(room.id)", as: bob).object
            #expect(seen["name"] as? String == "마당 앱" && seen["open"] as? Bool == false)
            #expect(seen["owner_id"] as? String == ann.id.description)
            let channel = try #require(opened.first?.channelID?.description)
            #expect(seen["default_channel_id"] as? String == channel)
            for person in [ann, bob] {
                let said = try await world.post("/api/v1/channels/\(channel)/messages", as: person, ["text": "안녕"])
                #expect(said.code == 200 || said.code == 201, "\(said.text)")
            }
            #expect(try await world.get("/api/v1/channels/\(channel)", as: bob).string("name") == "일반")
        }
    }

    @Test func onlyTheNewestListCounts() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(5)
            var project = try ProjectTeller(world, leader: people[0])
            let two = project.list(adding: people[1])
            let three = project.list(adding: people[2])
            let less = project.list(removing: people[1])
            try await world.follow(less, three, two)
            let room = try #require(try await world.room(of: project.id))
            #expect(room.members == [people[0].id, people[2].id])
            #expect(try await world.told(MemberLeft.self).isEmpty, "who never was in it does not leave")
            // A playground is made by the newest word alone, never by an older one.
            var other = try ProjectTeller(world, leader: people[3])
            let came = other.list(adding: people[4])
            let went = other.list(removing: people[4])
            try await world.follow(went, came)
            #expect(try await world.room(of: other.id) == nil)
        }
    }

    @Test func guestsStayAndMembersGo() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(3)
            let (ann, bob, guest) = (people[0], people[1], people[2])
            var project = try ProjectTeller(world, leader: ann)
            try await world.follow(project.list(adding: bob))
            let id = try #require(try await world.room(of: project.id)).id
            let invite = try await world.post("/api/v1/playgrounds/\(id)/invites", as: ann).string("code")
            let code = try #require(invite)
            #expect(try await world.post("/api/v1/invites/\(code)/accept", as: guest).code == 200)
            try await world.follow(project.list(removing: bob))
            #expect(try await world.room(of: project.id)?.members == [ann.id, guest.id])
            #expect(try await world.told(ProjectMemberLeft.self).isEmpty, "what posts said is not told back")
            #expect(try await world.post("/api/v1/playgrounds/\(id)/leave", as: guest).code == 200)
            #expect(try await world.told(ProjectMemberLeft.self).isEmpty, "a guest is no member of the project")
        }
    }

    @Test func whoGoesIsToldAndNotLetInAgainForTheSame() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(3)
            let (ann, bob, cat) = (people[0], people[1], people[2])
            var project = try ProjectTeller(world, leader: ann)
            try await world.follow(project.list(adding: bob))
            let since = try #require(project.since(bob))
            let id = try #require(try await world.room(of: project.id)).id
            #expect(try await world.post("/api/v1/playgrounds/\(id)/leave", as: bob).code == 200)
            let left = try await world.told(ProjectMemberLeft.self)
            #expect(left.map(\.accountID) == [bob.id] && left.map(\.since) == [since])
            // Posts has not heard of it when somebody else comes.
            try await world.follow(project.list(adding: cat))
            #expect(try await world.room(of: project.id)?.members == [ann.id, cat.id])
            try await world.follow(project.list(removing: bob), project.list(adding: bob))
            #expect(try await world.room(of: project.id)?.members == [ann.id, bob.id, cat.id])
            #expect(try await world.told(ProjectMemberLeft.self).count == 1)
            // The same where posts is faster than any list that tells of his going.
            #expect(try await world.post("/api/v1/playgrounds/\(id)/leave", as: bob).code == 200)
            _ = project.list(removing: bob)
            try await world.follow(project.list(adding: bob))
            #expect(try await world.room(of: project.id)?.members == [ann.id, bob.id, cat.id])
        }
    }

    @Test func whoIsBannedIsNotLetIn() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(3)
            let (ann, bob, cat) = (people[0], people[1], people[2])
            var project = try ProjectTeller(world, leader: ann)
            try await world.follow(project.list(adding: bob))
            let id = try #require(try await world.room(of: project.id)).id
            let path = "/api/v1/playgrounds/\(id)/bans"
            for person in [bob, cat] {
                let answer = try await world.post(path, as: ann, ["account_id": person.id.description])
                #expect(answer.code == 200, "\(answer.text)")
            }
            #expect(try await world.told(ProjectMemberLeft.self).map(\.accountID) == [bob.id])
            try await world.follow(project.list(removing: bob))
            let list = project.list(adding: cat)
            try await world.follow(list)
            #expect(try await world.room(of: project.id)?.members == [ann.id])
            let told = try await world.told(ProjectMemberLeft.self)
            #expect(told.map(\.accountID) == [bob.id, cat.id] && told.last?.since == project.since(cat))
            // Who leads it is let in, ban or not.
            try await world.follow(project.list(leader: cat))
            #expect(try await world.room(of: project.id)?.members == [ann.id, cat.id])
            let seen = try await world.get("/api/v1/playgrounds/\(id)", as: cat).object
            #expect(seen["owner_id"] as? String == cat.id.description && seen["role"] as? String == "owner")
        }
    }

    @Test func thePlaygroundGoesWithTheProject() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(3)
            let (ann, bob, cat) = (people[0], people[1], people[2])
            var project = try ProjectTeller(world, leader: ann)
            try await world.follow(project.list(adding: bob), project.list(adding: cat))
            let id = try #require(try await world.room(of: project.id)).id
            let path = "/api/v1/playgrounds/\(id)"
            try await world.follow(project.list(removing: ann, leader: bob))
            #expect(try await world.room(of: project.id)?.members == [bob.id, cat.id])
            #expect(try await world.get(path, as: bob).string("role") == "owner")
            // Its owner may be another than the leader, but the leader stays in it.
            let transfer = ["account_id": cat.id.description]
            #expect(try await world.post("\(path)/transfer", as: bob, transfer).code == 200)
            let leaving = try await world.post("\(path)/leave", as: bob)
            #expect(leaving.code == 409 && leaving.text.contains("leader-must-transfer"))
            #expect(try await world.delete("\(path)/members/\(bob.id)", as: cat).code == 409)
            let ban = try await world.post("\(path)/bans", as: cat, ["account_id": bob.id.description])
            #expect(ban.code == 409)
            #expect(try await world.number("SELECT count(*) FROM playground_bans") == 0)
            // An owner who goes out of the project leaves it to the leader.
            try await world.follow(project.list(removing: cat, leader: bob))
            #expect(try await world.room(of: project.id)?.members == [bob.id])
            #expect(try await world.get(path, as: bob).string("role") == "owner")
        }
    }

    @Test func aDeletedPlaygroundIsMadeAnew() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(3)
            let (ann, bob, cat) = (people[0], people[1], people[2])
            var project = try ProjectTeller(world, leader: ann)
            try await world.follow(project.list(adding: bob))
            let first = try #require(try await world.room(of: project.id)).id
            #expect(try await world.delete("/api/v1/playgrounds/\(first)", as: ann).code == 200)
            #expect(try await world.room(of: project.id) == nil)
            try await world.follow(project.list(adding: cat))
            let second = try #require(try await world.room(of: project.id))
            #expect(second.id != first && second.members == [ann.id, bob.id, cat.id])
            let told = try await world.told(ProjectRoomChanged.self)
            #expect(told.map { $0.playgroundID?.description } == [first, nil, second.id])
            #expect(told.map(\.subjectVersion) == told.map(\.subjectVersion).sorted())
            #expect(Set(told.map(\.subjectVersion)).count == 3)
        }
    }

    @Test func thePlaygroundOfADeletedProjectIsLikeAnyOther() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(3)
            var project = try ProjectTeller(world, leader: people[0])
            try await world.follow(project.list(adding: people[1]))
            let id = try #require(try await world.room(of: project.id)).id
            let end = project.deleted()
            let late = project.list(adding: people[2])
            try await world.follow(end, late, end)
            #expect(try await world.room(of: project.id) == nil)
            #expect(try await world.get("/api/v1/playgrounds/\(id)", as: people[1]).code == 200, "it stays")
            #expect(try await world.post("/api/v1/playgrounds/\(id)/leave", as: people[1]).code == 200)
            #expect(try await world.told(ProjectMemberLeft.self).isEmpty)
            // An end that comes before any list is remembered, and forgotten after months.
            var other = try ProjectTeller(world, leader: people[0])
            let list = other.list(adding: people[1])
            try await world.follow(other.deleted(), list)
            #expect(try await world.room(of: other.id) == nil)
            try await world.sweep()
            #expect(try await world.number("SELECT count(*) FROM project_rooms") == 2)
            world.clock.advance(.seconds(91 * 86_400))
            try await world.sweep()
            #expect(try await world.number("SELECT count(*) FROM project_rooms") == 0)
        }
    }

    /// Copies of the process that follow the same projects at once end as one would.
    @Test func listsAtTheSameTime() async throws {
        try await ChatWorld.run { world in
            let people = try await world.people(20)
            var projects: [ProjectTeller] = []
            for leader in people.prefix(3) { projects.append(try ProjectTeller(world, leader: leader)) }
            var lists: [[UInt8]] = []
            for person in people.dropFirst(3) {
                for index in projects.indices { lists.append(projects[index].list(adding: person)) }
            }
            let all = lists.shuffled()
            let queue = ProjectLists.queue(world.dependencies)
            _ = try await world.atOnce(12) { part in
                let mine = all.indices.filter { $0 % 12 == part }.map { all[$0] }
                for start in stride(from: 0, to: mine.count, by: 3) {
                    try await queue.apply(Array(mine[start..<min(start + 3, mine.count)]), in: world.database)
                }
            }
            for project in projects {
                let room = try #require(try await world.room(of: project.id))
                #expect(room.members == Set(people.dropFirst(3).map(\.id) + [project.leader.id]))
            }
            #expect(try await world.told(ProjectRoomChanged.self).count == 3)
            #expect(try await world.membersAreConsistent())
        }
    }
}

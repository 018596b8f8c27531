// SPDX-License-Identifier: Apache-2.0
// What chat says of the playgrounds of projects.

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

@Suite struct ProjectRoomTests {
    @Test func membersSeeWhereTheyTalkByTheNewestWord() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let id = try #require(ProjectID(try await world.project(by: ann).id))
            func say(_ playground: Int64?, _ version: Int64) async throws {
                try await world.hear(
                    room: ProjectRoomChanged(
                        projectID: id,
                        playgroundID: playground.map { PlaygroundID($0) },
                        channelID: playground.map { ChannelID($0 + 1) },
                        subjectVersion: version
                    )
                )
            }
            func room(_ viewer: Person?) async throws -> [String?] {
                let project = try await world.project(id.description, as: viewer)
                return [project["playground_id"] as? String, project["channel_id"] as? String]
            }
            try await say(50, 5)
            #expect(try await room(ann) == ["50", "51"])
            #expect(try await room(bob) == [nil, nil], "it is for those who are in it")
            try await say(30, 3)
            try await say(50, 5)
            #expect(try await room(ann) == ["50", "51"], "late and twice")
            try await say(nil, 9)
            try await say(70, 7)
            #expect(try await room(ann) == [nil, nil])
        }
    }

    @Test func whoGoesOutThereGoesOutOfTheProject() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann)
            let id = try #require(ProjectID(try made.id))
            func since(_ person: Person) async throws -> Int64? {
                try await ProjectMemberStore.since(person.id, in: id, world.database)
            }
            func leave(_ person: Person, _ since: Int64) async throws {
                try await world.hear(
                    room: ProjectMemberLeft(projectID: id, accountID: person.id, since: since, subjectVersion: 1)
                )
            }
            try await world.join(made, as: bob, leader: ann)
            let first = try #require(try await since(bob))
            try await leave(bob, first - 1)
            #expect(try await since(bob) == first, "of an earlier membership")
            try await leave(bob, first)
            #expect(try await since(bob) == nil)
            let told = try #require(try await world.told(ProjectMembersChanged.self).last)
            #expect(told.members.map(\.accountID) == [ann.id] && told.subjectVersion > first)
            let count = try await world.told(ProjectMembersChanged.self).count
            try await leave(bob, first)
            #expect(
                try await world.told(ProjectMembersChanged.self).count == count,
                "what changes nothing tells nothing"
            )
            try await world.join(made, as: bob, leader: ann)
            try await leave(bob, first)
            #expect(try await since(bob) != nil, "an old word ends no new membership")
            // The leader cannot go: they begin anew, so that chat lets them in again.
            let leading = try #require(try await since(ann))
            try await leave(ann, leading)
            let again = try #require(try await since(ann))
            #expect(again > leading)
            let last = try #require(try await world.told(ProjectMembersChanged.self).last)
            #expect(last.members.first { $0.accountID == ann.id }?.since == again)
            #expect(last.subjectVersion == again)
            #expect(try await world.send(.delete, "/api/v1/projects/\(id)", as: ann).code == 200)
            try await leave(bob, try #require(try await since(bob)))
            #expect(try await world.told(ProjectMembersChanged.self).count == count + 2, "a project that is gone")
        }
    }
}

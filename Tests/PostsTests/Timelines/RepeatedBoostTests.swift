// SPDX-License-Identifier: Apache-2.0
// What home just showed is not shown again because somebody boosts it.

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

@Suite struct RepeatedBoostTests {
    private func boost(_ world: GraphWorld, _ id: String, as person: Person) async throws -> String {
        let boost = try #require(try await world.act("reblog", on: id, as: person).string("id"))
        try await world.fanOut()
        return boost
    }

    /// - Parameter largeAccount: 0 for authors whose posts are read when a timeline is read.
    @Test(arguments: [5000, 0]) func aBoostOfWhatHomeJustShowedIsNotShown(_ largeAccount: Int) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let reader = try await world.person("reader")
            let other = try await world.person("other")
            for person in [ann, bob, cat] { try await world.follow(person, as: reader) }
            for person in [bob, cat] { try await world.follow(person, as: other) }
            let id = try await world.write("news", as: ann)
            try await world.fanOut(largeAccount: largeAccount)
            let first = try #require(try await world.act("reblog", on: id, as: bob).string("id"))
            try await world.fanOut(largeAccount: largeAccount)
            let second = try #require(try await world.act("reblog", on: id, as: cat).string("id"))
            try await world.fanOut(largeAccount: largeAccount)
            #expect(try await world.home(reader) == [id])
            #expect(try await world.home(other) == [first])
            // Who reads is not told of it live either.
            let updates = try await world.liveUpdates().filter { $0.event == "update" }
            #expect(updates.last?.streams == ["user:\(cat.id)"], "\(second) is told to nobody but who boosted")
            // When what was shown goes, the next is shown: nothing is lost.
            #expect(try await world.act("unreblog", on: id, as: bob).code == 200)
            try await world.fanOut(largeAccount: largeAccount)
            #expect(try await world.home(other) == [second])
        }
    }

    @Test func aBoostOfWhatIsFarDownIsShown() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let reader = try await world.person("reader")
            for person in [ann, bob] { try await world.follow(person, as: reader) }
            let old = try await world.write("old", as: ann)
            try await world.fill(1, of: ann, tags: [], intoHomeOf: reader)
            let later = try await world.write("later", as: ann)
            try await world.fill(38, of: ann, tags: [], intoHomeOf: reader)
            try await world.fanOut()
            // Forty entries stand between the old one and its boost, thirty-nine between the later one and its own.
            #expect(try await world.home(reader, "?limit=40").contains(old) == false)
            let shown = try await boost(world, old, as: bob)
            #expect(try await world.home(reader).first == shown)
            let hidden = try await boost(world, later, as: bob)
            #expect(try await world.home(reader).first == shown, "\(hidden) repeats what stands close behind it")
        }
    }

    /// What the reader does not see hides nothing.
    @Test func whatIsHiddenIsNoRepetition() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let reader = try await world.person("reader")
            for person in [bob, cat] { try await world.follow(person, as: reader) }
            let id = try await world.write("news", as: ann)
            let first = try await boost(world, id, as: bob)
            let second = try await boost(world, id, as: cat)
            #expect(try await world.home(reader) == [first])
            _ = try await world.post("/api/v1/accounts/\(bob.id)/follow", as: reader, form: "reblogs=false")
            #expect(try await world.home(reader) == [second])
            _ = try await world.post("/api/v1/accounts/\(bob.id)/follow", as: reader, form: "reblogs=true")
            #expect(try await world.home(reader) == [first])
            try await world.relate("mute", bob, as: reader)
            #expect(try await world.home(reader) == [second])
        }
    }

    // MARK: Who asked to hear of posts

    private func announced(_ world: GraphWorld, _ type: String) async throws -> [(post: String, to: [AccountID])] {
        try await recordedEvents(in: world.database).compactMap { event in
            guard try TestEvent(event).type == PostAnnounced.type else { return nil }
            let data = try JSONDecoder().decode(Envelope<PostAnnounced>.self, from: Data(event)).data
            return data.type == type ? (data.post.id.description, data.recipients) : nil
        }
    }

    @Test func whoAskedToHearOfSomebodysPostsDoes() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let dan = try await world.person("dan")
            for person in [bob, cat] {
                _ = try await world.post("/api/v1/accounts/\(ann.id)/follow", as: person, form: "notify=true")
            }
            try await world.follow(ann, as: dan)
            try await world.relate("mute", ann, as: cat)
            let first = try await world.write("one", as: ann)
            let thread = try await world.write("two", as: ann, ["in_reply_to_id": first, "visibility": "private"])
            let foreign = try await world.write("three", as: bob)
            try await world.fanOut()
            // Not of answers to others, of boosts and of direct posts.
            try await world.write("four", as: ann, ["in_reply_to_id": foreign])
            try await world.write("@bob five", as: ann, ["visibility": "direct"])
            _ = try await world.act("reblog", on: foreign, as: ann)
            try await world.fanOut()
            let told = try await announced(world, "status")
            #expect(told.map(\.post) == [first, thread])
            #expect(told.map(\.to) == [[bob.id], [bob.id]])
            _ = try await world.post("/api/v1/accounts/\(ann.id)/follow", as: bob, form: "notify=false")
            try await world.write("six", as: ann)
            try await world.fanOut()
            #expect(try await announced(world, "status").count == 2)
        }
    }

    @Test func whoBoostedAPostHearsOfItsEditsStepByStep() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("one", as: ann)
            var fans: [AccountID] = []
            for number in 0..<3 {
                let fan = try await world.person("fan\(number)")
                fans.append(fan.id)
                _ = try await world.act("reblog", on: id, as: fan)
            }
            _ = try await world.act("reblog", on: id, as: ann)
            let form = "application/x-www-form-urlencoded"
            _ = try await world.send(.put, "/api/v1/statuses/\(id)", as: ann, type: form, body: "status=changed")
            var limits = world.dependencies.limits
            limits.followersAtOnce = 2
            limits.followersInStep = 1
            let dependencies = Dependencies(
                database: world.database,
                ids: world.dependencies.ids,
                now: world.dependencies.now,
                site: world.dependencies.site,
                limits: limits,
                pages: world.dependencies.pages
            )
            let queue = Fanout.queue(dependencies)
            for event in try await world.fanoutEvents() { _ = try await queue.apply(event, in: world.database) }
            #expect(try await announced(world, "update").map(\.to) == [Array(fans.prefix(2))])
            #expect(try await world.number("SELECT count(*) FROM fanouts WHERE kind = 'boosters'") == 1)
            while try await world.goOn() {}
            let told = try await announced(world, "update")
            #expect(told.flatMap(\.to).sorted() == fans.sorted())
            #expect(told.allSatisfy { $0.post == id })
            #expect(try await world.number("SELECT count(*) FROM fanouts") == 0)
        }
    }
}

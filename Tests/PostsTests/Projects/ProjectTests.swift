// SPDX-License-Identifier: Apache-2.0
// Projects from the first line to the last, request by request.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ProjectTests {
    @Test func aProjectIsAnsweredReadAndTold() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let made = try await world.project(
                by: ann,
                [
                    "text": "with @bob at https://madang.example/a #Yard", "category": "앱", "tags": ["Swift"],
                    "place": "online", "frequency": "주 1회", "starts_on": "2026-02-01",
                    "deadline": "2026-02-01T00:00:00Z", "contact_url": "https://open.example/a", "language": "ko",
                ]
            )
            let id = try made.id
            #expect(made.state == "recruiting")
            #expect((made["content"] as? String)?.contains("u-url mention") == true)
            let tags = try #require(made["tags"] as? [[String: Any]])
            #expect(tags.compactMap { $0["name"] as? String } == ["swift", "yard"])
            #expect(made["starts_on"] as? String == "2026-02-01")
            #expect(made["deadline"] as? String == "2026-02-01T00:00:00.000Z")
            #expect(made["members_count"] as? Int == 1 && made["member"] as? Bool == true)
            let roles = try #require(made["roles"] as? [[String: Any]])
            #expect(roles.compactMap { $0["filled"] as? Int } == [0, 0])
            let seen = try await world.project(id, as: bob)
            #expect(seen["member"] as? Bool == false && seen["application"] is NSNull)
            #expect(try await world.project(id)["title"] as? String == "마당 앱", "anybody reads the board")
            let told = try #require(try await world.told(ProjectPublished.self).first)
            #expect(told.project.id.description == id && told.project.mentions.isEmpty)
            #expect(told.project.tags == ["swift", "yard"])
        }
    }

    @Test func theSameWishIsDoneOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let key = try #require(HTTPField.Name("Idempotency-Key"))
            @Sendable func create(_ title: String, publish: Bool = false) async throws -> Answer {
                try await world.send(
                    .post,
                    "/api/v1/projects",
                    as: ann,
                    type: "application/json",
                    body: #"{"title":"\#(title)","publish":\#(publish),"roles":[{"name":"a"}]}"#,
                    headers: [key: "one"]
                )
            }
            let answers = try await world.atOnce(10) { _ in try await create("idea") }
            #expect(Set(answers.map(\.text)).count == 1 && answers.allSatisfy { $0.code == 200 })
            #expect(try await world.number("SELECT count(*) FROM projects") == 1)
            #expect(try await create("other").code == 422)
            #expect(try await create("idea", publish: true).code == 422)
        }
    }

    @Test func aDraftIsForItsLeaderAlone() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let draft = try await world.project(by: ann, ["publish": false, "roles": [] as [[String: any Sendable]]])
            let id = try draft.id
            #expect(draft.state == "draft")
            for viewer in [bob, nil] {
                #expect(try await world.get("/api/v1/projects/\(id)", as: viewer).code == 404)
                #expect(try await world.get("/api/v1/projects/\(id)/history", as: viewer).code == 404)
                #expect(try await world.ids("/api/v1/accounts/\(ann.id)/projects", as: viewer).isEmpty)
            }
            #expect(try await world.step("bookmark", id, as: bob).code == 404)
            #expect(try await world.send(.patch, "/api/v1/projects/\(id)", as: bob, ["title": "mine"]).code == 404)
            #expect(try await world.ids("/api/v1/accounts/\(ann.id)/projects", as: ann) == [id])
            #expect(try await world.ids("/api/v1/projects", as: ann).isEmpty)
            let unready = try await world.step("publish", id, as: ann)
            #expect(unready.code == 422 && unready.text.contains("roles"))
            let edited = try await world.send(
                .patch,
                "/api/v1/projects/\(id)",
                as: ann,
                ["roles": [["name": "iOS"]] as [[String: any Sendable]]]
            )
            #expect(edited.code == 200)
            let published = try await world.step("publish", id, as: ann)
            #expect(published.code == 200, "\(published.text)")
            #expect(try await world.step("publish", id, as: ann).text == published.text, "again changes nothing")
            #expect(try await world.ids("/api/v1/projects", as: bob) == [id])
            #expect(try await world.told(ProjectDrafted.self).count == 2)
            #expect(try await world.told(ProjectPublished.self).count == 1)
            let history = try await world.get("/api/v1/projects/\(id)/history", as: bob).list
            #expect(history.count == 1, "what nobody saw is no history")
        }
    }

    @Test func anEditKeepsWhatWas() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann, ["tags": ["one"]])
            let (id, path) = (try made.id, "/api/v1/projects/\(try made.id)")
            let same = try await world.send(.patch, path, as: ann, ["title": "마당 앱", "tags": ["one"]])
            #expect(same.code == 200)
            #expect(try same.object["edited_at"] is NSNull, "nothing changed, nothing happened")
            world.clock.advance(.seconds(60))
            let edited = try await world.send(
                .patch,
                path,
                as: ann,
                ["title": "둘", "text": "new #two", "tags": [] as [String]]
            )
            #expect(try edited.string("edited_at") == "2026-01-02T03:05:05.678Z")
            let tags = try #require(try edited.object["tags"] as? [[String: Any]])
            #expect(tags.compactMap { $0["name"] as? String } == ["two"])
            _ = try await world.send(.patch, path, as: ann, ["summary": "third"])
            let history = try await world.get("\(path)/history", as: bob).list
            #expect(history.compactMap { $0["title"] as? String } == ["마당 앱", "둘", "둘"])
            #expect(Set(history.compactMap { $0["created_at"] as? String }).count == 3)
            #expect(try await world.ids("/api/v1/projects?tag=one").isEmpty)
            #expect(try await world.ids("/api/v1/projects?tag=%23TWO") == [id])
            #expect(try await world.send(.patch, path, as: bob, ["title": "mine"]).code == 403)
            for number in 0..<30 {
                world.clock.advance(.seconds(1))
                let answer = try await world.send(.patch, path, as: ann, ["summary": "\(number)"])
                #expect(answer.code == 200)
            }
            #expect(try await world.get("\(path)/history", as: bob).list.count == 21)
        }
    }

    @Test func whomAProjectNamesIsToldByDifference() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let (cho, dan) = (try await world.person("cho"), try await world.person("dan"))
            func told() async throws -> [[[AccountID]]] {
                try await world.told(ProjectMentionsChanged.self).map { [$0.named, $0.unnamed] }
            }
            let draft = try await world.project(
                by: ann,
                ["summary": "with @bob", "text": "@cho @ann @nobody", "publish": false]
            )
            let (id, path) = (try draft.id, "/api/v1/projects/\(try draft.id)")
            func edit(_ json: [String: any Sendable], as leader: Person) async throws {
                world.clock.advance(.seconds(60))
                let answer = try await world.send(.patch, path, as: leader, json)
                try #require(answer.code == 200, "\(answer.text)")
            }
            try await edit(["title": "another"], as: ann)
            #expect(try await told().isEmpty, "whom a draft names may not see it")
            #expect(try await world.step("publish", id, as: ann).code == 200)
            #expect(try await told() == [[[bob.id, cho.id].sorted(), []]], "but for its leader")
            for step in ["publish", "close", "reopen"] { #expect(try await world.step(step, id, as: ann).code == 200) }
            try await edit(["text": "@cho again, @bob, @ann"], as: ann)
            #expect(try await told().count == 1, "nobody is told twice")
            try await edit(["text": "@dan", "summary": ""], as: ann)
            #expect(try await told().last == [[dan.id], [ann.id, bob.id, cho.id].sorted()])
            let brief = try #require(try await world.told(ProjectMentionsChanged.self).last).project
            let updated = try #require(try await world.told(ProjectUpdated.self).last)
            #expect(brief.id.description == id && brief.version == updated.subjectVersion)
            try await world.join(try await world.project(id), as: bob, leader: ann)
            #expect(
                try await world.send(.post, "\(path)/transfer", as: ann, ["account_id": bob.id.description]).code == 200
            )
            try await edit(["text": "@ann @bob @dan"], as: bob)
            #expect(try await told().last == [[ann.id], []], "not whoever leads by now")
            let published = try await world.project(by: ann, ["text": "@dan"])
            #expect(try await told().last == [[dan.id], []] && published.state == "recruiting")
            #expect(try await told().count == 4)
        }
    }

    @Test func theLeaderTakesItThroughItsStates() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann)
            let id = try made.id
            #expect(try await world.step("close", id, as: bob).code == 403)
            #expect(try await world.step("close", id, as: ann).object.state == "closed")
            #expect(try await world.apply(to: made, as: bob).code == 409)
            #expect(try await world.ids("/api/v1/projects").isEmpty)
            #expect(try await world.ids("/api/v1/projects?state=closed") == [id])
            #expect(try await world.step("publish", id, as: ann).code == 409)
            #expect(try await world.step("reopen", id, as: ann).object.state == "recruiting")
            #expect(try await world.apply(to: made, as: bob).code == 200)
            #expect(try await world.step("finish", id, as: ann).object.state == "finished")
            for step in ["publish", "close", "reopen"] {
                #expect(try await world.step(step, id, as: ann).code == 409, "\(step)")
            }
            #expect(try await world.send(.patch, "/api/v1/projects/\(id)", as: ann, ["title": "x"]).code == 409)
            #expect(try await world.ids("/api/v1/projects?state=finished") == [id])
            #expect(try await world.told(ProjectClosed.self).count == 1)
            #expect(try await world.told(ProjectFinished.self).count == 1)
            let announced = try await world.told(ProjectAnnounced.self)
            #expect(announced.map(\.recipients) == [[bob.id]], "who had applied hears of the end")
        }
    }

    @Test func aDeletedProjectIsGone() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann)
            let id = try made.id
            let application = try #require(try await world.apply(to: made, as: bob).string("id"))
            #expect(try await world.step("bookmark", id, as: bob).code == 200)
            #expect(try await world.send(.delete, "/api/v1/projects/\(id)", as: bob).code == 403)
            #expect(try await world.send(.delete, "/api/v1/projects/\(id)", as: ann).code == 200)
            let absent = try await world.get("/api/v1/projects/1", as: ann).text
            for viewer in [ann, bob] {
                #expect(try await world.get("/api/v1/projects/\(id)", as: viewer).text == absent)
            }
            #expect(try await world.send(.delete, "/api/v1/projects/\(id)", as: ann).code == 404)
            #expect(try await world.get("/api/v1/applications/\(application)", as: bob).code == 404)
            #expect(try await world.decide("accept", application, as: ann).code == 404)
            for list in ["projects", "projects/bookmarks", "applications"] {
                #expect(try await world.ids("/api/v1/\(list)", as: bob).isEmpty, "\(list)")
            }
            let told = try #require(try await world.told(ProjectDeleted.self).first)
            #expect(told.projectID.description == id && told.subjectVersion > 1)
            // The text goes when it was told and a day has passed.
            _ = try await world.database.query("DELETE FROM outbox")
            _ = try await Sweeps.deletedProjects(world.dependencies).finish(in: world.database)
            #expect(try await world.number("SELECT count(*) FROM projects WHERE title = '마당 앱'") == 1)
            world.clock.advance(.seconds(25 * 3600))
            _ = try await Sweeps.deletedProjects(world.dependencies).finish(in: world.database)
            for table in ["applications", "project_members", "project_bookmarks", "project_facets"] as [SQL] {
                #expect(try await world.number("SELECT count(*) FROM \(table)") == 0)
            }
            #expect(
                try await world.number("SELECT count(*) FROM projects WHERE title = '' AND erased_at IS NOT NULL") == 1
            )
        }
    }

    @Test func aMemberTakesOver() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let made = try await world.project(by: ann)
            let (id, path) = (try made.id, "/api/v1/projects/\(try made.id)")
            try await world.join(made, as: bob, leader: ann)
            let stranger = try await world.send(.post, "\(path)/transfer", as: ann, ["account_id": "\(cat.id)"])
            #expect(stranger.code == 422)
            let handed = try await world.send(.post, "\(path)/transfer", as: ann, ["account_id": "\(bob.id)"])
            #expect(handed.code == 200)
            let leader = try #require(try handed.object["leader"] as? [String: Any])
            #expect(leader["id"] as? String == bob.id.description)
            #expect(try await world.members(of: id) == [ann.id.description, bob.id.description])
            #expect(try await world.send(.patch, path, as: ann, ["title": "x"]).code == 403)
            #expect(try await world.send(.patch, path, as: bob, ["title": "x"]).code == 200)
            #expect(try await world.step("leave", id, as: bob).code == 409)
            #expect(try await world.step("leave", id, as: ann).code == 200)
            let list = try #require(try await world.told(ProjectMembersChanged.self).last)
            #expect(list.leaderID == bob.id && list.members.map(\.accountID) == [bob.id])
        }
    }

    @Test func aLeaderHasOnlySoManyProjects() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let codes = try await world.atOnce(60) { number in
                try await world.send(.post, "/api/v1/projects", as: ann, ["title": "p\(number)"]).code
            }
            #expect(codes.count { $0 == 200 } == 50 && codes.count { $0 == 409 } == 10)
        }
    }

    @Test func viewsAreWrittenDownTogether() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let id = try await world.project(by: ann).id
            for viewer in [ann, bob, bob, nil] { _ = try await world.project(id, as: viewer) }
            #expect(try await world.project(id)["views_count"] as? Int == 0)
            try await ViewWorker.write(world.dependencies)
            #expect(
                try await world.project(id)["views_count"] as? Int == 1,
                "neither the leader nor the same one again"
            )
            let cat = try await world.person("cat")
            _ = try await world.project(id, as: cat)
            // What is gone by then is not counted, and hinders nobody.
            world.dependencies.views.note(ProjectID(1), by: cat.id, at: world.clock.now)
            try await ViewWorker.write(world.dependencies)
            #expect(try await world.project(id)["views_count"] as? Int == 2)
        }
    }

    @Test func picturesAreTheProjectsOwn() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            var files: [MediaID] = []
            for _ in 0..<11 {
                let id: MediaID = try world.dependencies.ids.next()
                files.append(id)
                try await world.hear(Self.picture(id, of: ann))
            }
            let ten = files.prefix(10).map(\.description)
            let made = try await world.project(by: ann, ["media_ids": ten])
            let (id, path) = (try made.id, "/api/v1/projects/\(try made.id)")
            #expect(try Self.media(made) == ten)
            let many = try await world.send(.patch, path, as: ann, ["media_ids": files.map(\.description)])
            #expect(many.code == 422)
            #expect(try await world.publish("x", as: ann, ["media_ids": [ten[0]]]).code == 422, "it is the project's")
            let told = try #require(try await world.told(ProjectPublished.self).first)
            #expect(told.project.media.map(\.id.description) == ten)
            #expect(told.project.media.allSatisfy { $0.description == nil })
            let fewer = try await world.send(.patch, path, as: ann, ["media_ids": [ten[1]]])
            #expect(try Self.media(fewer.object) == [ten[1]])
            #expect(try await world.publish("x", as: ann, ["media_ids": [ten[0]]]).code == 200, "it was given back")
            // What the owner says of a picture later is shown.
            try await world.hear(Self.picture(files[1], of: ann, version: 2, "another yard"))
            let shown = try #require(try await world.project(id)["media_attachments"] as? [[String: Any]])
            #expect(shown.first?["description"] as? String == "another yard")
            // Another leader keeps what is there and adds their own.
            try await world.join(made, as: bob, leader: ann)
            _ = try await world.send(.post, "\(path)/transfer", as: ann, ["account_id": "\(bob.id)"])
            let new: MediaID = try world.dependencies.ids.next()
            try await world.hear(Self.picture(new, of: bob))
            let added = try await world.send(.patch, path, as: bob, ["media_ids": [new.description, ten[1]]])
            #expect(try Self.media(added.object) == [new.description, ten[1]])
            #expect(try await world.send(.patch, path, as: bob, ["media_ids": [ten[5]]]).code == 422)
        }
    }

    @Test func theFirstLinkHasItsPreview() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.project(by: ann, ["text": "see https://news.example/a"]).id
            #expect(try await world.project(id)["card"] is NSNull)
            let url = "https://news.example/a"
            let card = CardSnapshot(url: url, title: "News")
            try await world.hear(
                LinkPreviewReady(linkID: LinkID(5), url: url, card: card, subjectVersion: 1)
            )
            let shown = try #require(try await world.project(id)["card"] as? [String: Any])
            #expect(shown["title"] as? String == "News")
            // It stays as long as a project shows it.
            world.clock.advance(.seconds(100 * 86_400))
            let sweep = CardStore.sweep(unless: CardStore.isShown, now: world.dependencies.now)
            _ = try await sweep.finish(in: world.database)
            #expect(try await world.number("SELECT count(*) FROM cards") == 1)
        }
    }

    private static func media(_ project: [String: Any]) throws -> [String] {
        try #require(project["media_attachments"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    private static func picture(
        _ id: MediaID,
        of owner: Person,
        version: Int64 = 1,
        _ description: String = "a yard"
    ) -> MediaProcessed {
        MediaProcessed(
            mediaID: id,
            ownerID: owner.id,
            type: .image,
            original: RenditionSnapshot(url: "\(id).jpg", width: 400, height: 200),
            preview: nil,
            mimeType: "image/jpeg",
            bytes: 1234,
            blurhash: nil,
            description: description,
            subjectVersion: version
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// What has served goes, in small steps.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ErasureTests {
    @Test func aDeletedPostIsErasedOnceItsDeletionWasTold() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let doomed = try await world.write("my secret @bob #hush", as: ann, ["spoiler_text": "careful"])
            let reply = try await world.write("reply", as: bob, ["in_reply_to_id": doomed])
            let kept = try await world.write("kept", as: ann)
            let form = "application/x-www-form-urlencoded"
            let path = "/api/v1/statuses/\(doomed)"
            _ = try await world.send(.put, path, as: ann, type: form, body: "status=my%20other%20secret")
            for id in [doomed, kept] {
                for action in ["favourite", "bookmark", "reblog"] { _ = try await world.act(action, on: id, as: bob) }
            }
            #expect(try await world.send(.delete, path, as: ann).code == 200)
            let sweep = Sweeps.deletedPosts(world.dependencies)
            world.clock.advance(.seconds(23 * 3600))
            #expect(try await sweep.finish(in: world.database) == 0, "within the grace")
            world.clock.advance(.seconds(2 * 3600))
            #expect(try await sweep.finish(in: world.database) == 0, "nobody was told yet")
            _ = try await world.database.query("DELETE FROM outbox")
            #expect(try await sweep.finish(in: world.database) > 0)
            #expect(try await sweep.finish(in: world.database) == 0)
            let number = try #require(PostID(doomed))
            #expect(
                try await world.number(
                    """
                    SELECT count(*) FROM posts
                    WHERE id = \(number) AND text = '' AND spoiler_text = '' AND mentioned_ids = '{}' AND tags = '{}'
                        AND deleted_at IS NOT NULL AND erased_at IS NOT NULL
                    """
                ) == 1
            )
            #expect(try await world.number("SELECT count(*) FROM posts WHERE boost_of_id = \(number)") == 0)
            #expect(try await world.number("SELECT count(*) FROM post_edits") == 0)
            for table in ["favourites", "bookmarks"] {
                let rows = try await world.ids("/api/v1/\(table)", as: bob)
                #expect(rows == [kept], "what is not deleted stays")
            }
            #expect(try await world.number("SELECT count(*) FROM favourites WHERE post_id = \(number)") == 0)
            #expect(try await world.number("SELECT count(*) FROM bookmarks WHERE post_id = \(number)") == 0)
            #expect(try await world.status(reply)["in_reply_to_id"] as? String == doomed)
            #expect(try await world.number("SELECT count(*) FROM posts WHERE boost_of_id IS NOT NULL") == 1)
        }
    }

    @Test func manyReactionsGoInSeveralSteps() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try #require(PostID(try await world.write("hot", as: ann)))
            try await world.fill(4500)
            _ = try await world.database.query(
                "INSERT INTO favourites (account_id, post_id, id) SELECT n, \(id), n FROM generate_series(1, 4500) n"
            )
            #expect(try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann).code == 200)
            _ = try await world.database.query("DELETE FROM outbox")
            world.clock.advance(.seconds(25 * 3600))
            #expect(try await Sweeps.deletedPosts(world.dependencies).finish(in: world.database) == 4501)
            #expect(try await world.number("SELECT count(*) FROM favourites") == 0)
        }
    }

    @Test func oldEditsAndEndedMutesGo() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let id = try #require(PostID(try await world.write("hello", as: ann)))
            _ = try await world.database.query(
                """
                INSERT INTO post_edits (
                    post_id, created_at, text, spoiler_text, sensitive, mentioned_ids, mentioned_names
                )
                SELECT \(id), to_timestamp(n), n::text, '', false, '{}', '{}' FROM generate_series(1, 50) n
                """
            )
            let edits = Sweeps.edits(world.dependencies)
            #expect(try await edits.finish(in: world.database) == 30)
            #expect(try await world.number("SELECT min(text::bigint) FROM post_edits") == 31)
            for (target, seconds) in [(bob, 60), (ann, 0)] {
                let actor = target.id == bob.id ? ann : bob
                let path = "/api/v1/accounts/\(target.id)/mute"
                #expect(try await world.post(path, as: actor, form: "duration=\(seconds)").code == 200)
            }
            let mutes = Sweeps.mutes(world.dependencies)
            #expect(try await mutes.finish(in: world.database) == 0)
            world.clock.advance(.seconds(61))
            #expect(try await mutes.finish(in: world.database) == 1)
            #expect(try await world.number("SELECT count(*) FROM mutes") == 1)
        }
    }
}

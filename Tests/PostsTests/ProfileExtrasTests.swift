// SPDX-License-Identifier: Apache-2.0
// What a profile keeps beyond name and note: who may see lists and favourites, languages, who may quote.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ProfileExtrasTests {
    private func edit(_ json: String, as account: Person, _ world: GraphWorld) async throws -> Answer {
        try await world.send(
            .patch,
            "/api/v1/accounts/update_credentials",
            as: account,
            type: "application/json",
            body: json
        )
    }

    @Test func whatIsTakenIsKept() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let answer = try await edit(
                #"""
                {"hide_collections":true,"indexable":true,"attribution_domains":["Blog.Example","blog.example","한국.kr"],
                "source":{"quote_policy":"followers"},"native_languages":["KO"],"target_languages":["en-GB","ja","ja"],
                "show_favourites":true}
                """#,
                as: minji,
                world
            )
            #expect(answer.code == 200, "\(answer.text)")
            // Each of these is told again by whoever is asked, later too, and after a change of something else.
            #expect(try await edit(#"{"note":"hi"}"#, as: minji, world).code == 200)
            let own = try await world.get("/api/v1/accounts/verify_credentials", as: minji).object
            let others = try await world.get("/api/v1/accounts/\(minji.id)").object
            let source = try #require(own["source"] as? [String: Any])
            for account in [own, others] {
                #expect(account["hide_collections"] as? Bool == true)
                #expect(account["indexable"] as? Bool == true && account["noindex"] as? Bool == false)
                #expect(account["discoverable"] as? Bool == false)
                #expect(account["native_languages"] as? [String] == ["ko"])
                #expect(account["target_languages"] as? [String] == ["en-GB", "ja"])
                #expect(account["show_favourites"] as? Bool == true)
            }
            #expect(source["hide_collections"] as? Bool == true && source["indexable"] as? Bool == true)
            #expect(source["quote_policy"] as? String == "followers")
            #expect(source["attribution_domains"] as? [String] == ["blog.example", "한국.kr"])
            #expect(source["native_languages"] as? [String] == ["ko"])
            #expect(source["show_favourites"] as? Bool == true)
            let preferences = try await world.get("/api/v1/preferences", as: minji).object
            #expect(preferences["posting:default:quote_policy"] as? String == "followers")
            // A post shows its author with all of it, to everybody who keeps a copy of accounts too.
            let id = try await world.write("hello", as: minji)
            let author = try #require(try await world.status(id)["account"] as? [String: Any])
            #expect(author["target_languages"] as? [String] == ["en-GB", "ja"])
            let event = try #require(try await world.events().last { $0.type == "posts.PostCreated.v1" })
            #expect(event.version > 0)
        }
    }

    @Test func listsOfLanguagesAreEmptiedAsFormsDo() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let path = "/api/v1/accounts/update_credentials"
            let form = "application/x-www-form-urlencoded"
            let set = "native_languages[]=ko&native_languages[]=ja&target_languages[]=en"
            #expect(try await world.send(.patch, path, as: minji, type: form, body: set).code == 200)
            let cleared = try await world.send(.patch, path, as: minji, type: form, body: "native_languages[]=")
            let account = try cleared.object
            #expect(account["native_languages"] == nil)
            #expect(account["target_languages"] as? [String] == ["en"])
            #expect((account["source"] as? [String: Any])?["native_languages"] as? [String] == [])
        }
    }

    @Test(arguments: [
        #"{"source":{"quote_policy":"everyone"}}"#, #"{"native_languages":["klingon language"]}"#,
        #"{"native_languages":["xx"]}"#,
        #"{"target_languages":["en","de","fr","es","it","pt","nl","sv","da","fi","ko"]}"#,
        #"{"native_languages":{"a":1}}"#, #"{"attribution_domains":["no host"]}"#,
        #"{"attribution_domains":["localhost"]}"#,
        #"{"attribution_domains":["a..b"]}"#, #"{"hide_collections":"perhaps"}"#, #"{"indexable":[1]}"#,
        #"{"avatar_description":["me"]}"#, #"{"header_description":"\#(String(repeating: "가", count: 151))"}"#,
        #"{"header":"data:image/png;base64,AAAA"}"#,
    ])
    func whatBreaksARuleIsRefused(body: String) async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let answer = try await edit(body, as: minji, world)
            #expect(answer.code == 422 || answer.code == 400, "\(body): \(answer.text)")
            #expect(try await world.events().count == 1)
        }
    }

    @Test func whoHidesTheirListsHidesThemFromOthers() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let jun = try await world.person("jun")
            let yuna = try await world.person("yuna")
            try await world.follow(minji, as: jun)
            try await world.follow(jun, as: minji)
            try await world.follow(jun, as: yuna)
            func lists(as viewer: Person?) async throws -> [[String]] {
                var lists: [[String]] = []
                for list in ["followers", "following"] {
                    lists.append(try await world.ids("/api/v1/accounts/\(minji.id)/\(list)", as: viewer))
                }
                return lists
            }
            func familiar(_ account: Person) async throws -> String {
                try await world.get("/api/v1/accounts/familiar_followers?id[]=\(account.id)", as: yuna).text
            }
            let name = jun.id.description
            for viewer in [nil, jun, minji] { #expect(try await lists(as: viewer) == [[name], [name]]) }
            #expect(try await familiar(minji).contains("\"\(name)\""))
            #expect(try await edit(#"{"hide_collections":true}"#, as: minji, world).code == 200)
            for viewer in [nil, jun] { #expect(try await lists(as: viewer) == [[], []]) }
            #expect(try await lists(as: minji) == [[name], [name]])
            #expect(try await !familiar(minji).contains("\"\(name)\""))
            #expect(try await world.get("/api/v1/accounts/1/followers").code == 404)
            // What the one whom somebody follows hides is not told by what a follower shows, either.
            #expect(try await edit(#"{"hide_collections":false}"#, as: minji, world).code == 200)
            #expect(try await edit(#"{"hide_collections":true}"#, as: jun, world).code == 200)
            #expect(try await !familiar(minji).contains("\"\(name)\""))
        }
    }

    @Test func favouritesAreShownByWhomWantsTo() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let jun = try await world.person("jun")
            let yuna = try await world.person("yuna")
            try await world.follow(yuna, as: minji)
            let open = try await world.write("open", as: yuna)
            let secret = try await world.write("for followers", as: yuna, ["visibility": "private"])
            let juns = try await world.write("of jun", as: jun)
            for id in [open, secret, juns] { #expect(try await world.act("favourite", on: id, as: minji).code == 200) }
            let path = "/api/v1/accounts/\(minji.id)/favourites"
            for viewer in [nil, jun, yuna] {
                let refused = try await world.get(path, as: viewer)
                #expect(refused.code == 403)
                #expect(try refused.string("code") == "favourites-hidden")
            }
            #expect(try await world.ids(path, as: minji) == [juns, secret, open])
            #expect(try await edit(#"{"show_favourites":true}"#, as: minji, world).code == 200)
            // Each post is judged for whoever looks.
            #expect(try await world.ids(path) == [juns, open])
            #expect(try await world.ids(path, as: jun) == [juns, open])
            #expect(try await world.ids(path, as: yuna) == [juns, secret, open])
            #expect(try await world.walk(path + "?limit=1", "next", as: yuna).flatMap { $0 } == [juns, secret, open])
            let flags = try await world.get(path, as: jun).list
            #expect(flags.allSatisfy { $0["favourited"] as? Bool == false })
            // Nobody reads those of somebody who blocks them, nor posts of whom they block.
            try await world.relate("block", jun, as: yuna)
            #expect(try await world.ids(path, as: yuna) == [secret, open])
            try await world.relate("block", jun, as: minji)
            #expect(try await world.get(path, as: jun).code == 403)
            #expect(try await world.get("/api/v1/accounts/1/favourites").code == 404)
        }
    }

    @Test func identityProofsAreNone() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            #expect(try await world.get("/api/v1/accounts/\(minji.id)/identity_proofs").text == "[]")
        }
    }

    @Test func aProfileIsMadeBeforeItsEventArrives() async throws {
        try await GraphWorld.run { world in
            let minji = try world.stranger("minji")
            let body = #"{"id":"\#(minji.id)","username":"minji"}"#
            func make(_ headers: HTTPFields) async throws -> Int {
                try await world.send(
                    .post,
                    "/internal/accounts",
                    type: "application/json",
                    body: body,
                    headers: headers
                )
                .code
            }
            let name = try #require(HTTPField.Name("X-Madang-Internal"))
            #expect(try await make([:]) == 404)
            for _ in 0..<2 { #expect(try await make([name: GraphWorld.secret]) == 200) }
            #expect(try await world.get("/api/v1/accounts/lookup?acct=minji").string("id") == minji.id.description)
            #expect(try await world.events().filter { $0.type == "posts.ProfileUpdated.v1" }.count == 1)
        }
    }
}

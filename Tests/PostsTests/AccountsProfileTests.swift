// SPDX-License-Identifier: Apache-2.0
// Profiles: the own one, editing it, the defaults of posts.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct AccountsProfileTests {
    @Test func aNewAccountSeesItselfBeforeItsEventArrives() async throws {
        try await GraphWorld.run { world in
            let minji = try world.stranger("Minji")
            let answer = try await world.get("/api/v1/accounts/verify_credentials", as: minji)
            #expect(answer.code == 200)
            let account = try answer.object
            #expect(account["id"] as? String == minji.id.description)
            #expect(account["username"] as? String == "minji")
            #expect(account["acct"] as? String == "minji")
            #expect(account["url"] as? String == "https://madang.example/@minji")
            #expect(account["created_at"] as? String == "2026-01-02T03:04:05.678Z")
            #expect(account["followers_count"] as? Int == 0)
            let shown = try await world.get("/api/v1/accounts/\(minji.id)", as: minji).object
            #expect(Set(shown.keys).union(["source", "role"]) == Set(account.keys))
            let source = try #require(account["source"] as? [String: Any])
            #expect(source["privacy"] as? String == "public")
            #expect(source["sensitive"] as? Bool == false)
            #expect(source["language"] is NSNull)
            #expect(source["follow_requests_count"] as? Int == 0)
            #expect(try await world.events().map(\.type) == ["posts.ProfileUpdated.v1"])
        }
    }

    /// The role that auth tells of whoever asks; nobody else's answer has one.
    @Test(arguments: [
        (Role.user, "-99", "", "0"), (.moderator, "1", "Moderator", "1308"), (.admin, "2", "Admin", "1048575"),
    ])
    func onesOwnAccountSaysWhichRoleOneHas(_ role: Role, id: String, name: String, permissions: String) async throws {
        try await GraphWorld.run { world in
            let person = try await world.person("minji")
            let minji = Principal.Account(id: person.id, username: person.username, role: role)
            let own = try await world.get("/api/v1/accounts/verify_credentials", as: minji)
            let path = "/api/v1/accounts/update_credentials"
            let changed = try await world.send(
                .patch,
                path,
                as: minji,
                type: "application/json",
                body: #"{"note":"Hi"}"#
            )
            for answer in [own, changed] {
                let shown = try #require(try answer.object["role"] as? [String: Any])
                #expect(shown["id"] as? String == id && shown["name"] as? String == name)
                #expect(shown["permissions"] as? String == permissions && shown["color"] as? String == "")
                #expect(shown["highlighted"] as? Bool == false)
            }
            #expect(try await world.get("/api/v1/accounts/\(minji.id)", as: minji).object["role"] == nil)
        }
    }

    @Test func theScopeProfileIsEnoughToSeeOneself() async throws {
        try await GraphWorld.run { world in
            let minji = try world.stranger("minji")
            let path = "/api/v1/accounts/verify_credentials"
            #expect(try await world.send(.get, path, as: minji, scopes: "profile").code == 200)
            #expect(try await world.send(.get, path, as: minji, scopes: "write").code == 403)
        }
    }

    @Test(arguments: ["form", "json", "multipart"])
    func aProfileIsEdited(form: String) async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let (type, body) = Self.edit(form)
            let path = "/api/v1/accounts/update_credentials"
            let answer = try await world.send(.patch, path, as: minji, type: type, body: body)
            #expect(answer.code == 200, "\(answer.text)")
            let account = try answer.object
            #expect(account["display_name"] as? String == "민지 <b>")
            #expect(account["note"] as? String == "<p>books &amp; tea</p>")
            #expect(account["locked"] as? Bool == true)
            #expect(account["bot"] as? Bool == true)
            #expect(account["discoverable"] as? Bool == true)
            let fields = try #require(account["fields"] as? [[String: Any]])
            #expect(fields.compactMap { $0["name"] as? String } == ["City", "Job"])
            let source = try #require(account["source"] as? [String: Any])
            #expect(source["note"] as? String == "books & tea")
            #expect(source["privacy"] as? String == "private")
            #expect(source["sensitive"] as? Bool == true)
            #expect(source["language"] as? String == "ko")
            #expect(try await world.get("/api/v1/accounts/verify_credentials", as: minji).body == answer.body)

            let event = try #require(try await world.events().last)
            #expect(event.type == "posts.ProfileUpdated.v1")
            #expect(event.version == 2)
            let preferences = try await world.get("/api/v1/preferences", as: minji).object
            #expect(preferences["posting:default:visibility"] as? String == "private")
            #expect(preferences["posting:default:sensitive"] as? Bool == true)
            #expect(preferences["posting:default:language"] as? String == "ko")
        }
    }

    private static func edit(_ form: String) -> (String, String) {
        let pairs = [
            ("display_name", "민지 <b>"), ("note", "books & tea"), ("locked", "true"), ("bot", "1"),
            ("discoverable", "on"), ("fields_attributes[0][name]", "City"), ("fields_attributes[0][value]", "Seoul"),
            ("fields_attributes[1][name]", "Job"), ("fields_attributes[1][value]", "Editor"),
            ("source[privacy]", "private"), ("source[sensitive]", "true"), ("source[language]", "ko"),
        ]
        switch form {
        case "json":
            return (
                "application/json",
                """
                {"display_name":"민지 <b>","note":"books & tea","locked":true,"bot":true,"discoverable":true,
                "fields_attributes":[{"name":"City","value":"Seoul"},{"name":"Job","value":"Editor"}],
                "source":{"privacy":"private","sensitive":true,"language":"ko"}}
                """
            )
        case "multipart":
            let parts = pairs.map { name, value in
                "--line\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
            }
            return ("multipart/form-data; boundary=line", parts.joined() + "--line--\r\n")
        default:
            var allowed = CharacterSet.alphanumerics
            allowed.insert(charactersIn: "[]_")
            let escaped = pairs.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
            }
            return ("application/x-www-form-urlencoded", escaped.joined(separator: "&"))
        }
    }

    @Test func whatIsNotGivenStays() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let path = "/api/v1/accounts/update_credentials"
            for body in [
                #"{"display_name":"Minji","fields_attributes":{"0":{"name":"a","value":"b"}}}"#, #"{"note":"Hello"}"#,
                #"{"source":{"language":"ja"}}"#, #"{"source":{"language":""}}"#, "{}",
            ] {
                #expect(try await world.send(.patch, path, as: minji, type: "application/json", body: body).code == 200)
            }
            let account = try await world.get("/api/v1/accounts/verify_credentials", as: minji).object
            #expect(account["display_name"] as? String == "Minji")
            #expect((account["source"] as? [String: Any])?["note"] as? String == "Hello")
            #expect((account["source"] as? [String: Any])?["language"] is NSNull)
            #expect((account["fields"] as? [Any])?.count == 1)
            #expect(try await world.events().count == 5)
        }
    }

    @Test(arguments: [
        (#"{"display_name":"\#(String(repeating: "가", count: 31))"}"#, "display_name"),
        (#"{"note":"\#(String(repeating: "n", count: 501))"}"#, "note"),
        (#"{"note":"a\u0000b"}"#, "note"),
        (#"{"source":{"privacy":"direct"}}"#, "source[privacy]"),
        (#"{"source":{"privacy":"everyone"}}"#, "source[privacy]"),
        (#"{"source":{"language":"klingonese language"}}"#, "source[language]"),
        (
            #"{"fields_attributes":[{"name":"1"},{"name":"2"},{"name":"3"},{"name":"4"},{"name":"5"}]}"#,
            "fields_attributes"
        ),
        (#"{"fields_attributes":[{"name":"1","value":"\#(String(repeating: "v", count: 256))"}]}"#, "value"),
        (#"{"avatar":"data:image/png;base64,AAAA"}"#, "avatar"),
    ])
    func whatBreaksARuleIsRefused(body: String, field: String) async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let answer = try await world.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: minji,
                type: "application/json",
                body: body
            )
            #expect(answer.code == 422 || answer.code == 400, "\(field): \(answer.text)")
            #expect(try answer.string("error") != nil)
            #expect(try await world.events().count == 1)
        }
    }
}

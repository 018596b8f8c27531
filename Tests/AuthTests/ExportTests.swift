// SPDX-License-Identifier: Apache-2.0
// What auth hands over of somebody: everything but what opens something.

import Domain
import Foundation
import Postgres
import Support
import Testing

@testable import AuthService

@Suite struct ExportTests {
    @Test func `an archive has one's own and nothing that opens anything`() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            _ = try await world.signUp("haruto")
            let session = try await world.session("minji")
            let account = try #require(try await world.principal(token)?.account?.id)
            _ = try await world.database.query(
                """
                INSERT INTO identities (id, account_id, issuer, subject, sealed_token, linked_at, last_used_at)
                VALUES (7, \(account), 'https://issuer.example', 'a subject', '\\xdeadbeef', now(), now())
                """
            )
            // Whoever did it, where they were is theirs.
            _ = try await world.database.query(
                """
                INSERT INTO audit (id, at, last_at, act, actor, account_id, address, detail)
                VALUES (7, now(), now(), 'role_given', 'account 5', \(account), '192.0.2.77', '')
                """
            )
            let files = try await exportedFiles(Exports.part, of: "auth", for: account, in: world.database)
            #expect(
                files.keys.sorted() == [
                    "account/account.json", "account/audit.json", "account/consents.json", "account/identities.json",
                    "account/sessions.json",
                ]
            )
            let own = try JSONDecoder().decode(JSON.self, from: Data(try #require(files["account/account.json"]).utf8))
            #expect(own["username"] == .string("minji"))
            #expect(files["account/identities.json"]?.contains("a subject") == true)
            #expect(files["account/audit.json"]?.contains("signed_up") == true)
            let consents = try JSONDecoder().decode(
                [[String: JSON]].self,
                from: Data(try #require(files["account/consents.json"]).utf8)
            )
            #expect(consents.map { $0["kind"] } == [.string("rules"), .string("privacy")])
            #expect(consents.map { $0["way"] } == [.string("app"), .string("app")])
            #expect(consents.allSatisfy { $0["version"] == .integer(0) && $0["given_at"] != nil })
            let all = files.values.joined()
            for secret in ["haruto", "deadbeef", "192.0.2.77", "$argon2", token, session.access, session.refresh] {
                #expect(!all.contains(secret), "\(secret)")
            }
        }
    }
}

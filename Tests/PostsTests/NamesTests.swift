// SPDX-License-Identifier: Apache-2.0
// Names show what they are, and those who do not want to meet do not find each other.

import Domain
import Foundation
import HTTPTypes
import Testing
import Web

@testable import PostsService

@Suite struct NamesTests {
    @Test(arguments: [
        ("\u{202E}nimda\u{202C}", "nimda"), ("ad\u{200B}min", "admin"), ("\u{2066}a\u{2069}", "a"), ("a\u{AD}b", "ab"),
        ("\u{3164}", ""), ("\u{FEFF}x\u{2060}", "x"), ("a\u{7}b", "ab"), ("\u{200D}a\u{200D}", "a"), ("\u{2800}", ""),
        ("\u{200F}\u{200E}\u{61C}z", "z"), ("a\u{E0061}", "a"), ("a\u{200C}b", "ab"),
    ])
    func hiddenCharactersGo(name: String, shown: String) { #expect(name.withoutHiddenCharacters == shown) }

    @Test(arguments: ["👩‍👩‍👧‍👦 가족", "❤️‍🔥", "می‌خواهم", "葛󠄀城", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्‍ष", "홍길동", "1️⃣"])
    func whatShapesLettersStays(name: String) { #expect(name.withoutHiddenCharacters == name) }

    @Test func profilesAreShownWithoutTricks() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let body = #"""
                {"display_name":"\u202Enimda\u202C \u200Badmin","note":"a\u0007b\nc",
                "fields_attributes":[{"name":"\u202Eetis","value":"\u2066x\u2069"}]}
                """#
            let answer = try await world.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: ann,
                type: "application/json",
                body: body
            )
            #expect(try answer.string("display_name") == "nimda admin")
            let source = try #require(try answer.object["source"] as? [String: Any])
            #expect(source["note"] as? String == "ab\nc")
            let fields = try #require(source["fields"] as? [[String: Any]])
            #expect(fields.first?["name"] as? String == "etis")
            #expect(fields.first?["value"] as? String == "x")
        }
    }

    @Test func blockedPeopleAreNotFound() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bobby")
            let cat = try await world.person("bobcat")
            try await world.relate("block", bob, as: ann)
            let all = [ann, bob, cat].map { "\"\($0.id)\"" }.joined(separator: ",")
            func shown(to viewer: Principal.Account, named name: String) async throws -> [String] {
                let answer = try await world.send(
                    .post,
                    "/internal/found/accounts",
                    as: viewer,
                    type: "application/json",
                    body: #"{"ids":[\#(all)],"name":"\#(name)"}"#
                )
                return try answer.names().sorted()
            }
            for name in ["", "bobcat", "ann"] {
                #expect(try await shown(to: ann, named: name) == ["ann", "bobcat"])
                #expect(try await shown(to: bob, named: name) == ["bobby", "bobcat"])
                #expect(try await shown(to: cat, named: name) == ["ann", "bobby", "bobcat"])
            }
            // By the whole name, to take the block back; who is blocked finds nobody by it.
            #expect(try await shown(to: ann, named: "Bobby") == ["ann", "bobby", "bobcat"])
            try await world.relate("unblock", bob, as: ann)
            try await world.relate("block", ann, as: bob)
            #expect(try await shown(to: ann, named: "bobby") == ["ann", "bobcat"])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The names of coded members.

import Domain
import Foundation
import Testing

@Suite struct SnakeCasedTests {
    private struct Coded: Codable, Equatable {
        var id = 1
        var actorID = 2
        var boostIDs = [3]
        var previewURL = "u"
        var inReplyToAccountID: Int?
        var mentionedIfConnectedIDs = [4]

        enum CodingKeys: String, SnakeCased {
            case id, actorID, boostIDs, previewURL, inReplyToAccountID, mentionedIfConnectedIDs
        }
    }

    @Test func namesAreThoseOfThePropertiesInSnakeCase() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(Coded(inReplyToAccountID: 5)), as: UTF8.self)
        let first = #"{"actor_id":2,"boost_ids":[3],"id":1,"in_reply_to_account_id":5,"#
        #expect(json == first + #""mentioned_if_connected_ids":[4],"preview_url":"u"}"#)
        #expect(try JSONDecoder().decode(Coded.self, from: Data(json.utf8)) == Coded(inReplyToAccountID: 5))
    }

    @Test func aNameLeadsBackToItsKeyAlone() {
        for key in Coded.CodingKeys.allCases { #expect(Coded.CodingKeys(stringValue: key.stringValue) == key) }
        #expect(Coded.CodingKeys(stringValue: "actorID") == nil)
        #expect(Coded.CodingKeys(stringValue: "") == nil)
    }
}

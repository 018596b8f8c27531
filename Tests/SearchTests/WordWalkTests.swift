// SPDX-License-Identifier: Apache-2.0
// Words go when no document has them any more, and not before.

import Domain
import Events
import Outbox
import Postgres
import Support
import Testing
import TextAnalysis

@testable import SearchService

@Suite struct WordWalkTests {
    private static func words(_ database: Database) async throws -> Set<String> {
        Set(try await database.query("SELECT word FROM words").all { try $0.next() })
    }

    private static func sweep(_ world: SearchWorld) throws -> Sweep {
        try #require(Sweeps.all(now: world.dependencies.now).first { $0.table == "words" })
    }

    @Test func `a word stays while a document has it`() async throws {
        try await SearchWorld.run { world in
            let author = SearchWorld.account(1, "Mina", username: "minahandle")
            let (one, other) = (SearchWorld.id(1), SearchWorld.id(2))
            try await world.tell(
                PostCreated(author: author, post: SearchWorld.post(one, by: 1, "lighthouse keepers don't sing")),
                PostCreated(
                    author: author,
                    post: SearchWorld.post(other, by: 1, "a quiet lighthouse #harbour", version: 1)
                )
            )
            let before = try await Self.words(world.database)
            #expect(before.isSuperset(of: ["lighthouse", "keepers", "sing", "quiet", "minahandle", "mina"]))
            let sweep = try Self.sweep(world)
            #expect(try await sweep.finish(in: world.database) == 0)
            #expect(try await Self.words(world.database) == before)
            // One is written anew, one is deleted.
            let edited = SearchWorld.post(other, by: 1, "a loud lighthouse", version: 5, editedAt: SearchWorld.now)
            try await world.tell(
                PostEdited(author: author, post: edited),
                PostDeleted(postID: PostID(one), accountID: AccountID(1), boostIDs: [], subjectVersion: 9)
            )
            #expect(try await sweep.finish(in: world.database) > 0)
            let after = try await Self.words(world.database)
            #expect(after.isSuperset(of: ["lighthouse", "loud", "minahandle", "mina"]))
            #expect(after.isDisjoint(with: ["keepers", "sing", "quiet"]))
            #expect(try await sweep.finish(in: world.database) == 0)
        }
    }

    @Test func `all words have their turn, some hundred at a time`() async throws {
        try await SearchWorld.run { world in
            _ = try await world.database.query(
                "INSERT INTO words SELECT 'zz' || translate(i::text, '0123456789', 'abcdefghij'), '{}' FROM generate_series(10001, 11700) i"
            )
            // Words that are used stand before those that are not, more than a step.
            let letters = Array("abcdefghij")
            let texts = (10_001...10_700).map { number in
                "aa" + "\(number)".compactMap(\.wholeNumberValue).map { String(letters[$0]) }.joined()
            }
            try await PostgresIndex(world.database).put(
                stride(from: 0, to: texts.count, by: 50).map { first in
                    let text = texts[first..<(first + 50)].joined(separator: " ")
                    return SearchDocument(kind: .post, id: Int64(first), version: 1, text: text)
                }
            )
            let walk = WordWalk()
            #expect(try await walk.step(in: world.database) == 0)
            #expect(try await walk.step(in: world.database) == 300)
            for _ in 0..<6 { _ = try await walk.step(in: world.database) }
            #expect(try await Self.words(world.database) == Set(texts))
        }
    }

    @Test func `a frequent word is not looked for`() async throws {
        try await SearchWorld.run { world in
            _ = try await world.database.query("INSERT INTO words VALUES ('seldom', '{}'), ('often', '{}')")
            try await PostgresIndex(world.database).put([SearchDocument(kind: .post, id: 1, version: 1, text: "x")])
            let term = AnalyzedText("often").terms.map { Int($0.number) }
            _ = try await world.database.query(
                "INSERT INTO frequent (kind, term, since, shift) SELECT 2, t, 0, 3 FROM unnest(\(term)) t"
            )
            #expect(try await WordWalk().step(in: world.database) == 1)
            #expect(try await Self.words(world.database) == ["often"])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Snapshots in PostgreSQL are read without Foundation, as Foundation reads them.

import Domain
import Events
import Foundation
import JSON
import Postgres
import Serving
import Support
import Testing

@Suite struct SnapshotTests {
    private static let odd = "\"a\" \\ /\n\t\u{8}\u{1F}: {1, 2} [미나], 👩‍👩‍👧"

    private static func account(_ text: String, _ extras: ProfileExtras?) throws -> AccountSnapshot {
        AccountSnapshot(
            id: AccountID(110_000_000_000_000_001),
            username: try #require(Username("mina")),
            displayName: text,
            note: text,
            fields: [ProfileField(name: text, value: ""), ProfileField(name: "site", value: text)],
            locked: true,
            createdAt: Timestamp(milliseconds: 1_767_322_000_000),
            followersCount: -1,
            version: .max,
            extras: extras
        )
    }

    @Test func `a snapshot comes back from the database, read in its form`() async throws {
        try await withDatabase { database, _ in
            let extras = ProfileExtras(
                hideCollections: false,
                nativeLanguages: ["ko", "en"],
                avatar: PictureSnapshot(id: MediaID(7), file: "7.jpg"),
                restrictions: [.limited, .frozen]
            )
            for text in ["", "mina", SnapshotTests.odd] {
                for extras in [nil, ProfileExtras(), extras] {
                    let account = try SnapshotTests.account(text, extras)
                    let stored = try await SnapshotTests.stored(JSONB(snapshot: account), in: database)
                    #expect(
                        try JSONFormReader.read(AccountSnapshot.self, from: stored.json[...], by: .jsonb) == account
                    )
                    #expect(try stored.snapshot(AccountSnapshot.self) == account)
                    #expect(try JSONDecoder().decode(AccountSnapshot.self, from: Data(stored.json)) == account)
                }
            }
        }
    }

    @Test func `what has members that nobody knows is left to Foundation`() async throws {
        try await withDatabase { database, _ in
            let account = try SnapshotTests.account("mina", nil)
            var json = String(decoding: try JSONB(snapshot: account).json, as: UTF8.self)
            json.insert(contentsOf: #""colour": {"of": ["hair"]}, "#, at: json.index(after: json.startIndex))
            let stored = try await SnapshotTests.stored(JSONB(Array(json.utf8)), in: database)
            #expect(throws: JSONFormReader.Mismatch.self) {
                try JSONFormReader.read(AccountSnapshot.self, from: stored.json[...], by: .jsonb)
            }
            #expect(try stored.snapshot(AccountSnapshot.self) == account)
        }
    }

    @Test func `what may be none is read where it is`() throws {
        let card = CardSnapshot(url: "https://example.org/", title: "Example")
        #expect(try JSONB(snapshot: card).snapshot(CardSnapshot?.self) == card)
        let account = try SnapshotTests.account("mina", nil)
        #expect(try JSONB(snapshot: account).snapshot(AccountSnapshot?.self) == account)
        #expect(try JSONB(Array("null".utf8)).snapshot(AccountSnapshot?.self) == nil)
    }

    @Test func `a post with files keeps them`() throws {
        let media = MediaSnapshot(
            MediaProcessed(
                mediaID: MediaID(31),
                ownerID: AccountID(1),
                type: .image,
                original: RenditionSnapshot(url: "a.jpg", width: 3, height: 2),
                mimeType: "image/jpeg",
                bytes: 9,
                subjectVersion: 1,
                focus: FocusSnapshot(x: -0.5, y: 1)
            )
        )
        let post = PostSnapshot(
            id: PostID(7),
            accountID: AccountID(1),
            text: "x",
            createdAt: Timestamp(milliseconds: 0),
            version: 1,
            media: [media]
        )
        #expect(try JSONB(snapshot: post).snapshot(PostSnapshot.self) == post)
    }

    /// Whatever happened to the bytes: what the form reads, Foundation reads the same.
    @Test func `a damaged snapshot is never read as something else`() async throws {
        try await withDatabase { database, _ in
            var seed = TestSeed()
            let extras = ProfileExtras(indexable: true, nativeLanguages: ["ko", "en"])
            let account = try SnapshotTests.account(SnapshotTests.odd, extras)
            let whole = try await SnapshotTests.stored(JSONB(snapshot: account), in: database).json
            for _ in 0..<5000 {
                let damaged = seed.damaged(whole)
                let read = try? JSONFormReader.read(AccountSnapshot.self, from: damaged[...], by: .jsonb)
                guard let read else { continue }
                #expect(try JSONDecoder().decode(AccountSnapshot.self, from: Data(damaged)) == read)
            }
        }
    }

    private static func stored(_ json: JSONB, in database: Database) async throws -> JSONB {
        try #require(try await database.query("SELECT \(json)").one { try $0.next(JSONB.self) })
    }
}

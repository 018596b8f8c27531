// SPDX-License-Identifier: Apache-2.0
// What the queue makes of what happens: F18, and what each event leads to.

import Domain
import Events
import Postgres
import Support
import Testing

@testable import SearchService

@Suite struct ConsumerTests {
    @Test(arguments: TestSeed.list([11, 12, 13]))
    func `a history told twice, reversed or shuffled makes the same tables`(
        seed: UInt64
    ) async throws {
        var chance = TestSeed(seed)
        let history = SearchHistory(&chance).told
        let straight = try await Self.tables(after: [history])
        #expect(straight.count > 200)
        try await Self.expect(straight, after: history.map { [$0] }, "one by one")
        try await Self.expect(straight, after: [history, history], "twice")
        try await Self.expect(straight, after: Self.parts(history.reversed(), &chance), "reversed")
        for round in 0..<3 {
            let shuffled = Self.parts((history + history.prefix(50)).shuffled(using: &chance), &chance)
            try await Self.expect(straight, after: shuffled, "shuffled, round \(round)")
        }
    }

    private static func expect(_ straight: [String], after batches: [[Told]], _ name: String) async throws {
        let tables = try await tables(after: batches)
        let (missing, wrong) = (Set(straight).subtracting(tables), Set(tables).subtracting(straight))
        #expect(
            missing.isEmpty && wrong.isEmpty,
            "\(name): \(missing.sorted().prefix(1)) became \(wrong.sorted().prefix(1))"
        )
        #expect(tables.count == straight.count, "\(name)")
    }

    private static func parts(_ history: [Told], _ chance: inout TestSeed) -> [[Told]] {
        var (rest, parts) = (history[...], [[Told]]())
        while !rest.isEmpty {
            let size = Int.random(in: 1...40, using: &chance)
            parts.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return parts
    }

    /// What is in the tables after batches, and what is found by them. Left out is what tells when it was written and where: which
    /// segment a document is in and how its keys are cut there, with which version its words came, and words that an older text had.
    private static func tables(after batches: [[Told]]) async throws -> [String] {
        try await SearchWorld.run(segmentSize: 7) { world in
            for batch in batches { try await world.tell(batch) }
            return try await tables(of: world.database) + found(in: world)
        }
    }

    /// By the words of the history and by none, for somebody and for everybody.
    private static func found(in world: SearchWorld) async throws -> [String] {
        var lines: [String] = []
        for text in SearchHistory.words + ["사람", "from:p3", "lang:ko 독서"] {
            for (kind, viewer) in [
                (SearchKind.post, nil), (.post, 3), (.message, 3), (.account, 3), (.channel, 3), (.project, nil),
                (.project, 3),
                (.reading, nil), (.reading, 3), (.book, 3),
            ] as [(_, Int64?)] {
                var request = SearchRequest(kind, SearchQuery("\(text) "), viewer: viewer.map { AccountID($0) })
                request.order = .newest
                request.limit = 80
                let hits = try await world.dependencies.index.find(request).hits.map(\.id)
                lines.append("\(text), \(kind) for \(viewer ?? 0): \(hits)")
            }
        }
        return lines
    }

    static func tables(of database: Database) async throws -> [String] {
        let statements: [SQL] = [
            """
            SELECT concat_ws('|', d.kind, d.id, CASE WHEN d.kind <> 1 THEN d.version END, d.author_id, d.audience, d.place_id, d.people,
                d.popularity, CASE WHEN d.kind <> 1 THEN d.popularity_version END, d.gone, d.form, d.source, cardinality(d.keys)) AS line
            FROM documents d
            ORDER BY d.kind, d.id
            """,
            "SELECT n::text FROM names n ORDER BY kind, id, position", "SELECT a::text FROM accounts a ORDER BY id",
            "SELECT concat_ws('|', kind, account_id, target_id, version, active) FROM ties ORDER BY 1",
            "SELECT concat_ws('|', account_id, place_id, version, active, term) FROM memberships ORDER BY 1",
            "SELECT concat_ws('|', id, parent_id, version, name, gone) FROM places ORDER BY 1",
            "SELECT u::text FROM uses u ORDER BY 1", "SELECT l::text FROM links l ORDER BY 1",
            "SELECT p::text FROM popular p ORDER BY 1",
            "SELECT concat_ws('|', record_id, version, shown, account_id, book_id, item) FROM shelved_books ORDER BY 1",
        ]
        var lines: [String] = []
        for statement in statements {
            lines += try await database.query(statement).all { try $0.next(String.self) }
        }
        return lines
    }

    @Test func `an account that posts writes no key and no name again`() async throws {
        try await SearchWorld.run { world in
            try await world.tell(ProfileUpdated(account: SearchWorld.account(7, "김민수", version: 1)))
            let before = try await Self.marks(world.database)
            for version in Int64(2)...9 {
                let author = SearchWorld.account(7, "김민수", version: version)
                let post = SearchWorld.post(SearchWorld.id(version), by: 7, "글 \(version)")
                try await world.tell(PostCreated(author: author, post: post))
            }
            #expect(try await Self.marks(world.database) == before)
            // Only a doubling of followers moves the document, and then not its keys.
            try await world.tell(ProfileUpdated(account: SearchWorld.account(7, "김민수", version: 10, followers: 5)))
            #expect(try await world.database.query("SELECT popularity FROM documents WHERE kind = 1").number() == 4)
            try await world.tell(ProfileUpdated(account: SearchWorld.account(7, "김민수", version: 11, followers: 7)))
            #expect(try await world.database.query("SELECT popularity FROM documents WHERE kind = 1").number() == 4)
            try await world.tell(ProfileUpdated(account: SearchWorld.account(7, "김민준", version: 12)))
            #expect(try await Self.found("민준", .account, world) == [7])
            #expect(try await Self.found("민수 ", .account, world) == [])
        }
    }

    /// Which rows of the account and its names there are, as the database tells rows apart.
    private static func marks(_ database: Database) async throws -> [String] {
        try await database.query(
            """
            SELECT concat(ctid, xmin) FROM documents WHERE kind = 1
            UNION ALL SELECT concat(ctid, xmin) FROM names ORDER BY 1
            """
        ).all { try $0.next() }
    }

    private static func found(_ text: String, _ kind: SearchKind, _ world: SearchWorld, as viewer: Int64 = 7)
        async throws
        -> [Int64]
    {
        var request = SearchRequest(kind, SearchQuery(text), viewer: AccountID(viewer))
        request.order = .newest
        return try await world.dependencies.index.find(request).hits.map(\.id)
    }

    @Test func `a count beyond every column stops nothing`() async throws {
        try await SearchWorld.run { world in
            let wrong = SearchWorld.post(SearchWorld.id(1), by: 7, "나쁜 글", favourites: .max, boosts: .max)
            let author = SearchWorld.account(7, followers: .max)
            try await world.tell(PostCreated(author: author, post: wrong))
            try await world.tell(PostCreated(author: author, post: SearchWorld.post(SearchWorld.id(2), by: 7, "좋은 글")))
            #expect(try await Self.found("글 ", .post, world) == [SearchWorld.id(2), SearchWorld.id(1)])
        }
    }

    @Test func `who may join finds an open playground, members find its channels and what is said where they are`()
        async throws
    {
        try await SearchWorld.run { world in
            let general = SearchWorld.channel(11, in: 10, "독서 모임")
            let secret = SearchWorld.channel(12, in: 10, "비밀 독서", type: .private)
            try await world.tell(
                PlaygroundCreated(playground: SearchWorld.playground(10, "독서 마당", open: true)),
                PlaygroundCreated(playground: SearchWorld.playground(20, "닫힌 독서 마당")),
                ChannelCreated(channel: general),
                ChannelCreated(channel: secret),
                SearchWorld.joined(1, channel: nil, playground: 10),
                SearchWorld.joined(1, channel: 11, playground: 10),
                SearchWorld.joined(2, channel: nil, playground: 10),
                SearchWorld.joined(1, channel: 12, playground: 10),
                SearchWorld.sent(SearchWorld.message(101, by: 1, in: 11, "독서 이야기"), in: general),
                SearchWorld.sent(SearchWorld.message(102, by: 1, in: 12, "독서 비밀"), in: secret)
            )
            #expect(try await Self.found("독서 ", .playground, world, as: 9) == [10])
            #expect(try await Self.found("독서 ", .channel, world, as: 9) == [])
            #expect(try await Self.found("독서 ", .channel, world, as: 2) == [11])
            #expect(try await Self.found("독서 ", .channel, world, as: 1) == [12, 11])
            #expect(try await Self.found("독서 ", .message, world, as: 1) == [102, 101])
            #expect(try await Self.found("독서 ", .message, world, as: 2) == [])
            // Somebody goes, and a place ends; what comes late changes nothing.
            try await world.tell(
                MemberLeft(
                    playgroundID: PlaygroundID(10),
                    channelID: ChannelID(12),
                    accountID: AccountID(1),
                    actorID: AccountID(1),
                    subjectVersion: 5
                )
            )
            #expect(try await Self.found("독서 ", .message, world, as: 1) == [101])
            #expect(try await Self.found("독서 ", .channel, world, as: 1) == [11])
            try await world.tell(
                PlaygroundDeleted(
                    playgroundID: PlaygroundID(10),
                    channelIDs: [ChannelID(11), ChannelID(12)],
                    actorID: AccountID(1),
                    subjectVersion: 9
                )
            )
            try await world.tell(
                SearchWorld.sent(SearchWorld.message(103, by: 1, in: 11, "늦은 독서"), in: general),
                ChannelUpdated(channel: SearchWorld.channel(11, in: 10, "독서", version: 8))
            )
            for kind in [SearchKind.playground, .channel, .message] {
                #expect(try await Self.found("독서 ", kind, world, as: 1) == [], "\(kind)")
            }
        }
    }

    @Test func `who has yet to accept finds nothing that is said`() async throws {
        try await SearchWorld.run { world in
            let direct = SearchWorld.channel(30, in: nil, "", type: .direct)
            try await world.tell(
                ConversationOpened(
                    channel: direct,
                    memberIDs: [AccountID(1), AccountID(2)],
                    requestedIDs: [AccountID(2)],
                    actorID: AccountID(1)
                ),
                SearchWorld.sent(SearchWorld.message(301, by: 1, in: 30, "안녕하세요"), in: direct)
            )
            #expect(try await Self.found("안녕", .message, world, as: 1) == [301])
            #expect(try await Self.found("안녕", .message, world, as: 2) == [])
            try await world.tell(SearchWorld.joined(2, channel: 30, version: 7))
            #expect(try await Self.found("안녕", .message, world, as: 2) == [301])
        }
    }

    @Test func `nobody finds who is hidden, and by their words nobody whom only followers hear of`() async throws {
        try await SearchWorld.run { world in
            let id = SearchWorld.id(1)
            func tell(_ restrictions: [Restriction], version: Int64) async throws {
                var author = SearchWorld.account(1, "김민수", version: version)
                author.extras?.restrictions = restrictions
                try await world.tell(ProfileUpdated(account: author))
            }
            func seen() async throws -> [[Int64]] {
                [
                    try await Self.found("마음 ", .post, world, as: 2),
                    try await Self.found("김민수 ", .account, world, as: 2),
                    try await SuggestionStore.mostFollowed(for: AccountID(2), in: world.database).map(\.rawValue),
                ]
            }
            let author = SearchWorld.account(1, "김민수")
            try await world.tell(PostCreated(author: author, post: SearchWorld.post(id, by: 1, "첫 마음")))
            #expect(try await seen() == [[id], [1], [1]])
            try await tell([.suspended], version: 2)
            #expect(try await seen() == [[], [], []])
            try await tell([.limited], version: 3)
            #expect(try await seen() == [[], [1], []])
            try await tell([], version: 4)
            #expect(try await seen() == [[id], [1], [1]])
        }
    }

    @Test func `blocks, edits and deletions are in force at once`() async throws {
        try await SearchWorld.run { world in
            let (author, id) = (SearchWorld.account(1), SearchWorld.id(1))
            try await world.tell(PostCreated(author: author, post: SearchWorld.post(id, by: 1, "첫 마음")))
            #expect(try await Self.found("마음 ", .post, world, as: 2) == [id])
            try await world.tell(AccountBlocked(actorID: AccountID(1), targetID: AccountID(2), subjectVersion: 3))
            #expect(try await Self.found("마음 ", .post, world, as: 2) == [])
            try await world.tell(AccountUnblocked(actorID: AccountID(1), targetID: AccountID(2), subjectVersion: 4))
            let edited = SearchWorld.post(id, by: 1, "둘째 생각", version: 5, editedAt: SearchWorld.now)
            try await world.tell(PostEdited(author: author, post: edited))
            #expect(try await Self.found("마음 ", .post, world, as: 2) == [])
            #expect(try await Self.found("생각 ", .post, world, as: 2) == [id])
            let hidden = SearchWorld.account(1, version: 9, indexable: false)
            try await world.tell(ProfileUpdated(account: hidden))
            #expect(try await Self.found("생각 ", .post, world, as: 2) == [])
            #expect(try await Self.found("생각 ", .post, world, as: 1) == [id])
            try await world.tell(
                PostDeleted(postID: PostID(id), accountID: AccountID(1), boostIDs: [], subjectVersion: 8)
            )
            #expect(try await Self.found("생각 ", .post, world, as: 1) == [])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Plans that were made while there was nothing, and stay while the tables fill.

import Domain
import Foundation
import Postgres
import Support
import Testing

@testable import PostsService

@Suite struct EmptyDatabaseTests {
    private static let posts = 5000
    private static let reader = AccountID(1)
    private static let author = AccountID(2)
    private static let post = PostID(2500)

    /// The statements that every reader and every consumer runs, and how many blocks of 8 KiB each may touch.
    private static let statements: [(name: String, blocks: Int, run: @Sendable (Unasked) async throws -> Void)] = [
        ("one entry", 80, { _ = try await PostStore.entry(post, viewer: nil, in: $0) }),
        ("one post", 90, { _ = try await PostStore.status(post, viewer: reader, in: $0) }),
        (
            "home", 2000,
            { _ = try await TimelineStore.home(of: reader, anybodyIsPopular: true, page: Page(limit: 20), in: $0) }
        ),
        ("everyone's", 2000, { _ = try await TimelineStore.everyones(viewer: reader, page: Page(limit: 20), in: $0) }),
        ("an account's", 1200, { try await accountPosts($0) }),
        ("a thread", 200, { try await thread($0) }),
    ]

    @Sendable private static func accountPosts(_ database: Unasked) async throws {
        let (filter, page) = (PostListStore.Filter(), Page(limit: 20))
        _ = try await PostListStore.posts(of: author, filter: filter, viewer: reader, page: page, in: database)
    }

    @Sendable private static func thread(_ database: Unasked) async throws {
        let bounds = ThreadStore.Bounds(ancestors: 40, descendants: 60, depth: 20)
        _ = try await ThreadStore.thread(post, viewer: reader, bounds: bounds, in: database)
    }

    @Test func aPlanMadeOverNothingLooksAtFewBlocks() async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { _, configuration in
            var plans: [(name: String, blocks: Int, sql: SQL)] = []
            for statement in Self.statements {
                plans.append((statement.name, statement.blocks, try await Unasked.statement(of: statement.run)))
            }
            let kept = plans
            try await Session.run(configuration) { session in
                for table in ["posts", "accounts", "timeline", "follows"] {
                    try session.execute("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
                }
                // References are not looked at. Said later, it would throw the plans away.
                try session.execute("SET session_replication_role = replica; SET plan_cache_mode = force_generic_plan")
                for (number, plan) in kept.enumerated() {
                    try session.execute("PREPARE kept\(number) (\(plan.sql.types)) AS \(plan.sql.text)")
                    try session.execute("EXECUTE kept\(number) (\(plan.sql.literals))")
                }
                try fill(session)
                for (number, plan) in kept.enumerated() {
                    let rows = try session.rows(
                        "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE kept\(number) (\(plan.sql.literals))"
                    )
                    let text = rows.compactMap { $0.first.flatMap(\.self) }.joined(separator: "\n")
                    let blocks = try Self.blocks(text)
                    #expect(blocks <= plan.blocks, "\(plan.name) touches \(blocks) blocks")
                }
            }
        }
    }

    /// Accounts that follow one another, and their posts in the order of ids.
    private func fill(_ session: Session) throws {
        try session.execute(
            """
            INSERT INTO accounts (id, username, created_at) SELECT n, 'person' || n, now() FROM generate_series(1, 500) n;
            INSERT INTO follows (follower_id, followee_id, id) SELECT 1, n, n FROM generate_series(2, 500) n;
            INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at)
            SELECT n, 2 + n % 499, repeat('word ', 20), 'public', n, now() FROM generate_series(1, \(Self.posts)) n;
            INSERT INTO timeline (account_id, post_id, author_id)
            SELECT 1, p.id, p.account_id FROM posts p WHERE p.id > \(Self.posts - 1000);
            """
        )
    }

    /// Blocks that a plan read, in memory or not.
    private static func blocks(_ text: String) throws -> Int {
        let plans = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let plan = try #require(plans.first?["Plan"] as? [String: Any])
        let (hit, read) = (plan["Shared Hit Blocks"] as? Int, plan["Shared Read Blocks"] as? Int)
        return try #require(hit) + #require(read)
    }
}

/// Tells the statement that it was asked instead of running it.
private struct Unasked: Querying {
    private struct Asked: Error { let sql: SQL }
    private struct NothingAsked: Error {}

    func query(_ sql: SQL) async throws -> Rows { throw Asked(sql: sql) }

    static func statement(of run: (Unasked) async throws -> Void) async throws -> SQL {
        do { try await run(Unasked()) } catch let asked as Asked { return asked.sql }
        throw NothingAsked()
    }
}

extension SQL {
    /// The types of the bound values, which are numbers, truth values and texts here.
    fileprivate var types: String {
        binds.map { bind in
            bind.type == String.postgresType ? "text" : bind.type == Bool.postgresType ? "boolean" : "bigint"
        }.joined(separator: ", ")
    }

    /// The bound values, written out.
    fileprivate var literals: String {
        binds.map { bind in
            guard let bytes = bind.bytes else { return "NULL" }
            return switch bind.type {
            case String.postgresType: "'\(String(decoding: bytes, as: UTF8.self))'"
            case Bool.postgresType: bytes == [1] ? "true" : "false"
            default: String(bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) })
            }
        }.joined(separator: ", ")
    }
}

// SPDX-License-Identifier: Apache-2.0
// The index with generated posts in it: how fast they go in, what they take, and how long queries take.

import Domain
import Glibc
import Logging
import Postgres
import SearchService

/// `benchmark-search CONNINFO load POSTS` puts posts (language, a tab, text) into a new schema `search`;
/// `benchmark-search CONNINFO put POSTS START SIZE` puts more, numbered from START on, as a consumer does;
/// `benchmark-search CONNINFO query QUERIES CLIENTS SECONDS` asks queries (kind, a tab, text), each kind by itself;
/// `benchmark-search CONNINFO edit POSTS` edits every tenth of those that were loaded;
/// `benchmark-search CONNINFO name` puts a million accounts in; `benchmark-search CONNINFO complete CLIENTS SECONDS` asks for names.
@main struct Benchmark {
    static let people = 5000
    /// Who asks what takes longest: they follow 5,000 people and are in 500 places, and one more has written nothing.
    static let busy = AccountID(5001)

    static func main() async {
        let arguments = CommandLine.arguments
        do {
            switch arguments.dropFirst(2).first {
            case "load" where arguments.count == 4: try await load(arguments[1], try lines(of: arguments[3]))
            case "put" where arguments.count == 6:
                try await put(
                    arguments[1],
                    try lines(of: arguments[3]),
                    from: Int(arguments[4]) ?? 0,
                    by: Int(arguments[5]) ?? 512
                )
            case "query" where arguments.count == 6:
                try await query(
                    arguments[1],
                    try lines(of: arguments[3]),
                    clients: Int(arguments[4]) ?? 16,
                    seconds: Int(arguments[5]) ?? 5
                )
            case "edit" where arguments.count == 4: try await edit(arguments[1], try lines(of: arguments[3]))
            case "name" where arguments.count == 3:
                try await database(arguments[1]) { database, _ in try await Names.load(into: database) }
            case "complete" where arguments.count == 5:
                try await database(arguments[1]) { database, _ in
                    try await Names.complete(
                        database,
                        clients: Int(arguments[3]) ?? 16,
                        seconds: Int(arguments[4]) ?? 5
                    )
                }
            default:
                print(
                    "usage: benchmark-search CONNINFO load POSTS | put POSTS START SIZE | edit POSTS |",
                    "query QUERIES CLIENTS SECONDS | name |",
                    "complete CLIENTS SECONDS"
                )
                exit(64)
            }
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    struct Unreadable: Error {}

    static func lines(of path: String) throws -> [(String, String)] {
        guard let file = fopen(path, "r") else { throw Unreadable() }
        defer { fclose(file) }
        var lines: [(String, String)] = []
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        while getline(&line, &size, file) > 0 {
            guard let line else { break }
            let columns = String(cString: line).split(whereSeparator: { $0 == "\t" || $0 == "\n" })
            if columns.count == 2 { lines.append((String(columns[0]), String(columns[1]))) }
        }
        free(line)
        return lines
    }

    static func document(_ number: Int, _ post: (String, String)) -> SearchDocument {
        SearchDocument(
            kind: .post,
            id: Int64(1_700_000_000_000 + number * 1000) << 16,
            version: 1,
            author: AccountID(Int64(number % people + 1)),
            audience: .public,
            language: post.0,
            popularity: number % 97 == 0 ? number % 1000 : 0,
            text: post.1
        )
    }

    static func database(_ connection: String, _ body: @Sendable (Database, DatabaseConfiguration) async throws -> Void)
        async throws
    {
        var configuration = DatabaseConfiguration(
            connection: connection,
            schema: "search",
            applicationName: "benchmark-search"
        )
        // As the service asks.
        configuration.plansOnce = true
        configuration.exclusive = 4
        configuration.deadline = .seconds(1800)
        configuration.patience = .seconds(1800)
        try await body(Database(configuration, logger: Logger(label: "benchmark")), configuration)
    }

    /// Fast: the index of keys is made at the end.
    static func load(_ connection: String, _ posts: [(String, String)]) async throws {
        try await database(connection) { database, configuration in
            let migrator = Migrator(
                configuration,
                sources: SearchService.migrations,
                logger: Logger(label: "benchmark")
            )
            _ = try migrator.migrateBlocking()
            try await database.transaction { transaction in
                PeopleStore.keep(
                    (1...people + 1).map {
                        Person(id: AccountID(Int64($0)), version: 1, handle: "p\($0)", isIndexable: true, isGone: false)
                    },
                    in: transaction
                )
                let others = (1...people).map { AccountID(Int64($0)) }
                PeopleStore.keep(
                    others.map { Tie(.follow, by: busy, of: $0, version: 1, isActive: true) },
                    in: transaction
                )
                PeopleStore.keep(
                    (1...500).map { Membership(of: busy, in: Int64($0), version: 1, isActive: true) },
                    in: transaction
                )
            }
            _ = try await database.query("DROP INDEX documents_keys")
            let seconds = try await put(posts, from: 0, by: 1024, into: database)
            print(
                "loaded in \(Int(seconds)) s, \(Int(Double(posts.count) / seconds)) a second, without the index of keys"
            )
            let began = ContinuousClock.now
            _ = try await database.query(
                "CREATE INDEX documents_keys ON documents USING gin (keys)",
                deadline: .seconds(1200)
            )
            print("the index of keys made in \(Int((ContinuousClock.now - began) / .seconds(1))) s")
            _ = try await database.query("VACUUM ANALYZE", deadline: .seconds(600))
            try await sizes(posts.reduce(0) { $0 + $1.1.utf8.count }, posts.count, in: database)
        }
    }

    /// The size when every tenth has another text, before a vacuum and after it.
    static func edit(_ connection: String, _ posts: [(String, String)]) async throws {
        try await database(connection) { database, _ in
            let index = PostgresIndex(database)
            let edited = stride(from: 0, to: posts.count - 1, by: 10).map { number in
                var edited = document(number, posts[number + 1])
                edited.version = 2
                return edited
            }
            for first in stride(from: 0, to: edited.count, by: 512) {
                try await index.put(Array(edited[first..<min(edited.count, first + 512)]))
            }
            let octets = posts.reduce(0) { $0 + $1.1.utf8.count }
            print("after \(edited.count) edits:")
            try await sizes(octets, posts.count, in: database)
            _ = try await database.query("VACUUM documents", deadline: .seconds(600))
            print("and a vacuum:")
            try await sizes(octets, posts.count, in: database)
        }
    }

    static func put(_ connection: String, _ posts: [(String, String)], from start: Int, by size: Int) async throws {
        try await database(connection) { database, _ in
            let before = try await Measured.busy(database)
            let seconds = try await put(posts, from: start, by: size, into: database)
            let busy = try await Measured.busy(database)
            let (here, there) = (busy.here - before.here, busy.postgres - before.postgres)
            print(
                "put \(Int(Double(posts.count) / seconds)) a second by one writer, \(size) at a time: CPU",
                "\(Int(here * 1e6) / posts.count) µs a post here and \(Int(there * 1e6) / posts.count) µs of PostgreSQL"
            )
        }
    }

    /// Of texts of so many octets.
    static func sizes(_ octets: Int, _ posts: Int, in database: Database) async throws {
        let sizes: [(String, Int)] = try await database.query(
            """
            SELECT c.relname::text, pg_relation_size(c.oid) FROM pg_class c
            WHERE c.relnamespace = CAST('search' AS regnamespace) AND pg_relation_size(c.oid) > 1000000 ORDER BY 2 DESC
            """
        ).all { (try $0.next(), try $0.next()) }
        print("\(posts) posts of \(octets / posts) octets")
        for (name, size) in sizes {
            print("\(name): \(size >> 20) MiB, \(tenths(Double(size) / Double(octets))) of the text")
        }
    }

    /// Seconds.
    static func put(_ posts: [(String, String)], from start: Int, by size: Int, into database: Database) async throws
        -> Double
    {
        let index = PostgresIndex(database)
        let clock = ContinuousClock()
        let began = clock.now
        for first in stride(from: 0, to: posts.count, by: size) {
            try await index.put(
                posts[first..<min(posts.count, first + size)].enumerated().map { document(start + first + $0, $1) }
            )
        }
        return (clock.now - began) / .seconds(1)
    }

    /// Each kind of query by itself, and an empty statement, below which nothing that asks PostgreSQL can be.
    static func query(_ connection: String, _ queries: [(String, String)], clients: Int, seconds: Int) async throws {
        try await database(connection) { database, _ in
            let index = PostgresIndex(database)
            let floor = try await Measured.asking(database, clients: clients, seconds: seconds) { _ in
                try await database.query("SELECT 1").count == 1
            }
            print("an empty statement: \(floor)")
            for kind in queries.reduce(into: [String](), { if !$0.contains($1.0) { $0.append($1.0) } }) {
                let texts = queries.filter { $0.0 == kind }.map(\.1)
                let viewer = kind == "worst" ? busy : AccountID(7)
                let ask: @Sendable (Int) async throws -> Bool = { number in
                    let query = SearchQuery(texts[number % texts.count])
                    return try await !index.find(SearchRequest(.post, query, viewer: viewer)).hits.isEmpty
                }
                // Statements are planned, and lists read.
                for number in 0..<20 { _ = try await ask(number) }
                print("\(kind): \(try await Measured.asking(database, clients: clients, seconds: seconds, ask))")
            }
        }
    }

    static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

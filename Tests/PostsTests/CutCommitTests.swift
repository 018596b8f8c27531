// SPDX-License-Identifier: Apache-2.0
// F9: the connection to the database is cut while a post is committed, and the client comes again with its key.

import Foundation
import Logging
import Postgres
import Support
import Synchronization
import Testing

@testable import PostsService

/// What the clients saw.
private final class Seen: Sendable {
    private let state = Mutex((commits: 0, unknown: 0, ids: [String: Set<String>]()))

    func commit() -> Int {
        state.withLock { state in
            state.commits += 1
            return state.commits
        }
    }
    var commits: Int { state.withLock { $0.commits } }
    func refused() { state.withLock { $0.unknown += 1 } }
    var refusals: Int { state.withLock { $0.unknown } }
    func accepted(_ key: String, _ id: String) { state.withLock { _ = $0.ids[key, default: []].insert(id) } }
    var ids: [String: Set<String>] { state.withLock { $0.ids } }
}

@Suite struct CutCommitTests {
    @Test func everyKeyMakesOnePostThoughCommitsAreCut() async throws {
        let keys = 500
        let seen = Seen()
        try await withProxiedDatabase(
            migrations: PostsService.migrations,
            schema: "posts",
            configure: {
                $0.exclusive = 4
                $0.deadline = .seconds(30)
                $0.patience = .seconds(30)
            }
        ) { database, proxy, direct in
            let world = try GraphWorld(database)
            var authors: [Person] = []
            for name in ["mina", "juno", "sora", "hana"] { authors.append(try await world.person(name)) }
            let people = authors
            // A third of the commits: before the server has it, on its way, and when it is done and answers.
            proxy.decide { message in
                guard message.text == "COMMIT" else { return .pass }
                switch (message.isFromClient, message.type) {
                case (true, "B"): return seen.commit() % 9 == 0 ? .cut : .pass
                case (true, "S"): return seen.commits % 9 == 3 ? .passAndCut : .pass
                case (false, "C"): return seen.commits % 9 == 6 ? .cut : .pass
                default: return .pass
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (lane, author) in people.enumerated() {
                    group.addTask {
                        for number in stride(from: lane, to: keys, by: 4) {
                            let key = "key-\(number)"
                            while true {
                                let answer = try await world.publish("post \(number)", as: author, key: key)
                                if answer.code == 200 {
                                    seen.accepted(key, try #require(try answer.string("id")))
                                    break
                                }
                                try #require(answer.code == 503, "\(answer.text)")
                                seen.refused()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await Session.run(direct) { session in
                try session.rows("SELECT id, text FROM posts")
            }
            #expect(rows.count == keys)
            #expect(Set(rows.compactMap { $0[1] }).count == keys)
            // What was accepted is there: as many ids as keys, and those.
            #expect(seen.ids.values.allSatisfy { $0.count == 1 })
            #expect(Set(seen.ids.values.flatMap { $0 }) == Set(rows.compactMap { $0[0] }))
            #expect(seen.refusals > 50)
            print("F9: \(keys) keys, \(rows.count) posts, \(seen.refusals) answers 503")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// How many people and posts there are, asked for once a minute.

import NIOCore
import NIOHTTP1
import Surface

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

final class InstanceStatistics {
    struct Numbers: Decodable, Equatable {
        var accounts = 0
        var posts = 0
        var activeMonth = 0

        enum CodingKeys: String, CodingKey {
            case accounts, posts
            case activeMonth = "active_month"
        }
    }

    private static let life: Milliseconds = 60_000
    /// How soon to ask again when there was no answer.
    private static let patience: Milliseconds = 5000

    private let pool: UpstreamPool
    private let secret: String
    private var numbers = Numbers()
    private var freshUntil: Milliseconds = .min
    private var waiting: [(Numbers) -> Void] = []

    init(pool: UpstreamPool, secret: String) {
        self.pool = pool
        self.secret = secret
    }

    /// The newest numbers there are; what was known last when posts does not answer.
    func read(now: Milliseconds, completion: @escaping (Numbers) -> Void) {
        if now < freshUntil { return completion(numbers) }
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        InternalCall.ask(pool, .GET, PostsCall.getStatistics.path, secret: secret) { answer in
            self.freshUntil = now + InstanceStatistics.patience
            if case .success(let (status, body)) = answer, status == 200,
                let numbers = try? JSONDecoder().decode(Numbers.self, from: Data(body.readableBytesView))
            {
                self.numbers = numbers
                self.freshUntil = now + InstanceStatistics.life
            }
            let waiting = self.waiting
            self.waiting = []
            for completion in waiting { completion(self.numbers) }
        }
    }
}

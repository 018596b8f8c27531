// SPDX-License-Identifier: Apache-2.0
// How many people and posts there are, asked for once a minute.

import Calls
import NIOHTTP1
import Surface

final class InstanceStatistics {
    private static let life: Milliseconds = 60_000
    /// How soon to ask again when there was no answer.
    private static let patience: Milliseconds = 5000

    private let pool: UpstreamPool
    private let secret: String
    private var numbers = Statistics()
    private var freshUntil: Milliseconds = .min
    private var waiting: [(Statistics) -> Void] = []

    init(pool: UpstreamPool, secret: String) {
        self.pool = pool
        self.secret = secret
    }

    /// The newest numbers there are; what was known last when posts does not answer.
    func read(now: Milliseconds, completion: @escaping (Statistics) -> Void) {
        if now < freshUntil { return completion(numbers) }
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        InternalCall.ask(pool, PostsCall.getStatistics, secret: secret) { answer in
            self.freshUntil = now + InstanceStatistics.patience
            if case .success(let (status, body)) = answer, status == 200,
                let numbers = Statistics(answer: body)
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

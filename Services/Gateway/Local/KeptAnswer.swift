// SPDX-License-Identifier: Apache-2.0
// What a service is asked for once a minute, and what it answered last.

import Calls
import NIOHTTP1
import Surface

final class KeptAnswer<Call: EndpointGroup, Body: CallBody> {
    private static var life: Milliseconds { 60_000 }
    /// How soon to ask again when there was no answer.
    private static var patience: Milliseconds { 5000 }

    private let call: Call
    private let pool: UpstreamPool
    private let secret: String
    private let limit: Int
    private var known: Body
    private var freshUntil: Milliseconds = .min
    private var waiting: [(Body) -> Void] = []

    /// - Parameters:
    ///   - body: what counts until there is an answer.
    ///   - limit: bytes of an answer.
    init(
        _ call: Call,
        _ body: Body,
        pool: UpstreamPool,
        secret: String,
        limit: Int = InternalCall.answerLimit
    ) {
        self.call = call
        self.pool = pool
        self.secret = secret
        self.limit = limit
        known = body
    }

    /// The newest answer there is; what was known last when the service does not answer.
    func read(now: Milliseconds, completion: @escaping (Body) -> Void) {
        if now < freshUntil { return completion(known) }
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        InternalCall.ask(pool, call, secret: secret, limit: limit) { answer in
            self.freshUntil = now + Self.patience
            if case .success(let (status, body)) = answer, status == 200, let body = Body(answer: body) {
                self.known = body
                self.freshUntil = now + Self.life
            }
            let waiting = self.waiting
            self.waiting = []
            for completion in waiting { completion(self.known) }
        }
    }
}

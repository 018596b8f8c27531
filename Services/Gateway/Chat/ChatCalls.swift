// SPDX-License-Identifier: Apache-2.0
// Asking chat in somebody's name.

import NIOCore
import NIOHTTP1
import Surface

extension ChatRegistry {
    static let answerLimit = 16 << 20

    /// Asks chat, in somebody's name or for this server; nil when it did not answer.
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        as principal: KnownPrincipal? = nil,
        fields: [(String, String?)] = [],
        body: ByteBuffer = ByteBuffer(),
        limit: Int = answerLimit,
        repeats: Bool = true,
        completion: @escaping ((status: Int, body: ByteBuffer)?) -> Void
    ) {
        let id = loop.newRequestID()
        let secret = path.hasPrefix("/internal/") ? loop.dependencies.config.internalSecret(.chat) : nil
        let own: [(String, String?)] = [
            ("x-madang-principal", principal?.statement(for: .chat)), ("x-request-id", id),
            ("traceparent", "00-\(id)-\(loop.newSpanID())-01"),
        ]
        InternalCall.ask(
            loop.pool(.chat),
            InternalCall.request(.chat, method, path, secret: secret, length: body.readableBytes, own + fields),
            body: body,
            answerLimit: limit,
            mayRepeat: repeats
        ) { answer in
            switch answer {
            case .success(let answer): completion((answer.status, answer.body))
            case .failure: completion(nil)
            }
        }
    }

    /// What auth says now of the client's token; nil when it is not to be had.
    func withPrincipal(of socket: ChatSocket, then proceed: @escaping (KnownPrincipal?) -> Void) {
        func judge(_ verdict: Verdict) {
            guard case .valid(let principal) = verdict else { return proceed(nil) }
            proceed(principal)
        }
        if let verdict = loop.authenticator.known(socket.token) { return judge(verdict) }
        loop.authenticator.ask(socket.token, completion: judge)
    }
}

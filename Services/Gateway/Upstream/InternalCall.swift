// SPDX-License-Identifier: Apache-2.0
// A small request of the gateway's own to a service.

import NIOCore
import NIOHTTP1

/// Asks once and tells the whole answer; lives until it has.
final class InternalCall: UpstreamReceiver {
    typealias Answer = Result<(status: Int, body: ByteBuffer), UpstreamFailure>

    static let answerLimit = 64 * 1024

    private let head: HTTPRequestHead
    private let body: ByteBuffer
    private let pool: UpstreamPool
    private let limit: Int
    private let repeats: Bool
    private var completion: ((Answer) -> Void)?
    private var status = 0
    private var answer = ByteBuffer()
    private var isRetried = false
    private var connection: UpstreamConnection?

    private init(
        _ head: HTTPRequestHead,
        _ body: ByteBuffer,
        _ pool: UpstreamPool,
        limit: Int,
        repeats: Bool,
        _ completion: @escaping (Answer) -> Void
    ) {
        self.head = head
        self.body = body
        self.pool = pool
        self.limit = limit
        self.repeats = repeats
        self.completion = completion
    }

    /// - Parameters:
    ///   - secret: for the service's own routes; nil when asked for somebody, whom `fields` then name.
    ///   - limit: octets of the answer.
    ///   - repeats: whether it may be sent once more, to another connection, when a used one turns out closed.
    static func ask(
        _ pool: UpstreamPool,
        _ method: HTTPMethod,
        _ path: String,
        secret: String?,
        fields: [(String, String)] = [],
        body: ByteBuffer = ByteBuffer(),
        limit: Int = answerLimit,
        repeats: Bool = true,
        completion: @escaping (Answer) -> Void
    ) {
        var headers = HTTPHeaders()
        headers.reserveCapacity(5 + fields.count)
        headers.add(name: "host", value: pool.service.rawValue)
        if let secret { headers.add(name: "x-madang-internal", value: secret) }
        for (name, value) in fields { headers.add(name: name, value: value) }
        headers.add(name: "content-length", value: String(body.readableBytes))
        if body.readableBytes > 0 { headers.add(name: "content-type", value: "application/json") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        let call = InternalCall(head, body, pool, limit: limit, repeats: repeats, completion)
        _ = pool.acquire(call)
    }

    func upstreamReady(_ connection: UpstreamConnection) {
        self.connection = connection
        connection.send(head)
        if body.readableBytes > 0 { connection.send(body) }
        connection.sendEnd()
    }

    func upstreamHead(_ head: HTTPResponseHead) { status = Int(head.status.code) }

    func upstreamBody(_ bytes: ByteBuffer) {
        guard answer.readableBytes + bytes.readableBytes <= limit else {
            connection?.cancel()
            return finish(.failure(.broken))
        }
        answer.writeImmutableBuffer(bytes)
    }

    func upstreamEnd() { finish(.success((status, answer))) }

    func upstreamFailed(_ failure: UpstreamFailure) {
        if repeats, failure == .closed, status == 0, !isRetried, connection?.isReused == true {
            isRetried = true
            connection = nil
            _ = pool.acquire(self, fresh: true)
            return
        }
        finish(.failure(failure))
    }

    private func finish(_ result: Answer) {
        let completion = completion
        self.completion = nil
        connection = nil
        completion?(result)
    }

    func upstreamPaused() {}
    func upstreamWritable() {}
    var upstreamMayRead: Bool { true }
}

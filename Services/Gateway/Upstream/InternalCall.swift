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
    private var completion: ((Answer) -> Void)?
    private var status = 0
    private var answer = ByteBuffer()
    private var isRetried = false
    private var connection: UpstreamConnection?

    private init(
        _ head: HTTPRequestHead,
        _ body: ByteBuffer,
        _ pool: UpstreamPool,
        _ completion: @escaping (Answer) -> Void
    ) {
        self.head = head
        self.body = body
        self.pool = pool
        self.completion = completion
    }

    static func ask(
        _ pool: UpstreamPool,
        _ method: HTTPMethod,
        _ path: String,
        secret: String,
        body: [UInt8] = [],
        completion: @escaping (Answer) -> Void
    ) {
        var headers = HTTPHeaders()
        headers.reserveCapacity(5)
        headers.add(name: "host", value: pool.service.rawValue)
        headers.add(name: "x-madang-internal", value: secret)
        headers.add(name: "content-length", value: String(body.count))
        if !body.isEmpty { headers.add(name: "content-type", value: "application/json") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        let call = InternalCall(head, ByteBuffer(bytes: body), pool, completion)
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
        guard answer.readableBytes + bytes.readableBytes <= InternalCall.answerLimit else {
            connection?.cancel()
            return finish(.failure(.broken))
        }
        answer.writeImmutableBuffer(bytes)
    }

    func upstreamEnd() { finish(.success((status, answer))) }

    func upstreamFailed(_ failure: UpstreamFailure) {
        // What is asked here changes nothing, so that asking again is safe.
        if failure == .closed, status == 0, !isRetried, connection?.isReused == true {
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

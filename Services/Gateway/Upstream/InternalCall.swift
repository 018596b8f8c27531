// SPDX-License-Identifier: Apache-2.0
// A small request of the gateway's own to a service.

import HTTPTypes
import NIOCore
import NIOHTTP1
import Surface

/// Asks once and tells the whole answer; lives until it has.
final class InternalCall: UpstreamReceiver {
    typealias Answer = Result<(status: Int, body: ByteBuffer), UpstreamFailure>
    typealias FullAnswer = Result<ServiceAnswer, UpstreamFailure>

    static let answerLimit = 64 * 1024

    private let head: HTTPRequestHead
    private let body: ByteBuffer
    private let pool: UpstreamPool
    private let limit: Int
    private let mayRepeat: Bool
    private var completion: ((FullAnswer) -> Void)?
    private var status = 0
    private var retryAfter: String?
    private var answer = ByteBuffer()
    private var isRetried = false
    private var connection: UpstreamConnection?

    private init(
        _ head: HTTPRequestHead,
        _ body: ByteBuffer,
        _ pool: UpstreamPool,
        limit: Int,
        mayRepeat: Bool,
        _ completion: @escaping (FullAnswer) -> Void
    ) {
        self.head = head
        self.body = body
        self.pool = pool
        self.limit = limit
        self.mayRepeat = mayRepeat
        self.completion = completion
    }

    /// Asks what changes nothing, so that asking again is safe.
    ///
    /// - Parameters:
    ///   - path: the endpoint's, where it has varying parts or a query.
    ///   - body: as `Shared/Calls` has it for the call.
    static func ask(
        _ pool: UpstreamPool,
        _ call: some EndpointGroup,
        path: String? = nil,
        secret: String,
        body: [UInt8] = [],
        limit: Int = answerLimit,
        completion: @escaping (Answer) -> Void
    ) {
        let head = head(pool.service, call.method, path ?? call.path, secret: secret, length: body.count)
        ask(pool, head, body: ByteBuffer(bytes: body), answerLimit: limit, mayRepeat: true) { answer in
            completion(answer.map { ($0.status, $0.body) })
        }
    }

    /// The head of a request of the gateway's own, with JSON or without a body.
    ///
    /// - Parameters:
    ///   - secret: opens routes under `/internal`.
    ///   - fields: further ones; one without a value is left out.
    static func head(
        _ service: ServiceName,
        _ method: HTTPMethod,
        _ path: String,
        secret: String? = nil,
        length: Int,
        _ fields: [(name: String, value: String?)] = []
    ) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        headers.reserveCapacity(fields.count + 4)
        headers.add(name: "host", value: service.rawValue)
        if let secret { headers.add(name: "x-madang-internal", value: secret) }
        for case (let name, let value?) in fields { headers.add(name: name, value: value) }
        if method != .GET { headers.add(name: "content-length", value: String(length)) }
        if length > 0 { headers.add(name: "content-type", value: "application/json") }
        return HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
    }

    /// Asks with a head of one's own.
    ///
    /// - Parameter mayRepeat: whether asking twice is no different from asking once.
    static func ask(
        _ pool: UpstreamPool,
        _ head: HTTPRequestHead,
        body: ByteBuffer,
        answerLimit: Int,
        mayRepeat: Bool,
        completion: @escaping (FullAnswer) -> Void
    ) {
        let call = InternalCall(head, body, pool, limit: answerLimit, mayRepeat: mayRepeat, completion)
        _ = pool.acquire(call, mayRepeat: mayRepeat)
    }

    func upstreamReady(_ connection: UpstreamConnection) {
        self.connection = connection
        connection.send(head)
        if body.readableBytes > 0 { connection.send(body) }
        connection.sendEnd()
    }

    func upstreamHead(_ head: HTTPResponseHead) {
        status = Int(head.status.code)
        retryAfter = head.headers.first(name: "retry-after")
    }

    func upstreamBody(_ bytes: ByteBuffer) {
        guard answer.readableBytes + bytes.readableBytes <= limit else {
            connection?.cancel()
            return finish(.failure(.broken))
        }
        answer.writeImmutableBuffer(bytes)
    }

    func upstreamEnd() { finish(.success(ServiceAnswer(status: status, body: answer, retryAfter: retryAfter))) }

    func upstreamFailed(_ failure: UpstreamFailure) {
        if mayRepeat, failure == .closed, status == 0, !isRetried, connection?.isReused == true {
            isRetried = true
            connection = nil
            _ = pool.acquire(self, fresh: true, mayRepeat: false)
            return
        }
        finish(.failure(failure))
    }

    private func finish(_ result: FullAnswer) {
        let completion = completion
        self.completion = nil
        connection = nil
        completion?(result)
    }

    func upstreamPaused() {}
    func upstreamWritable() {}
    var upstreamMayRead: Bool { true }
}

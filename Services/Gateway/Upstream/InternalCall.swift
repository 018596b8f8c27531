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

    private let request: ServiceRequest
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
        _ request: ServiceRequest,
        _ body: ByteBuffer,
        _ pool: UpstreamPool,
        limit: Int,
        mayRepeat: Bool,
        _ completion: @escaping (FullAnswer) -> Void
    ) {
        self.request = request
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
        let request = request(pool.service, call.method, path ?? call.path, secret: secret, length: body.count)
        ask(pool, request, body: ByteBuffer(bytes: body), answerLimit: limit, mayRepeat: true) { answer in
            completion(answer.map { ($0.status, $0.body) })
        }
    }

    /// A request of the gateway's own, with JSON or without a body.
    ///
    /// - Parameters:
    ///   - secret: opens routes under `/internal`.
    ///   - fields: further ones; one without a value is left out.
    static func request(
        _ service: ServiceName,
        _ method: HTTPMethod,
        _ path: String,
        secret: String? = nil,
        length: Int,
        _ fields: [(name: String, value: String?)] = []
    ) -> ServiceRequest {
        var request = ServiceRequest(method, path)
        request.add("host", service.rawValue)
        if let secret { request.add("x-madang-internal", secret) }
        for case (let name, let value?) in fields { request.pass(name, value) }
        if method != .GET { request.add(length: length) }
        if length > 0 { request.add("content-type", "application/json") }
        request.end()
        return request
    }

    /// Asks with a request of one's own.
    ///
    /// - Parameter mayRepeat: whether asking twice is no different from asking once.
    static func ask(
        _ pool: UpstreamPool,
        _ request: ServiceRequest,
        body: ByteBuffer,
        answerLimit: Int,
        mayRepeat: Bool,
        completion: @escaping (FullAnswer) -> Void
    ) {
        let call = InternalCall(request, body, pool, limit: answerLimit, mayRepeat: mayRepeat, completion)
        _ = pool.acquire(call, mayRepeat: mayRepeat)
    }

    func upstreamReady(_ connection: UpstreamConnection) {
        self.connection = connection
        connection.send(request)
        if body.readableBytes > 0 { connection.send(body) }
        connection.sendEnd()
    }

    func upstreamHead(_ head: ServiceAnswerHead) {
        status = head.status
        retryAfter = head.first(.retryAfter)
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

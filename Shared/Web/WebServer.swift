// SPDX-License-Identifier: Apache-2.0
// The HTTP server of a service.

import Domain
import HTTPTypes
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceKit
public import ServiceLifecycle

/// The HTTP server of a service: routes, `/health/live`, `/health/ready`, `/metrics`, access log, limits, trace context.
public struct WebServer<Dependencies: Sendable>: Service {
    /// Limits of one request besides the body's size.
    private enum Limits {
        static var target: Int { 8192 }
        static var headerField: Int { 16 * 1024 }
        static var headers: Int { 64 * 1024 }
        static var headerCount: Int { 200 }
        /// Of a connection without a request, and of a request's head.
        static var idle: TimeAmount { .seconds(30) }
        static var body: Duration { .seconds(20) }
    }

    private let host: String
    private let port: Int
    private let eventLoops: MultiThreadedEventLoopGroup
    private let responder: Responder<Dependencies>
    private let verifier: PrincipalVerifier
    private let bodyLimit: Int
    private let ready: @Sendable () async -> [String: Bool]
    private let started: @Sendable (Int) async -> Void
    private let metrics: Metrics
    private let traffic: TrafficLog
    private let logger: Logger

    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - eventLoops: threads that serve connections; nil for those that everything in the process shares.
    ///   - ready: the parts that the service depends on, and whether each works.
    ///   - started: told the port once connections are accepted.
    public init(
        host: String,
        port: Int,
        eventLoops: Int? = nil,
        responder: Responder<Dependencies>,
        verifier: PrincipalVerifier,
        bodyLimit: Int = 1 << 20,
        ready: @escaping @Sendable () async -> [String: Bool],
        started: @escaping @Sendable (Int) async -> Void = { _ in },
        metrics: Metrics,
        logger: Logger
    ) {
        self.host = host
        self.port = port
        self.eventLoops = eventLoops.map { MultiThreadedEventLoopGroup(numberOfThreads: $0) } ?? .singleton
        self.responder = responder
        self.verifier = verifier
        self.bodyLimit = bodyLimit
        self.ready = ready
        self.started = started
        self.metrics = metrics
        self.logger = logger
        traffic = TrafficLog(metrics: metrics, logger: logger)
    }

    public func run() async throws {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: Limits.headerField,
            maxHeaderListSize: Limits.headers,
            maxHeaderFieldCount: Limits.headerCount
        )
        let channel = HTTP1Channel(
            responder: { request, writer, _ in try await serve(request, writer) },
            configuration: .init(idleTimeout: Limits.idle, httpDecoderConfiguration: decoder)
        )
        // The server's own lines would repeat ours.
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        let server = Server(
            childChannelSetup: LoopChannel(inner: channel),
            configuration: .init(address: .hostname(host, port: port), backlog: 1024),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                logger.info("Listening", metadata: ["address": "\(host):\(port)"])
                await started(port)
            },
            eventLoopGroup: eventLoops,
            logger: quiet
        )
        do {
            try await server.run()
        } catch let error as IOError {
            throw CannotListen(address: "\(host):\(port)", cause: "\(error)")
        }
    }

    private func serve(_ incoming: HummingbirdCore.Request, _ writer: consuming ResponseWriter) async throws {
        let start = ContinuousClock.now
        let method = incoming.method
        let target = incoming.head.path ?? ""
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let path = String(target[..<mark])
        let query = mark < target.endIndex ? String(target[target.index(after: mark)...]) : ""
        switch path {
        case "/health/live": return try await send(Health.live, to: method, writer)
        case "/health/ready": return try await send(Health.ready(await ready()), to: method, writer)
        case "/metrics": return try await send(Health.metrics(metrics), to: method, writer)
        default: break
        }
        var request = Request(
            method: method,
            path: path,
            query: query,
            headers: incoming.headers,
            requestID: RequestIdentity.id(incoming.headers[.requestID]),
            language: Language(acceptLanguage: incoming.headers[.acceptLanguage])
        )
        let trace = TraceContext(traceparent: incoming.headers[.traceparent])?.child() ?? .random()
        var body = IncomingBody(incoming.body, limit: bodyLimit)
        if incoming.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        var (answer, route) = (Answer(), "none")
        do {
            guard target.utf8.count <= Limits.target else { throw Problem(.uriTooLong, "uri-too-long") }
            request.principal = try principal(request)
            if responder.takesUpload(method, path) {
                request.upload = UploadBody(
                    incoming.body,
                    length: incoming.headers[.contentLength].flatMap { Int($0) }
                        ?? (incoming.headers[.transferEncoding] == nil ? 0 : nil)
                )
            } else {
                request.body = try await body.collect(incoming.headers, within: Limits.body)
            }
            let whole = request
            (answer, route) = await TraceContext.$current.withValue(trace) {
                await LogContext.$requestID.withValue(whole.requestID) { await responder.answer(whole) }
            }
        } catch let problem as Problem {
            answer = responder.problemAnswer(problem, to: request)
        }
        if let upload = request.upload { body.leave(upload) }
        answer.headers[.requestID] = request.requestID
        if body.isUnread { answer.headers[.connection] = "close" }
        let status = answer.status.code
        try await send(answer, to: method, writer)
        traffic.note(request, route: route, status: status, took: ContinuousClock.now - start)
        if body.isUnread {
            await body.discard(within: .seconds(2))
            throw ConnectionUnusable()
        }
    }

    private func principal(_ request: Request) throws -> Principal? {
        guard let value = request.headers[PrincipalVerifier.header] else { return nil }
        guard let principal = verifier.principal(value) else { throw Problem.unauthorized }
        return principal
    }

    private func send(
        _ answer: Answer,
        to method: HTTPRequest.Method,
        _ writer: consuming ResponseWriter
    ) async throws {
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        if answer.status.code != 204, answer.status.code != 304, answer.status.code >= 200 {
            head.headerFields[.contentLength] = String(answer.file?.count ?? answer.body.count)
        }
        // Whoever keeps connections looks for another process, before this one closes them with a request on its way.
        if Drain.current?.isDraining == true { head.headerFields[.connection] = "close" }
        if method != .head, let file = answer.file {
            let body = ResponseBody(contentLength: file.count) { writer in
                var sender = writer
                try await file.write { try await sender.write($0) }
                try await sender.finish(nil)
            }
            return try await writer.write(response: head, body: body)
        }
        guard method != .head, !answer.body.isEmpty else { return try await writer.writeResponse(head) }
        try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

/// The address is in use or is not ours.
private struct CannotListen: Error, CustomStringConvertible {
    let address: String
    let cause: String
    var description: String { "cannot listen on \(address): \(cause)" }
}

/// Ends a connection on which the rest of a body is still to come.
private struct ConnectionUnusable: Error {}

/// A body that is read up to a limit.
private struct IncomingBody {
    private let body: RequestBody
    private let limit: Int
    /// Whether there is more that nobody has read.
    private(set) var isUnread = false
    /// Whether it may still be read from its start; a body can be read once only.
    private var isUntouched = false

    private static var discarded: Int { 8 << 20 }

    init(_ body: RequestBody, limit: Int) {
        self.body = body
        self.limit = limit
    }

    /// The whole body; throws a problem when it is too large or does not come in time.
    mutating func collect(_ headers: HTTPFields, within time: Duration) async throws -> [UInt8] {
        let length = headers[.contentLength].flatMap { Int($0) }
        guard length ?? 0 > 0 || headers[.transferEncoding] != nil else { return [] }
        guard length ?? 0 <= limit else {
            (isUnread, isUntouched) = (true, true)
            throw Problem.contentTooLarge
        }
        let (body, limit) = (body, limit)
        do {
            let whole: [UInt8]? = try await withDeadline(time) {
                var bytes: [UInt8] = []
                if let length { bytes.reserveCapacity(length) }
                var excess = 0
                for try await buffer in body {
                    if excess == 0, bytes.count + buffer.readableBytes <= limit {
                        bytes.append(contentsOf: buffer.readableBytesView)
                        continue
                    }
                    // A sender that is cut off in the middle would not read the answer.
                    excess += buffer.readableBytes
                    if excess > IncomingBody.discarded { break }
                }
                return excess == 0 ? bytes : nil
            }
            guard let whole else { throw Problem.contentTooLarge }
            return whole
        } catch let problem as Problem {
            isUnread = true
            throw problem
        } catch is DeadlineExceeded {
            isUnread = true
            throw Problem.requestTimeout
        }
    }

    /// A command had the body: whether anything of it was left.
    mutating func leave(_ upload: UploadBody) {
        isUnread = upload.stage != .whole && upload.length != 0
        isUntouched = upload.stage == .untouched
    }

    /// Reads what was announced as too large for a while without keeping it, so that its sender reads the answer.
    func discard(within time: Duration) async {
        guard isUntouched else { return }
        let body = body
        try? await withDeadline(time) {
            var count = 0
            for try await buffer in body {
                count += buffer.readableBytes
                if count > IncomingBody.discarded { return }
            }
        }
    }
}

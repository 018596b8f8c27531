// SPDX-License-Identifier: Apache-2.0
// A client that sends bytes as they are written in a test, and waits for what comes back.

import NIOCore
import NIOPosix
import Synchronization

final class RawClient: Sendable {
    struct NeverCame: Error, CustomStringConvertible {
        let description: String
    }

    private let channel: any Channel
    private let inbox: Inbox

    private final class Inbox: Sendable {
        struct Waiting: Sendable {
            let accepts: @Sendable ([UInt8], Bool) -> Bool
            let promise: EventLoopPromise<[UInt8]>
        }

        let state = Mutex<(bytes: [UInt8], isClosed: Bool, waiting: [Waiting])>(([], false, []))

        func take(_ bytes: [UInt8], closed: Bool) {
            let ready = state.withLock { state -> [(EventLoopPromise<[UInt8]>, [UInt8])] in
                state.bytes += bytes
                if closed { state.isClosed = true }
                let all = state.bytes
                let isClosed = state.isClosed
                let ready = state.waiting.filter { $0.accepts(all, isClosed) }
                state.waiting.removeAll { $0.accepts(all, isClosed) }
                return ready.map { ($0.promise, all) }
            }
            for (promise, bytes) in ready { promise.succeed(bytes) }
        }
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let inbox: Inbox
        init(_ inbox: Inbox) { self.inbox = inbox }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            inbox.take(Array(unwrapInboundIn(data).readableBytesView), closed: false)
        }
        func channelInactive(context: ChannelHandlerContext) { inbox.take([], closed: true) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Against hanging only.
    private static let patience = TimeAmount.minutes(5)

    init(port: Int, reads: Bool = true) async throws {
        let inbox = Inbox()
        self.inbox = inbox
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(RawClient.patience)
            .channelOption(.autoRead, value: reads)
            .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1 << 18 : 4096)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(inbox))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }
    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    func close() async { try? await channel.close() }

    var text: String { inbox.state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    var isClosed: Bool { inbox.state.withLock { $0.isClosed } }

    var bytesSoFar: [UInt8] { inbox.state.withLock { $0.bytes } }

    /// Waits until what has come, and whether the connection is closed, is accepted.
    func bytes(
        _ what: String = "the bytes",
        until accepts: @escaping @Sendable ([UInt8], Bool) -> Bool
    ) async throws -> [UInt8] {
        let promise = channel.eventLoop.makePromise(of: [UInt8].self)
        let inbox = inbox
        let deadline = channel.eventLoop.scheduleTask(in: RawClient.patience) {
            let text = inbox.state.withLock { String(decoding: $0.bytes.prefix(2000), as: UTF8.self) }
            promise.fail(NeverCame(description: "\(what) never came; this did: \(text)"))
        }
        let ready = inbox.state.withLock { state -> [UInt8]? in
            if accepts(state.bytes, state.isClosed) { return state.bytes }
            state.waiting.append(.init(accepts: accepts, promise: promise))
            return nil
        }
        if let ready { promise.succeed(ready) }
        defer { deadline.cancel() }
        return try await promise.futureResult.get()
    }

    /// Everything that came so far, once `part` is in it so many times.
    func text(containing part: String, times: Int = 1) async throws -> String {
        let wanted = Array(part.utf8)
        return String(
            decoding: try await bytes("\"\(part)\"") { bytes, _ in bytes.ranges(of: wanted).count >= times },
            as: UTF8.self
        )
    }

    /// Everything until the other side closes.
    func untilClosed() async throws -> String {
        String(decoding: try await bytes("the end") { _, isClosed in isClosed }, as: UTF8.self)
    }

    /// Sends one request and waits for its whole answer, by its length.
    func ask(_ request: String) async throws -> String {
        let before = inbox.state.withLock { $0.bytes.count }
        try await send(request.replacing("\n", with: "\r\n"))
        let all = try await bytes("an answer") { bytes, isClosed in
            let answer = Array(bytes.dropFirst(before))
            return isClosed || RawClient.isWhole(answer)
        }
        return String(decoding: all.dropFirst(before), as: UTF8.self)
    }

    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let body = bytes.count - end.upperBound
        if head.hasPrefix("http/1.1 204") || head.hasPrefix("http/1.1 304") { return true }
        if head.contains("transfer-encoding: chunked") { return bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) }
        for line in head.split(separator: "\r\n") where line.hasPrefix("content-length: ") {
            return body >= Int(line.dropFirst(16)) ?? 0
        }
        return false
    }
}

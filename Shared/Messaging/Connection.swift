// SPDX-License-Identifier: Apache-2.0
// One connection to the broker, used by one at a time.

import CRabbitMQ
import Glibc

/// Why a connection could not be opened or was lost.
struct ConnectionFailure: Error, CustomStringConvertible {
    let description: String
    /// What the broker said when it was the broker that ended it.
    let refusal: Refusal?

    init(_ description: String, refusal: Refusal? = nil) {
        self.description = description
        self.refusal = refusal
    }
}

/// Why the broker closed a channel or a connection.
struct Refusal: CustomStringConvertible {
    let code: Int
    let text: String
    /// Whether `basic.publish` made it do so.
    let isOfPublish: Bool

    /// Whether what was asked for is not there: 404, `not-found` of AMQP 0-9-1.
    var isOfSomethingMissing: Bool { code == Int(AMQP_NOT_FOUND) }

    var description: String { "\(code) \(text)" }
}

/// A connection with one channel. Whoever uses it, one at a time, has all of it; only a `Pause` is waited for by itself.
///
/// librabbitmq opens it, makes the calls that wait for an answer, and reads. Frames that need no answer are written
/// here: a write of its own for many of them, and none that blocks, so that a broker which takes nothing for a while
/// (`connection.blocked`) is still listened to. For the same reason heartbeats are sent and watched here.
final class Connection {
    let channel: amqp_channel_t = 1
    private let state: amqp_connection_state_t
    private let descriptor: Int32
    /// Seconds of silence after which the broker is taken for dead; 0 for never.
    private let patience: Double
    var encoder: FrameEncoder
    private var written = 0
    private var lastWrite = monotonicSeconds()
    private var lastRead = monotonicSeconds()
    private var assembly = ContentAssembly()

    private init(state: amqp_connection_state_t, heartbeat: Int) {
        self.state = state
        descriptor = amqp_get_sockfd(state)
        patience = Double(heartbeat) * 2
        encoder = FrameEncoder(channel: 1, frameMax: Int(amqp_get_frame_max(state)))
    }

    deinit { amqp_destroy_connection(state) }

    /// Connects, signs in and opens the channel, in at most a few seconds.
    static func open(_ configuration: BrokerConfiguration) throws -> Connection {
        guard let state = amqp_new_connection() else { throw ConnectionFailure("out of memory") }
        do {
            guard let socket = amqp_tcp_socket_new(state) else { throw ConnectionFailure("out of memory") }
            var patience = timeval(tv_sec: 3, tv_usec: 0)
            let status = amqp_socket_open_noblock(socket, configuration.host, Int32(configuration.port), &patience)
            try check(status, "connect")
            amqp_set_handshake_timeout(state, &patience)
            var answer = timeval(tv_sec: 5, tv_usec: 0)
            amqp_set_rpc_timeout(state, &answer)
            try check(
                madang_amqp_login(
                    state,
                    configuration.virtualHost,
                    Int32(clamping: configuration.heartbeat),
                    configuration.user,
                    configuration.password,
                    configuration.connectionName
                ),
                "sign in"
            )
            let heartbeat = Int(amqp_get_heartbeat(state))
            try check(
                amqp_tune_connection(state, amqp_get_channel_max(state), amqp_get_frame_max(state), 0),
                "tune"
            )
            amqp_channel_open(state, 1)
            try check(amqp_get_rpc_reply(state), "open a channel")
            return Connection(state: state, heartbeat: heartbeat)
        } catch {
            amqp_destroy_connection(state)
            throw error
        }
    }

    /// Says goodbye and waits a moment for the answer; the descriptor is closed when the object goes.
    func close() {
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        amqp_set_rpc_timeout(state, &patience)
        guard (try? flush(within: 1)) != nil else { return }
        _ = amqp_connection_close(state, AMQP_REPLY_SUCCESS)
    }

    // MARK: Calls that wait for an answer

    /// Makes a call that waits for the broker's answer; what arrives meanwhile is kept for `receive`.
    func call(_ what: String, _ body: (amqp_connection_state_t, amqp_channel_t) -> Void) throws {
        try flush(within: 5)
        body(state, channel)
        try check(amqp_get_rpc_reply(state), what)
        lastWrite = monotonicSeconds()
        lastRead = lastWrite
    }

    /// The messages ready in a queue, asked for on a channel of its own because asking for an unknown one closes it.
    func readyMessages(in queue: String) throws -> Int? {
        try flush(within: 5)
        let channel: amqp_channel_t = 2
        amqp_channel_open(state, channel)
        try check(amqp_get_rpc_reply(state), "open a channel")
        let ready: UInt32? = withBytes(queue) { name in
            amqp_queue_declare(state, channel, name, 1, 0, 0, 0, amqp_empty_table)?.pointee.message_count
        }
        if ready == nil {
            let reply = amqp_get_rpc_reply(state)
            guard reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD else {
                try check(reply, "count")
                return nil
            }
            var answer = amqp_channel_close_ok_t()
            amqp_send_method(state, channel, AMQP_CHANNEL_CLOSE_OK_METHOD, &answer)
        } else {
            try check(amqp_channel_close(state, channel, AMQP_REPLY_SUCCESS), "close a channel")
        }
        lastRead = monotonicSeconds()
        return ready.map { Int($0) }
    }

    // MARK: Writing and waiting

    var hasUnwritten: Bool { !encoder.isEmpty }
    /// Whether so much is unwritten that it is no use to add more.
    var isCongested: Bool { encoder.bytes.count - written > 1 << 20 }

    /// Writes as much as the broker takes now.
    func write() throws {
        while written < encoder.bytes.count {
            let count = encoder.bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { base in
                    madang_send(descriptor, base + written, bytes.count - written)
                } ?? 0
            }
            if count > 0 {
                written += count
                lastWrite = monotonicSeconds()
            } else if errno == EINTR {
                continue
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                return
            } else {
                throw ConnectionFailure("write: \(String(cString: strerror(errno)))")
            }
        }
        encoder.removeAll()
        written = 0
    }

    /// Writes everything, because librabbitmq is to write next.
    private func flush(within seconds: Double) throws {
        let deadline = monotonicSeconds() + seconds
        try write()
        while hasUnwritten {
            guard monotonicSeconds() < deadline else { throw ConnectionFailure("the broker takes nothing") }
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, 100)
            try write()
        }
    }

    /// What a thread that uses the connection waits for.
    struct Pause {
        fileprivate let descriptor: Int32
        fileprivate let events: Int16
        fileprivate let seconds: Double
        /// Whether there is something to read already.
        fileprivate let isOver: Bool

        /// Waits until there is something to read, room to write or a ring, or until time is up; needs nothing of the connection.
        ///
        /// - Returns: whether there is something to read.
        func wait(_ doorbell: Doorbell) -> Bool {
            if isOver { return true }
            var entries = [
                pollfd(fd: descriptor, events: events, revents: 0),
                pollfd(fd: doorbell.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, Int32(max(0, seconds * 1000))) > 0 else { return false }
            if entries[1].revents != 0 { doorbell.silence() }
            return entries[0].revents & ~Int16(POLLOUT) != 0
        }
    }

    /// Keeps the connection alive and says what to wait for, at most `seconds`.
    func pause(seconds: Double) throws -> Pause {
        let now = monotonicSeconds()
        var timeout = seconds
        if patience > 0 {
            // What came while this thread was held up counts as heard: it is only not read yet.
            guard now - lastRead < patience || isReadable else {
                throw ConnectionFailure("no heartbeat from the broker")
            }
            if now - lastWrite > patience / 5, !hasUnwritten {
                encoder.heartbeat()
                try write()
            }
            timeout = min(timeout, patience / 8)
        }
        return Pause(
            descriptor: descriptor,
            events: Int16(POLLIN) | (hasUnwritten ? Int16(POLLOUT) : 0),
            seconds: timeout,
            isOver: amqp_frames_enqueued(state) != 0 || amqp_data_in_buffer(state) != 0
        )
    }

    /// Waits until there is something to read, room to write or a ring, at most `seconds`, and keeps the connection alive.
    ///
    /// - Returns: whether there is something to read.
    func wait(doorbell: Doorbell, seconds: Double) throws -> Bool { try pause(seconds: seconds).wait(doorbell) }

    private var isReadable: Bool {
        if amqp_frames_enqueued(state) != 0 || amqp_data_in_buffer(state) != 0 { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    // MARK: Reading

    /// Takes every frame that has arrived, without waiting.
    func receive(_ take: (Incoming) throws -> Void) throws {
        lastRead = monotonicSeconds()
        defer { amqp_maybe_release_buffers(state) }
        var count = 0
        while true {
            var frame = amqp_frame_t()
            var now = timeval(tv_sec: 0, tv_usec: 0)
            let status = amqp_simple_wait_frame_noblock(state, &frame, &now)
            if status == AMQP_STATUS_TIMEOUT.rawValue { return }
            try check(status, "read")
            lastRead = monotonicSeconds()
            if let incoming = try assembly.take(frame) {
                if case .closing(let refusal) = incoming {
                    encoder.closeOK()
                    try? write()
                    throw ConnectionFailure("closed by the broker: \(refusal)", refusal: refusal)
                }
                try take(incoming)
            }
            count += 1
            if count % 64 == 0 { amqp_maybe_release_buffers(state) }
        }
    }
}

/// A text as the library takes it, for the duration of a call.
func withBytes<Value>(_ text: String, _ body: (amqp_bytes_t) -> Value) -> Value {
    var text = text
    return text.withUTF8 { bytes in
        body(amqp_bytes_t(len: bytes.count, bytes: UnsafeMutableRawPointer(mutating: bytes.baseAddress)))
    }
}

private func check(_ status: Int32, _ what: String) throws {
    guard status == AMQP_STATUS_OK.rawValue else {
        throw ConnectionFailure("\(what): \(String(cString: amqp_error_string2(status)))")
    }
}

@discardableResult
private func check(_ reply: amqp_rpc_reply_t, _ what: String) throws -> amqp_rpc_reply_t {
    switch reply.reply_type {
    case AMQP_RESPONSE_NORMAL: return reply
    case AMQP_RESPONSE_NONE: throw ConnectionFailure("\(what): the connection was closed")
    case AMQP_RESPONSE_LIBRARY_EXCEPTION:
        throw ConnectionFailure("\(what): \(String(cString: amqp_error_string2(reply.library_error)))")
    default:
        let refusal = refusal(reply.reply)
        let reason = refusal.map { "\($0)" } ?? "method \(String(reply.reply.id, radix: 16))"
        throw ConnectionFailure("\(what): \(reason)", refusal: refusal)
    }
}

/// Why the broker closes a channel or connection; nil for any other method.
func refusal(_ method: amqp_method_t) -> Refusal? {
    guard let decoded = method.decoded else { return nil }
    func refusal(_ code: UInt16, _ reason: amqp_bytes_t, _ type: UInt16, _ method: UInt16) -> Refusal {
        let isOfPublish = UInt32(type) << 16 | UInt32(method) == AMQP_BASIC_PUBLISH_METHOD
        return Refusal(code: Int(code), text: text(reason), isOfPublish: isOfPublish)
    }
    switch method.id {
    case AMQP_CHANNEL_CLOSE_METHOD:
        let close = decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee
        return refusal(close.reply_code, close.reply_text, close.class_id, close.method_id)
    case AMQP_CONNECTION_CLOSE_METHOD:
        let close = decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee
        return refusal(close.reply_code, close.reply_text, close.class_id, close.method_id)
    default: return nil
    }
}

/// Copies a text out of the library's memory; what is no UTF-8 is repaired.
func text(_ bytes: amqp_bytes_t) -> String {
    String(
        decoding: UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.bytes == nil ? 0 : bytes.len),
        as: UTF8.self
    )
}

// SPDX-License-Identifier: Apache-2.0
// The thread on which all exchanges of a client are.

internal import CCurl
internal import Glibc
internal import Synchronization
internal import Threads

final class OutboundLoop: Sendable {
    private struct State {
        var arrived: [Exchange] = []
        var isRunning = false
        var isStopped = false
    }

    private let state = Mutex(State())
    /// Freed with the last who may wake it.
    nonisolated(unsafe) private let multi: UnsafeMutableRawPointer?
    private let names: [String]
    private let connections: OutboundConnections

    init(names: [String], connections: OutboundConnections) {
        multi = curl_multi_init()
        self.names = names
        self.connections = connections
        connections.set(on: multi)
    }

    deinit { curl_multi_cleanup(multi) }

    // MARK: From any thread

    func start(_ exchange: Exchange) {
        let isNew = state.withLock { state in
            state.arrived.append(exchange)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isNew { startThread() } else { wake() }
    }

    /// Has the thread look who was cancelled.
    func wake() { curl_multi_wakeup(multi) }

    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    private func startThread() {
        let failure = tryStartThread(named: "outbound") { self.run() }
        guard failure != 0 else { return }
        let arrived = state.withLock { state in
            defer { state = State() }
            return state.arrived
        }
        for exchange in arrived { exchange.fail(OutboundFailure.failed(UInt32(bitPattern: failure))) }
    }

    // MARK: On the thread

    private func run() {
        var waiting: [Exchange] = []
        var active: [UnsafeMutableRawPointer: Exchange] = [:]
        while true {
            let (arrived, isStopped) = state.withLock { state in
                defer { state.arrived = [] }
                return (state.arrived, state.isStopped)
            }
            waiting += arrived
            for exchange in active.values where exchange.isCancelled || isStopped {
                remove(exchange, from: &active)
                exchange.fail(CancellationError())
            }
            for exchange in waiting where exchange.isCancelled || isStopped { exchange.fail(CancellationError()) }
            waiting.removeAll { $0.isCancelled || isStopped }
            if isStopped { return }
            let room = max(0, connections.most - active.count)
            for exchange in waiting.prefix(room) { begin(exchange, in: &active) }
            waiting.removeFirst(min(room, waiting.count))
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            // The next of those that wait begins at once.
            if finishEnded(&active), !waiting.isEmpty { continue }
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    private func begin(_ exchange: Exchange, in active: inout [UnsafeMutableRawPointer: Exchange]) {
        do {
            let handle = try exchange.prepare(names: names, connections: connections)
            let code = curl_multi_add_handle(multi, handle)
            guard code == CURLM_OK else { throw OutboundFailure.failed(CURLE_FAILED_INIT.rawValue) }
            active[handle] = exchange
        } catch {
            exchange.fail(error)
        }
    }

    private func remove(_ exchange: Exchange, from active: inout [UnsafeMutableRawPointer: Exchange]) {
        guard let handle = exchange.handle else { return }
        curl_multi_remove_handle(multi, handle)
        active[handle] = nil
    }

    /// Whether any ended.
    private func finishEnded(_ active: inout [UnsafeMutableRawPointer: Exchange]) -> Bool {
        var left: Int32 = 0
        var hasEnded = false
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let exchange = active[handle]
            else { continue }
            // The message is gone with its handle.
            let code = madang_curl_result(message)
            remove(exchange, from: &active)
            exchange.finish(code)
            hasEnded = true
        }
        return hasEnded
    }
}

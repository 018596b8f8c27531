// SPDX-License-Identifier: Apache-2.0
// The one way to ask anybody outside.

internal import CCurl
internal import Glibc
internal import Synchronization

/// Asks by HTTP/1.1 over TCP and TLS, from one thread a process, whatever is asked at a time.
///
/// Nothing is remembered between two requests: no cookies, no connections, no `Alt-Svc`, no HSTS. The environment, `.netrc` and
/// proxies count for nothing.
package final class OutboundClient: Sendable {
    private let loop: OutboundLoop

    package convenience init() { self.init(names: []) }

    /// - Parameter names: what names are, instead of what a name server says (`name:port:address,address`): for tests.
    init(names: [String]) {
        _ = Self.isReady
        loop = OutboundLoop(names: names)
    }

    deinit { loop.stop() }

    /// Throws `OutboundFailure`, or `CancellationError` when the task is cancelled. Any status is an answer.
    package func send(_ request: OutboundRequest) async throws -> OutboundAnswer {
        let call = OutboundCall()
        defer { withExtendedLifetime(self) {} }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { loop.start(Exchange(call, request, $0)) }
        } onCancel: {
            call.cancel()
            loop.wake()
        }
    }

    /// libcurl wants this before its first handle, once, and no thread beside it.
    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}

/// Whether somebody still waits.
final class OutboundCall: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}

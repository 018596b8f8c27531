// SPDX-License-Identifier: Apache-2.0
// The one way to ask anybody outside.

internal import CCurl
internal import Glibc
internal import Synchronization

/// Asks over TCP and TLS, from one thread a client, whatever is asked at a time: by HTTP/1.1 with a connection for each request, or
/// by HTTP/2 with connections that are kept.
///
/// Nothing is remembered between two requests: no cookies, no `Alt-Svc`, no HSTS. The environment, `.netrc` and proxies count for
/// nothing.
public final class OutboundClient: Sendable {
    private let loop: OutboundLoop

    public convenience init() { self.init(names: []) }

    /// - Parameters:
    ///   - keepsConnections: whether requests share connections and are streams of HTTP/2 where a server speaks it. Only those
    ///     with the guard of one host (`Guard.operators`) are taken then; others are bad requests.
    ///   - certificates: a file of certificates (PEM) that are believed instead of those in the system's file.
    public convenience init(keepsConnections: Bool, certificates: String? = nil) {
        self.init(names: [], OutboundConnections(kind: keepsConnections ? .kept : .single, certificates: certificates))
    }

    /// By HTTP/1.1, with connections that are kept for the next request. Only requests with the guard of one host
    /// (`Guard.operators`) are taken; others are bad requests.
    public static func reusingConnections() -> OutboundClient {
        OutboundClient(names: [], OutboundConnections(kind: .reused, certificates: nil))
    }

    /// - Parameter names: what names are, instead of what a name server says (`name:port:address,address`): for tests.
    init(names: [String], _ connections: OutboundConnections = OutboundConnections(kind: .single, certificates: nil)) {
        _ = Self.isReady
        loop = OutboundLoop(names: names, connections: connections)
    }

    deinit { loop.stop() }

    /// Throws `OutboundFailure`, or `CancellationError` when the task is cancelled. Any status is an answer.
    public func send(_ request: OutboundRequest) async throws -> OutboundAnswer {
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
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}

/// Whether somebody still waits.
final class OutboundCall: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}

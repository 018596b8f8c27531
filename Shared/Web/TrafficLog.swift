// SPDX-License-Identifier: Apache-2.0
// The access log and the measurements of requests.

import Domain
import HTTPTypes
import Logging
import ServiceKit
import Synchronization

/// Notes each request once: a line in the log, a count, a duration. Never a query, a body or a token.
final class TrafficLog: Sendable {
    private struct Key: Hashable {
        let method: HTTPRequest.Method
        let route: String
        let status: Int
    }

    private struct Series {
        let count: Counter
        let seconds: Histogram
    }

    private let metrics: Metrics
    private let logger: Logger
    private let series = Mutex<[Key: Series]>([:])
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    init(metrics: Metrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    func note(_ request: Request, route: String, status: Int, took duration: Duration) {
        let method = TrafficLog.methods.contains(request.method) ? request.method : .trace
        let series = series(Key(method: method, route: route, status: status))
        series.count.add()
        series.seconds.observe(duration)
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        logger.line(.info, "Request") { line in
            line.member("account_id", request.principal?.account?.id.description ?? "-")
            line.member("method", method.rawValue)
            line.member("microseconds", microseconds)
            line.member("request_id", request.requestID)
            line.member("route", route)
            line.member("status", Int64(status))
        }
    }

    private func series(_ key: Key) -> Series {
        if let known = series.withLock({ $0[key] }) { return known }
        let method = key.method == .trace ? "other" : key.method.rawValue
        let made = Series(
            count: metrics.counter(
                "madang_http_requests_total",
                help: "Requests answered.",
                labels: [("method", method), ("route", key.route), ("status", String(key.status))]
            ),
            seconds: metrics.histogram(
                "madang_http_request_seconds",
                help: "Time from a request's head to its answer.",
                labels: [("method", method), ("route", key.route)]
            )
        )
        series.withLock { $0[key] = made }
        return made
    }
}

/// The id by which a request is found in every process's log.
public enum RequestIdentity {
    /// The given one when it is well-formed, else a new one.
    public static func id(_ given: String?) -> String {
        guard let given, (8...64).contains(given.utf8.count), given.utf8.allSatisfy(isAllowed) else { return random() }
        return given
    }

    /// 32 hexadecimal digits.
    public static func random() -> String { TraceContext.random().traceID }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Whether exchanges have connections of their own, or share them.

internal import CCurl
internal import Glibc

struct OutboundConnections: Sendable {
    enum Kind: Sendable {
        /// Each exchange has one of its own, by HTTP/1.1: what one guard let open is not another's.
        case single
        /// Kept and shared by streams of HTTP/2, for peers that an operator named: their guard is the same for every exchange.
        case kept
        /// Kept, by HTTP/1.1 with one exchange at a time on each, for peers that an operator named and whose answers are large.
        case reused
    }

    let kind: Kind
    /// A file of certificates (PEM) that are believed instead of those in the system's file.
    let certificates: String?

    /// Exchanges under way at a time; what is more waits, and its time does not run yet.
    var most: Int {
        switch kind {
        case .single, .reused: 64
        case .kept: 256
        }
    }

    /// Whether a request with this guard may go by them.
    func admit(_ `guard`: Guard) -> Bool {
        switch kind {
        case .single: true
        case .kept, .reused: `guard`.isOfOneHost
        }
    }

    /// Of an exchange.
    var options: [(CURLoption, Int)] {
        switch kind {
        case .single:
            [
                (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
                (CURLOPT_FRESH_CONNECT, 1),
                (CURLOPT_FORBID_REUSE, 1),
            ]
        case .reused:
            [
                (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
                // Seconds: where a name leads is asked again at times.
                (CURLOPT_MAXLIFETIME_CONN, 900),
            ]
        case .kept:
            [
                // By TLS alone; without it, HTTP/1.1.
                (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS),
                // A connection that is being made is waited for, instead of one more made beside it.
                (CURLOPT_PIPEWAIT, 1),
                // Seconds: where a name leads is asked again at times, and a server that hangs is left.
                (CURLOPT_MAXLIFETIME_CONN, 900),
            ]
        }
    }

    /// Has the system end a kept connection whose other side is silently gone: else each stream on it would wait for its own time,
    /// for as long as TCP tries (tcp(7), a quarter of an hour).
    func watch(_ descriptor: Int32) {
        guard kind != .single, descriptor >= 0 else { return }
        let milliseconds: Int32 = 10_000
        let options: [(Int32, Int32, Int32)] = [
            (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, milliseconds), (SOL_SOCKET, SO_KEEPALIVE, 1),
            // Seconds.
            (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 20), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
        ]
        for (level, name, value) in options {
            var value = value
            setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Of all exchanges together.
    func set(on multi: UnsafeMutableRawPointer?) {
        switch kind {
        case .single, .reused: madang_curl_multi_number(multi, CURLMOPT_PIPELINING, 0)
        case .kept:
            // 2 is CURLPIPE_MULTIPLEX.
            madang_curl_multi_number(multi, CURLMOPT_PIPELINING, 2)
            madang_curl_multi_number(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, most)
            // A server that takes one stream at first gets some more connections, not one for each request.
            madang_curl_multi_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 4)
        }
    }
}

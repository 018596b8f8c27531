// SPDX-License-Identifier: Apache-2.0
// One request and its answer, as libcurl's handle has it.

internal import CCurl
internal import Glibc

/// Made by whoever asks, and from then on touched by the thread of its client alone.
final class Exchange: @unchecked Sendable {
    /// Of all headers of all hops.
    private static let longestHead = 256 << 10

    private let call: OutboundCall
    private let request: OutboundRequest
    private var continuation: CheckedContinuation<OutboundAnswer, any Error>?
    private(set) var handle: UnsafeMutableRawPointer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var nameList: UnsafeMutablePointer<curl_slist>?
    private var headers: [(name: String, value: String)] = []
    private var headBytes = 0
    private var body: [UInt8] = []
    private var isCut = false
    private var refused: NetworkAddress?
    private var connections: OutboundConnections?

    var isCancelled: Bool { call.isCancelled }

    init(
        _ call: OutboundCall,
        _ request: OutboundRequest,
        _ continuation: CheckedContinuation<OutboundAnswer, any Error>
    ) {
        self.call = call
        self.request = request
        self.continuation = continuation
    }

    deinit { end() }

    // MARK: Its beginning

    /// Makes the handle. Throws where the request cannot be made.
    ///
    /// - Parameters:
    ///   - names: addresses of names, as `CURLOPT_RESOLVE` has them.
    ///   - connections: whose connection it may use, and whether it leaves its own to others.
    func prepare(names: [String], connections: OutboundConnections) throws -> UnsafeMutableRawPointer {
        guard let handle = curl_easy_init() else { throw OutboundFailure.failed(CURLE_FAILED_INIT.rawValue) }
        self.handle = handle
        self.connections = connections
        guard let (host, port) = OutboundURL.endpoint(of: request.url), request.guard.admits(host: host, port: port),
            connections.admit(request.guard)
        else {
            throw OutboundFailure.badRequest
        }
        let milliseconds = request.limits.time.components
        let time = milliseconds.seconds * 1000 + milliseconds.attoseconds / 1_000_000_000_000_000
        let follows = request.guard.followsRedirects && request.limits.redirects > 0
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1),
            // A name server that is silent holds up nobody else's end.
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_TIMEOUT_MS, max(1, Int(time))),
            (CURLOPT_CONNECTTIMEOUT_MS, max(1, min(5000, Int(time)))),
            (CURLOPT_FOLLOWLOCATION, follows ? 1 : 0),
            (CURLOPT_MAXREDIRS, max(0, request.limits.redirects)),
            (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            (CURLOPT_NETRC, 0),
            (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_NOPROGRESS, 0),
        ]
        for (option, value) in numbers + connections.options { try check(madang_curl_number(handle, option, value)) }
        let texts = [
            (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, "http,https"),
            (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
            // Whatever the environment says.
            (CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"),
            (CURLOPT_ACCEPT_ENCODING, "gzip, deflate"),
        ]
        for (option, value) in texts { try check(madang_curl_text(handle, option, value)) }
        if let file = connections.certificates { try check(madang_curl_text(handle, CURLOPT_CAINFO, file)) }
        try setMethod(handle)
        try setHeaders(handle)
        for name in names { nameList = curl_slist_append(nameList, name) }
        if nameList != nil { try check(madang_curl_list(handle, CURLOPT_RESOLVE, nameList)) }
        try setCallbacks(handle)
        return handle
    }

    private func setMethod(_ handle: UnsafeMutableRawPointer) throws {
        if !request.body.isEmpty || request.method == .post || request.method == .put {
            try request.body.withUnsafeBytes { try check(madang_curl_body(handle, $0.baseAddress, $0.count)) }
        }
        if request.method == .head { try check(madang_curl_number(handle, CURLOPT_NOBODY, 1)) }
        // Set for the others only: it would be kept over a redirect that makes a GET of a POST.
        if request.method == .put || request.method == .delete {
            try check(madang_curl_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
        }
    }

    private func setHeaders(_ handle: UnsafeMutableRawPointer) throws {
        for (name, value) in request.headers + [("Expect", "")] {
            guard !name.isEmpty,
                !(name + value).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
                !name.contains(":"), !name.contains(";")
            else { throw OutboundFailure.badRequest }
            headerList = curl_slist_append(headerList, "\(name): \(value)")
        }
        try check(madang_curl_list(handle, CURLOPT_HTTPHEADER, headerList))
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) throws {
        try check(
            madang_curl_callbacks(
                handle,
                Unmanaged.passUnretained(self).toOpaque(),
                { context, _, address in
                    guard let exchange = Exchange.of(context), let address else { return CURL_SOCKET_BAD }
                    return exchange.openSocket(address.pointee, madang_curl_address(address))
                },
                { bytes, size, count, context in
                    guard let exchange = Exchange.of(context), let bytes else { return 0 }
                    return exchange.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
                        ? count * size : 0
                },
                { bytes, size, count, context in
                    guard let exchange = Exchange.of(context), let bytes else { return 0 }
                    return exchange.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                        ? count * size : 0
                },
                { context, _, got, _, _ in Exchange.of(context)?.goesOn(afterReading: Int(got)) == true ? 0 : 1 }
            )
        )
    }

    private func check(_ code: CURLcode) throws {
        guard code == CURLE_OK else { throw OutboundFailure.failed(code.rawValue) }
    }

    // MARK: Its way

    static func of(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func openSocket(_ wanted: curl_sockaddr, _ address: UnsafeRawPointer?) -> curl_socket_t {
        guard let address,
            let (there, port) = NetworkAddress.of(socketAddress: address, count: Int(wanted.addrlen))
        else { return CURL_SOCKET_BAD }
        guard request.guard.admits(there, port: port) else {
            refused = there
            return CURL_SOCKET_BAD
        }
        let descriptor = socket(wanted.family, wanted.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.protocol)
        connections?.watch(descriptor)
        return descriptor
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.longestHead else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let end = value.lastIndex { !$0.isWhitespace }.map { value.index(after: $0) } ?? value.startIndex
            headers.append((text[..<colon].lowercased(), String(value[..<end])))
        }
        return true
    }

    /// False ends the exchange.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = request.limits.bytes - body.count
        body.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { isCut = true }
        return !isCut
    }

    /// The body of a redirect comes to nobody, but it comes.
    private func goesOn(afterReading count: Int) -> Bool {
        if count > request.limits.bytes { isCut = true }
        return !isCut
    }

    // MARK: Its end

    func finish(_ code: CURLcode) {
        guard let handle, code == CURLE_OK || isCut else { return fail(failure(of: code)) }
        var status = 0
        madang_curl_status(handle, &status)
        let url = madang_curl_final_url(handle).map { String(cString: $0) } ?? request.url
        end()
        continuation?.resume(
            returning: OutboundAnswer(status: status, url: url, headers: headers, body: body, isCut: isCut)
        )
        continuation = nil
    }

    func fail(_ error: any Error) {
        end()
        continuation?.resume(throwing: error)
        continuation = nil
    }

    private func failure(of code: CURLcode) -> OutboundFailure {
        if let refused { return .refused(address: refused.description) }
        return switch code {
        case CURLE_OPERATION_TIMEDOUT: .late
        case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .badRequest
        default: .failed(code.rawValue)
        }
    }

    private func end() {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
        curl_slist_free_all(headerList)
        curl_slist_free_all(nameList)
        (headerList, nameList) = (nil, nil)
    }
}

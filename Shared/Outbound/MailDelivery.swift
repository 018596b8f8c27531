// SPDX-License-Identifier: Apache-2.0
// Handing one letter to its server, as libcurl's handle has it.

internal import CCurl
internal import Glibc
internal import Threads

extension MailServer {
    /// Hands over a letter on a connection and a thread of its own. A cancelled task gives up at once.
    ///
    /// - Parameter time: for all of it.
    public func deliver(_ message: MailMessage, within time: Duration) async -> MailOutcome {
        let call = OutboundCall()
        return await withTaskCancellationHandler {
            await onThread(named: "smtp") { MailDelivery(self, message, time, call).run() }
        } onCancel: {
            call.cancel()
        }
    }
}

/// Touched by its thread alone.
private final class MailDelivery {
    private let server: MailServer
    private let message: MailMessage
    private let milliseconds: Int
    private let call: OutboundCall
    private let bytes: [UInt8]
    /// How much of it the server has.
    private var given = 0
    /// Code and enhanced code of the last reply (RFC 5321, section 4.2; RFC 2034).
    private var reply = Reply()

    private struct Reply {
        var code = 0
        var text = ""

        /// A line of a reply; its words, which may name somebody, are not kept. 221 answers the QUIT after all that matters.
        mutating func take(_ line: String) {
            guard let code = Int(line.prefix(3)), (200...599).contains(code), code != 221 else { return }
            let enhanced = line.dropFirst(4).prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let parts = enhanced.split(separator: ".", omittingEmptySubsequences: false)
            let isEnhanced = parts.count == 3 && parts.allSatisfy { (1...3).contains($0.count) }
            (self.code, text) = (code, isEnhanced ? "\(code) \(enhanced)" : "\(code)")
        }
    }

    init(_ server: MailServer, _ message: MailMessage, _ time: Duration, _ call: OutboundCall) {
        (self.server, self.message, self.call) = (server, message, call)
        let components = time.components
        milliseconds = max(1, Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
        bytes = Array(message.text.utf8)
    }

    func run() -> MailOutcome {
        guard OutboundClient.isReady, let handle = curl_easy_init() else { return .later(reason: "no handle") }
        defer { curl_easy_cleanup(handle) }
        // Between brackets in commands: nothing that ends them.
        guard [message.sender, message.recipient].allSatisfy(MailDelivery.isAddress) else {
            return .refused(reason: "no address")
        }
        let recipients = curl_slist_append(nil, message.recipient)
        defer { curl_slist_free_all(recipients) }
        guard recipients != nil, set(handle, recipients) else { return .later(reason: "bad settings") }
        return outcome(curl_easy_perform(handle))
    }

    private static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"\\".utf8.contains($0) }
    }

    private func set(_ handle: UnsafeMutableRawPointer, _ recipients: UnsafeMutablePointer<curl_slist>?) -> Bool {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_QUICK_EXIT, 1), (CURLOPT_TIMEOUT_MS, milliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, min(10_000, milliseconds)), (CURLOPT_NETRC, 0),
            (CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_NOPROGRESS, 0),
        ]
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, server.url), (CURLOPT_PROTOCOLS_STR, "smtp,smtps"), (CURLOPT_PROXY, ""),
            (CURLOPT_NOPROXY, "*"), (CURLOPT_MAIL_FROM, message.sender),
        ]
        if let user = server.user { texts += [(CURLOPT_USERNAME, user), (CURLOPT_PASSWORD, server.password ?? "")] }
        if let file = server.certificates { texts.append((CURLOPT_CAINFO, file)) }
        return numbers.allSatisfy { madang_curl_number(handle, $0.0, $0.1) == CURLE_OK }
            && texts.allSatisfy { madang_curl_text(handle, $0.0, $0.1) == CURLE_OK }
            && madang_curl_list(handle, CURLOPT_MAIL_RCPT, recipients) == CURLE_OK && setCallbacks(handle) == CURLE_OK
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) -> CURLcode {
        madang_curl_letter(
            handle,
            Unmanaged.passUnretained(self).toOpaque(),
            Int64(bytes.count),
            { bytes, size, count, context in
                guard let delivery = MailDelivery.of(context), let bytes else { return 0 }
                return delivery.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            },
            { bytes, size, count, context in
                guard let delivery = MailDelivery.of(context), let bytes else { return 0 }
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                delivery.reply.take(String(decoding: line.prefix(64), as: UTF8.self))
                return size * count
            },
            { context, _, _, _, _ in MailDelivery.of(context)?.call.isCancelled == false ? 0 : 1 }
        )
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MailDelivery? {
        context.map { Unmanaged<MailDelivery>.fromOpaque($0).takeUnretainedValue() }
    }

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let next = bytes[given..<min(bytes.count, given + room.count)]
        room.copyBytes(from: next)
        given += next.count
        return next.count
    }

    /// - Parameter code: of libcurl 7.88 and later: 55 for a refused MAIL, RCPT or DATA, 8 for a refused end of the data and for a
    ///   greeting that is none, others for what comes before a letter is spoken of.
    private func outcome(_ code: CURLcode) -> MailOutcome {
        if code == CURLE_OK { return .accepted }
        let isAboutTheLetter = code == CURLE_SEND_ERROR || code == CURLE_WEIRD_SERVER_REPLY && given > 0
        // Those of authentication say that our settings are wrong (RFC 4954, section 6).
        if isAboutTheLetter, (500...599).contains(reply.code), ![530, 534, 535, 538].contains(reply.code) {
            return .refused(reason: reply.text)
        }
        return .later(reason: (400...599).contains(reply.code) ? reply.text : "no reply (\(code.rawValue))")
    }
}

// SPDX-License-Identifier: Apache-2.0
// Where a request came from, as the gateway says.

import Foundation
import HTTPTypes
import Web

extension Request {
    private var forwardedFor: String {
        guard let name = HTTPField.Name("X-Forwarded-For"),
            let last = headers[name]?.split(separator: ",").last
        else { return "unknown" }
        return String(last.drop(while: { $0 == " " }).prefix { $0 != " " })
    }

    /// The client's address as the gateway reports it; `unknown` when that is none.
    var clientIP: String {
        let text = forwardedFor
        var (long, short) = (in6_addr(), in_addr())
        return inet_pton(AF_INET6, text, &long) == 1 || inet_pton(AF_INET, text, &short) == 1 ? text : "unknown"
    }

    /// The client's address for counting: the whole of an IPv4 address, the network of an IPv6 address, because a
    /// household has 2^64 of those.
    var clientAddress: String {
        let text = forwardedFor
        var network = in6_addr()
        if inet_pton(AF_INET6, text, &network) == 1 {
            let bytes = withUnsafeBytes(of: &network) { Array($0) }
            let mapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
            return mapped
                ? bytes.suffix(4).map(String.init).joined(separator: ".")
                : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1 ? text : "unknown"
    }

    /// A few words on the browser, for a person who looks through the list of sessions.
    var browserName: String {
        let agent = headers[.userAgent] ?? ""
        let browsers = [
            ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Whale/", "Whale"),
            ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
            ("Safari", "Safari"),
        ]
        let systems = [
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Mac OS", "Mac"), ("Windows", "Windows"),
            ("Linux", "Linux"),
        ]
        return [browsers, systems]
            .compactMap { names in names.first { agent.contains($0.0) }?.1 }
            .joined(separator: " · ")
    }
}

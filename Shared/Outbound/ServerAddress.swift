// SPDX-License-Identifier: Apache-2.0
// A server that an operator's settings name.

internal import Foundation

package struct ServerAddress: Sendable {
    /// Scheme, host and port, without a slash at its end.
    package let origin: String
    package let hostName: String
    package let port: Int

    /// From `https://host` or `http://host:port`; nil for anything else, also for what has a path.
    package init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let standard = ["http": 80, "https": 443][scheme], let host = url.host?.lowercased(), !host.isEmpty,
            ["", "/"].contains(url.path), url.user == nil, url.query == nil, url.fragment == nil
        else { return nil }
        port = url.port ?? standard
        hostName = host
        origin = "\(scheme)://\(host)\(port == standard ? "" : ":\(port)")"
    }
}

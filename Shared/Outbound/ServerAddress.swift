// SPDX-License-Identifier: Apache-2.0
// A server that an operator's settings name.

internal import Foundation

public struct ServerAddress: Sendable {
    /// Scheme, host and port, without a slash at its end.
    public let origin: String
    public let hostName: String
    public let port: Int

    /// From `https://host` or `http://host:port`; nil for anything else, also for what has a path.
    public init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let standard = ["http": 80, "https": 443][scheme], let host = url.host?.lowercased(), !host.isEmpty,
            ["", "/"].contains(url.path), url.user == nil, url.query == nil, url.fragment == nil
        else { return nil }
        port = url.port ?? standard
        hostName = host
        origin = "\(scheme)://\(host)\(port == standard ? "" : ":\(port)")"
    }
}

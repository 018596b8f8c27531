// SPDX-License-Identifier: Apache-2.0
// GIPHY's API as the gateway speaks it: apps that were written for it change their base URL.

package import GatewayService
package import NIOHTTP1
import Web

package struct GiphyDialect: Dialect {
    package let routes = GiphyRoutes.all

    package init() {}

    /// What of `/v1` is GIPHY's: other dialects own the rest of it.
    package func owns(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard parts.first == "v1", parts.count > 1 else { return false }
        switch parts[1] {
        case "gifs", "stickers", "text", "randomid": return true
        case "trending": return parts.dropFirst(2).first == "searches"
        case "tags": return parts.dropFirst(2).first == "related"
        default: return false
        }
    }

    package func answer(to error: any Error, headers: HTTPHeaders) -> WorkAnswer {
        switch error {
        case let failure as GiphyFailure: failure.answer
        case let problem as Problem: GiphyFailure(problem).answer
        default: GiphyFailure.broken.answer
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy as the gateway speaks it: paths, tokens, errors and rooms' events in the app's own words.

package import Domain
package import GatewayService
package import NIOCore
package import NIOHTTP1
import Web

package struct BuddyBuddyDialect: Dialect {
    package let routes = BuddyBuddyRoutes.all

    package init() {}

    /// The app is made by people who speak Korean, and not all of its requests say so.
    package let language = Language.korean

    /// All of `/v1`: it hangs on an answer there that has no code.
    package func owns(_ path: String) -> Bool { path == "/v1" || path.hasPrefix("/v1/") }

    package func token(_ headers: HTTPHeaders, parameter: (String) -> String?) -> String? {
        headers.first(name: "authorization").map(BuddyBuddyDialect.bare)
    }

    /// The token with or without `Bearer` before it.
    static func bare(_ value: String) -> String { Token.afterScheme(value) ?? value }

    package func answer(to error: any Error, headers: HTTPHeaders) -> WorkAnswer {
        let language = language(of: headers)
        let failure =
            switch error {
            case let failure as BuddyBuddyFailure: failure
            case let problem as Problem where problem.code == "body-too-large": tooLong(headers)
            case let problem as Problem: BuddyBuddyFailure(problem, language: language)
            default: BuddyBuddyFailure.broken
            }
        return failure.answer(in: language)
    }

    /// What is too long to be read can only be a file.
    private func tooLong(_ headers: HTTPHeaders) -> BuddyBuddyFailure {
        let type = headers.first(name: "content-type")?.lowercased() ?? ""
        let isUpload = type.hasPrefix("multipart/") || type.hasPrefix("image/")
        return isUpload ? .uploads : BuddyBuddyFailure(413, .badRequest, "body-too-large")
    }

    // MARK: Rooms

    /// `/ws-channel-<id>` and `/ws-dm-<id>` are the same: the app uses the latter for both kinds of room.
    package func channel(ofNamespace name: String) -> ChannelID? {
        for prefix in ["/ws-channel-", "/ws-dm-"] where name.hasPrefix(prefix) {
            return ChannelID(name.dropFirst(prefix.count))
        }
        return nil
    }

    package func event(ofMessage message: ByteBuffer) -> DialectEvent? {
        BuddyBuddyMessage.event(of: message.readableBytesView)
    }
}

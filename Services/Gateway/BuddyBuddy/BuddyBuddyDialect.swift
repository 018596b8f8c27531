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

    package func owns(_ path: String) -> Bool {
        ["/v1/auth", "/v1/users", "/v1/workspaces"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    package func token(_ headers: HTTPHeaders, parameter: (String) -> String?) -> String? {
        headers.first(name: "authorization").map(BuddyBuddyDialect.bare)
    }

    /// The token with or without `Bearer` before it.
    static func bare(_ value: String) -> String {
        let scheme = value.utf8.prefix(7)
        guard scheme.count == 7, scheme.elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 }) else { return value }
        return String(Substring(value.utf8.dropFirst(7).drop(while: { $0 == 0x20 })))
    }

    package func answer(to error: any Error, headers: HTTPHeaders) -> DialectAnswer {
        switch error {
        case let failure as BuddyBuddyFailure: failure.answer
        case let problem as Problem where problem.code == "body-too-large": tooLong(headers).answer
        case let problem as Problem:
            BuddyBuddyFailure(problem, language: Language(acceptLanguage: headers.first(name: "accept-language")))
                .answer
        default: BuddyBuddyFailure.broken.answer
        }
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

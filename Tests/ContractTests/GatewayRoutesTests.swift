// SPDX-License-Identifier: Apache-2.0
// The gateway's list of the public surface and the services' own tables say the same.

import NIOHTTP1
import Testing

@testable import GatewayService

/// A method and a path with `:` for what varies.
struct RouteLine: Hashable, CustomStringConvertible {
    let method: String
    let path: String

    init(method: String, path: String) {
        self.method = method
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        self.path = segments.map { $0.hasPrefix(":") ? ":" : String($0) }.joined(separator: "/")
    }

    var description: String { "\(method) \(path)" }
    var isInternal: Bool { path.hasPrefix("/internal/") }
}

@Suite struct GatewayRoutesTests {
    private static let lists: [(ServiceName, [RouteLine])] = [
        (.auth, authRouteList), (.posts, postsRouteList), (.chat, chatRouteList),
        (.notifications, notificationsRouteList),
    ]

    @Test func everyRouteOfAServiceIsReachable() {
        for (service, lines) in GatewayRoutesTests.lists {
            let reachable = Set(GatewayRoutesTests.public(of: service))
            for line in lines where !line.isInternal {
                #expect(
                    reachable.contains(line),
                    "\(service.rawValue) answers \(line), which the gateway does not know"
                )
            }
        }
    }

    @Test func noRouteOfTheGatewayLeadsNowhere() {
        for (service, lines) in GatewayRoutesTests.lists {
            let answered = Set(lines)
            for line in GatewayRoutesTests.public(of: service) {
                #expect(
                    answered.contains(line),
                    "the gateway sends \(line) to \(service.rawValue), which has no such route"
                )
            }
        }
    }

    @Test func nothingInternalIsPublic() {
        for route in PublicSurface.all {
            #expect(!route.path.hasPrefix("/internal") && !route.path.hasPrefix("/metrics"))
        }
    }

    private static func `public`(of service: ServiceName) -> [RouteLine] {
        PublicSurface.all.filter { $0.destination == .service(service) }
            .map { RouteLine(method: $0.method.rawValue, path: $0.path) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Everything that Madang answers.

/// All endpoints. Nothing else is reachable but what a dialect adds at the gateway.
package enum Surface {
    package static let groups: [any EndpointGroup.Type] = [
        GatewayEndpoint.self, OAuthEndpoint.self, SessionEndpoint.self, PageEndpoint.self, AuthCall.self,
        AccountEndpoint.self, GraphEndpoint.self, PostEndpoint.self, TimelineEndpoint.self, EmptyListEndpoint.self,
        PostsCall.self, PlaygroundEndpoint.self, ChannelEndpoint.self, DirectChannelEndpoint.self, MessageEndpoint.self,
        ReadingEndpoint.self, ChatCall.self, NotificationEndpoint.self,
    ]

    /// An endpoint with its name and whose it is.
    package struct Line: Sendable {
        package let name: String
        package let group: String
        /// Nil is the gateway itself.
        package let service: ServiceName?
        package let endpoint: Endpoint
    }

    package static let all: [Line] = groups.flatMap { lines(of: $0) }

    /// What a service must answer.
    package static func lines(of service: ServiceName) -> [Line] { all.filter { $0.service == service } }

    private static func lines<Group: EndpointGroup>(of group: Group.Type) -> [Line] {
        group.allCases.map {
            Line(name: $0.rawValue, group: "\(group)", service: group.service, endpoint: $0.endpoint)
        }
    }
}

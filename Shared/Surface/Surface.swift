// SPDX-License-Identifier: Apache-2.0
// The services, and everything that Madang answers.

/// A service behind the gateway: a process, a schema, a user of the broker. Its process, role, user, ports and the
/// gateway's way to it follow from this list; `ServiceListTests` says what else must name it.
public enum ServiceName: String, CaseIterable, Sendable {
    case auth
    case posts
    case chat
    case notifications
    case search
    case media

    private static let places = allCases

    /// Its place among all.
    public var index: Int { ServiceName.places.firstIndex(of: self) ?? 0 }

    /// Where it listens when nobody says otherwise.
    public var port: Int { 3001 + index }

    /// Whether the gateway asks it what no client may ask.
    public var isAsked: Bool { Surface.lines(of: self).contains { $0.endpoint.isInternal } }

    /// The live messages that each of its processes hears through a queue of its own, by their keys. The broker lets it read
    /// no others.
    public var hears: [String] { self == .notifications ? ["gateway.PresenceChanged.v1"] : [] }
}

/// All endpoints. Nothing else is reachable but what a dialect adds at the gateway.
public enum Surface {
    public static let groups: [any EndpointGroup.Type] = [
        GatewayEndpoint.self, JoinedEndpoint.self, OAuthEndpoint.self, SessionEndpoint.self, PageEndpoint.self,
        IssuerEndpoint.self, AuthCall.self, MailEndpoint.self,
        AccountEndpoint.self, GraphEndpoint.self, PostEndpoint.self, TimelineEndpoint.self, ConversationEndpoint.self,
        EmptyListEndpoint.self, PostPageEndpoint.self, PostsCall.self, ShelfEndpoint.self, RecordEndpoint.self,
        GoalEndpoint.self, ProjectEndpoint.self, ApplicationEndpoint.self, PlaygroundEndpoint.self,
        ChannelEndpoint.self,
        DirectChannelEndpoint.self, MessageEndpoint.self, ReadingEndpoint.self, ChatCall.self,
        NotificationEndpoint.self, DeviceEndpoint.self, SearchEndpoint.self, SearchCall.self, BookEndpoint.self,
        UsageEndpoint.self,
        MediaEndpoint.self, GifEndpoint.self, ExportEndpoint.self,
        ReportEndpoint.self, ModerationEndpoint.self, AdminEndpoint.self, RuleEndpoint.self,
    ]

    /// An endpoint with its name and whose it is.
    public struct Line: Sendable {
        public let name: String
        public let group: String
        /// Nil is the gateway itself.
        public let service: ServiceName?
        public let endpoint: Endpoint
    }

    public static let all: [Line] = groups.flatMap { lines(of: $0) }

    /// What a service must answer.
    public static func lines(of service: ServiceName) -> [Line] { all.filter { $0.service == service } }

    private static func lines<Group: EndpointGroup>(of group: Group.Type) -> [Line] {
        group.allCases.map {
            Line(name: $0.rawValue, group: "\(group)", service: group.service, endpoint: $0.endpoint)
        }
    }
}

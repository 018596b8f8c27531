// SPDX-License-Identifier: Apache-2.0
// An endpoint with what answers it.

public import HTTPTypes
public import Surface

/// An endpoint and the command that answers it.
public struct Route<Dependencies: Sendable>: Sendable {
    public typealias Run = @Sendable (Request, Dependencies) async throws -> Answer
    public let endpoint: Endpoint
    public let run: Run

    public init(_ endpoint: Endpoint, _ run: @escaping Run) {
        self.endpoint = endpoint
        self.run = run
    }

    /// Every endpoint of a group, each with its command.
    public static func all<Group: EndpointGroup>(_ group: Group.Type, _ run: (Group) -> Run) -> [Route] {
        group.allCases.map { Route($0.endpoint, run($0)) }
    }

    public var method: HTTPRequest.Method { endpoint.method }
    public var path: String { endpoint.path }
    public var access: Access { endpoint.access }
}

// SPDX-License-Identifier: Apache-2.0
// An endpoint with what answers it.

package import HTTPTypes
package import Surface

/// An endpoint and the command that answers it.
package struct Route<Dependencies: Sendable>: Sendable {
    package typealias Run = @Sendable (Request, Dependencies) async throws -> Answer
    package let endpoint: Endpoint
    package let run: Run

    package init(_ endpoint: Endpoint, _ run: @escaping Run) {
        self.endpoint = endpoint
        self.run = run
    }

    /// Every endpoint of a group, each with its command.
    package static func all<Group: EndpointGroup>(_ group: Group.Type, _ run: (Group) -> Run) -> [Route] {
        group.allCases.map { Route($0.endpoint, run($0)) }
    }

    package var method: HTTPRequest.Method { endpoint.method }
    package var path: String { endpoint.path }
    package var access: Access { endpoint.access }
}

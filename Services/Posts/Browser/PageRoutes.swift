// SPDX-License-Identifier: Apache-2.0
// What a browser finds at the addresses that answers name.

import Domain
import Surface
import Web

extension Routes {
    static let pages: [Route<Dependencies>] = Route.all(PostPageEndpoint.self, run)

    private static func run(_ endpoint: PostPageEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .showAccountPage: ShowAccountPage.run
        case .showPostPage: ShowPostPage.run
        case .showTagPage: ShowTagPage.run
        case .leadToAccount: leadToAccount
        case .leadToPost, .leadToBoost: leadToPost
        }
    }

    /// A `uri`, which is a name rather than an address, leads to the page.
    @Sendable private static func leadToAccount(_ request: Request, _ dependencies: Dependencies) async throws
        -> Answer
    {
        .redirect(to: PostPages.path(of: try request.username()))
    }

    @Sendable private static func leadToPost(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .redirect(to: PostPages.path(of: try request.id(), by: try request.username()))
    }
}

extension Request {
    /// Whose page the path names; throws notFound for what is no name.
    func username() throws -> Username {
        guard let name = pathParameters["name"].flatMap({ Username($0) }) else { throw Problem.notFound }
        return name
    }
}

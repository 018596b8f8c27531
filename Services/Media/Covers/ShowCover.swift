// SPDX-License-Identifier: Apache-2.0
// GET /media/c/:code/:address: the cover of a book, which is somebody else's picture.

import Domain
import Web

/// The link alone says whether it may be seen. Whoever looks first waits until it is fetched; one that cannot be had is not found.
enum ShowCover {
    /// For how long an app need not ask whether it is another one.
    private static let caching = "max-age=86400"

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parts = request.pathParameters
        let url = dependencies.links.covers(parts["address"] ?? "", code: parts["code"] ?? "")
        let file = try await dependencies.covers.file(of: url.found(), dependencies)
        return try await ServeFile.serve(file, "public", for: caching, request, dependencies)
    }
}

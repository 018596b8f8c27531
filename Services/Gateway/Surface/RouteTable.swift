// SPDX-License-Identifier: Apache-2.0
// Finds the route of a path.

import NIOHTTP1
import Web

/// The gateway's routes by path and method.
struct RouteTable: Sendable {
    enum Match: Equatable {
        case route(Int)
        /// The path exists, with these methods.
        case methods([HTTPMethod])
        case none
    }

    let routes: [PublicRoute]
    private let table: PathTable<[(method: HTTPMethod, route: Int)]>

    init(_ routes: [PublicRoute]) {
        self.routes = routes
        var table = PathTable<[(method: HTTPMethod, route: Int)]>()
        for (index, route) in routes.enumerated() {
            table[route.path] = (table[route.path] ?? []) + [(route.method, index)]
        }
        self.table = table
    }

    /// `path` is in the normal form that `RequestTarget` gives it. A HEAD is answered where a GET is.
    func match(_ method: HTTPMethod, _ path: String) -> Match {
        let wanted = method == .HEAD ? HTTPMethod.GET : method
        guard let entries = table.value(path) else { return .none }
        for entry in entries where entry.method == wanted { return .route(entry.route) }
        return .methods(entries.map(\.method))
    }
}

// SPDX-License-Identifier: Apache-2.0
// What posts answers, as a list without its types: every service calls its table by the same name.

import HTTPTypes
import Web

@testable import PostsService

let postsRouteList: [RouteLine] = Routes.all.map { RouteLine(method: $0.method.rawValue, path: $0.path) }

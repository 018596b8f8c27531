// SPDX-License-Identifier: Apache-2.0
// What posts answers, as a list without its types: every service calls its table by the same name.

import Surface
import Web

@testable import PostsService

let postsEndpoints: [Endpoint] = Routes.all.map(\.endpoint)

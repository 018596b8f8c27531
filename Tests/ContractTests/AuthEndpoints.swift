// SPDX-License-Identifier: Apache-2.0
// What auth answers, as a list without its types: every service calls its table by the same name.

import Surface
import Web

@testable import AuthService

let authEndpoints: [Endpoint] = Routes.all.map(\.endpoint)

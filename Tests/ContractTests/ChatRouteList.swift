// SPDX-License-Identifier: Apache-2.0
// What chat answers, as a list without its types: every service calls its table by the same name.

import HTTPTypes
import Web

@testable import ChatService

let chatRouteList: [RouteLine] = Routes.all.map { RouteLine(method: $0.method.rawValue, path: $0.path) }

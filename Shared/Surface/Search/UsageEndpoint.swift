// SPDX-License-Identifier: Apache-2.0
// What apps tell of how they are used.

import Domain

/// Counted by days, without a trail of anybody.
public enum UsageEndpoint: String, EndpointGroup {
    case countUsage

    public static var service: ServiceName? { .search }

    public var endpoint: Endpoint {
        switch self {
        // Also before anybody signs in.
        case .countUsage: .post("/api/v1/events", .app(nil), answer: "any")
        }
    }
}

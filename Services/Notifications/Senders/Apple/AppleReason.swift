// SPDX-License-Identifier: Apache-2.0
// What APNs says when it does not take a message, and what follows
// (https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns).

import Domain
import Foundation
import Outbound

/// What follows from what a provider says.
enum ReasonMeaning: Sendable, Equatable {
    case gone
    case refused
    case later(after: Duration?)
    /// Another token, once, and then the keys are wrong.
    case staleToken
    case misconfigured
}

enum AppleReason {
    /// Every documented reason. What a device's owner says (its token, its topic, its environment) is never taken for the operator's
    /// fault: one odd device would silence all.
    static let meanings: [String: ReasonMeaning] = [
        // 400
        "BadCollapseId": .refused,
        "BadDeviceToken": .gone,
        "BadExpirationDate": .refused,
        "BadMessageId": .refused,
        "BadPriority": .refused,
        "BadTopic": .refused,
        "DeviceTokenNotForTopic": .gone,
        "DuplicateHeaders": .refused,
        "IdleTimeout": .later(after: nil),
        "InvalidPushType": .refused,
        "MissingDeviceToken": .refused,
        "MissingTopic": .refused,
        "PayloadEmpty": .refused,
        "TopicDisallowed": .refused,
        // 403
        "BadCertificate": .misconfigured,
        "BadCertificateEnvironment": .misconfigured,
        "BadEnvironmentKeyIdInToken": .refused,
        "ExpiredProviderToken": .staleToken,
        "Forbidden": .misconfigured,
        "InvalidProviderToken": .misconfigured,
        "MissingProviderToken": .misconfigured,
        "UnrelatedKeyIdInToken": .misconfigured,
        // 404, 405
        "BadPath": .refused,
        "MethodNotAllowed": .refused,
        // 410
        "ExpiredToken": .gone,
        "Unregistered": .gone,
        // 413
        "PayloadTooLarge": .refused,
        // 429: tokens are renewed every 20 minutes at most; too many messages for one device.
        "TooManyProviderTokenUpdates": .later(after: .seconds(20 * 60)),
        "TooManyRequests": .later(after: nil),
        // 500, 503
        "InternalServerError": .later(after: nil),
        "ServiceUnavailable": .later(after: nil),
        "Shutdown": .later(after: nil),
    ]

    /// Of a reason that is not documented, by its status.
    static func meaning(of reason: String, status: Int) -> ReasonMeaning {
        if let known = meanings[reason] { return known }
        return switch status {
        case 403: .misconfigured
        case 410: .gone
        case 429, 500...: .later(after: nil)
        default: .refused
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What Firebase says when it does not take a message, and what follows
// (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode, https://firebase.google.com/docs/cloud-messaging/error-codes).

import Domain
import Foundation
import Outbound

struct FirebaseError: Decodable, Sendable {
    struct Detail: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case errorCode
            case fieldViolations
        }

        struct Violation: Decodable, Sendable {
            let field: String?
        }

        let type: String?
        let errorCode: String?
        let fieldViolations: [Violation]?
    }

    struct Body: Decodable, Sendable {
        let message: String?
        let status: String?
        let details: [Detail]?
    }

    let error: Body

    /// Of Firebase Cloud Messaging itself, in the details.
    static let codes: [String: ReasonMeaning] = [
        "UNREGISTERED": .gone,
        // The device is registered with another project.
        "SENDER_ID_MISMATCH": .gone,
        "INVALID_ARGUMENT": .refused,
        // A minute is Firebase's own word for an answer without Retry-After.
        "QUOTA_EXCEEDED": .later(after: .seconds(60)),
        "UNAVAILABLE": .later(after: nil),
        "INTERNAL": .later(after: nil),
        // The project has no key of Apple's, or none for browsers: others of it are reached all the same.
        "THIRD_PARTY_AUTH_ERROR": .refused,
    ]

    /// Of any API of Google, where the details say nothing (https://cloud.google.com/apis/design/errors).
    static let statuses: [String: ReasonMeaning] = [
        "INVALID_ARGUMENT": .refused,
        "UNAUTHENTICATED": .staleToken,
        "PERMISSION_DENIED": .misconfigured,
        // The project.
        "NOT_FOUND": .misconfigured,
        "RESOURCE_EXHAUSTED": .later(after: .seconds(60)),
        "UNAVAILABLE": .later(after: nil),
        "INTERNAL": .later(after: nil),
    ]

    /// What an answer other than 200 means.
    static func meaning(of answer: OutboundAnswer) -> (reason: String, meaning: ReasonMeaning) {
        let body = answer.json(FirebaseError.self)?.error
        if let code = body?.details?.compactMap(\.errorCode).first {
            let isToken = code == "INVALID_ARGUMENT" && body?.isAboutToken == true
            return (String(code.prefix(100)), isToken ? .gone : codes[code] ?? meaning(ofStatus: answer.status))
        }
        if let status = body?.status {
            let isToken = status == "INVALID_ARGUMENT" && body?.isAboutToken == true
            return (String(status.prefix(100)), isToken ? .gone : statuses[status] ?? meaning(ofStatus: answer.status))
        }
        return ("HTTP \(answer.status)", meaning(ofStatus: answer.status))
    }

    private static func meaning(ofStatus status: Int) -> ReasonMeaning {
        switch status {
        case 401: .staleToken
        case 403: .misconfigured
        case 429: .later(after: .seconds(60))
        case 500...: .later(after: nil)
        default: .refused
        }
    }
}

extension FirebaseError.Body {
    /// A bad registration token is told as any bad argument is: by the name of the field, or in words alone.
    fileprivate var isAboutToken: Bool {
        let fields = details?.flatMap { $0.fieldViolations ?? [] }.compactMap(\.field) ?? []
        guard fields.isEmpty else { return fields == ["message.token"] }
        return message?.lowercased().contains("registration token") ?? false
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a live message says, told by its routing key.

import Domain
import Events

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The part of an envelope that matters here. The broker lets each service tell its own keys only: so the key is believed,
/// and a body that says it is something else is not.
enum LiveMessage {
    case update(LiveUpdate)
    case revoked(SessionID)
    case chat(ChatLive)
    case presence(PresenceChanged)
    case typing(TypingStarted)
    case budgets(BudgetsSpent)
    case other

    struct NotOfItsKey: Error {
        let key: String
        let type: String
    }

    /// Everything that is told live but revocations.
    static let updates = [
        TimelineUpdated.type, NotificationCreated.type, ChatUpdated.type, PresenceChanged.type, TypingStarted.type,
        BudgetsSpent.type,
    ]

    private struct Told<Content: Decodable>: Decodable {
        let type: String
        let data: Content
    }

    private struct Streamed: Decodable {
        let update: LiveUpdate
    }

    init(_ body: [UInt8], key: String) throws {
        func data<Content: Decodable>(_ content: Content.Type) throws -> Content {
            let told = try JSONDecoder().decode(Told<Content>.self, from: Data(body))
            guard told.type == key else { throw NotOfItsKey(key: key, type: told.type) }
            return told.data
        }
        switch key {
        case SessionRevoked.type: self = .revoked(try data(SessionRevoked.self).sessionID)
        case TimelineUpdated.type, NotificationCreated.type: self = .update(try data(Streamed.self).update)
        case ChatUpdated.type: self = .chat(ChatLive(try data(ChatUpdated.self).update))
        case PresenceChanged.type: self = .presence(try data(PresenceChanged.self))
        case TypingStarted.type: self = .typing(try data(TypingStarted.self))
        case BudgetsSpent.type: self = .budgets(try data(BudgetsSpent.self))
        default: self = .other
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a live message says, told by its routing key.

import Domain
import Events
import NIOCore

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
    case principalChanged(AccountID)
    case chat(ChatLive)
    case presence(PresenceChanged)
    case typing(TypingStarted)
    case budgets(BudgetsSpent)
    case other

    struct NotOfItsKey: Error {
        let key: String
        let type: String
    }

    /// Everything that is told live but what is told of tokens.
    static let updates =
        [
            TimelineUpdated.type, NotificationCreated.type, ChatUpdated.type, PresenceChanged.type, TypingStarted.type,
            BudgetsSpent.type,
        ] + Catalogue.former.map { $0.type }

    /// What of tokens is no longer to be believed.
    static let ofTokens = [SessionRevoked.type, PrincipalChanged.type]

    private struct Told<Content: Decodable>: Decodable {
        let type: String
        let data: Content
    }

    private struct Anything: Decodable {}

    init(_ body: [UInt8], key: String) throws {
        func data<Content: Decodable>(_ content: Content.Type, in envelope: ArraySlice<UInt8>? = nil) throws -> Content
        {
            let told = try JSONDecoder().decode(Told<Content>.self, from: Data(envelope ?? body[...]))
            guard told.type == key else { throw NotOfItsKey(key: key, type: told.type) }
            return told.data
        }
        func update<Told: LiveEvent>(_: Told.Type) throws -> Told.Header {
            do {
                let envelope = try Envelope<Told>(message: body)
                guard envelope.type == key else { throw NotOfItsKey(key: key, type: envelope.type) }
                return envelope.data.update
            } catch let error as DecodingError {
                // What is not of its key seldom looks like it.
                _ = try data(Anything.self, in: parts(ofMessage: body).envelope)
                throw error
            }
        }
        func streamed(_ former: LiveUpdate) -> LiveMessage {
            var update = former
            update.hasMedia = String(decoding: former.payload, as: UTF8.self).contains(#""media_attachments":[{"#)
            return .update(update)
        }
        switch key {
        case SessionRevoked.type: self = .revoked(try data(SessionRevoked.self).sessionID)
        case PrincipalChanged.type: self = .principalChanged(try data(PrincipalChanged.self).accountID)
        case TimelineUpdated.type: self = .update(try update(TimelineUpdated.self))
        case NotificationCreated.type: self = .update(try update(NotificationCreated.self))
        case ChatUpdated.type: self = .chat(ChatLive(try update(ChatUpdated.self)))
        case PresenceChanged.type: self = .presence(try data(PresenceChanged.self))
        case TypingStarted.type: self = .typing(try data(TypingStarted.self))
        case BudgetsSpent.type: self = .budgets(try data(BudgetsSpent.self))
        // Of the release before, while its processes may run beside.
        case Former<TimelineUpdated>.type: self = streamed(try data(Former<TimelineUpdated>.self).now.update)
        case Former<NotificationCreated>.type: self = streamed(try data(Former<NotificationCreated>.self).now.update)
        case Former<ChatUpdated>.type: self = .chat(ChatLive(try data(Former<ChatUpdated>.self)))
        default: self = .other
        }
    }
}

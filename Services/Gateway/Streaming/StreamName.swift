// SPDX-License-Identifier: Apache-2.0
// The streams that a client may follow.

import Domain
import Events

/// Where a request for a stream comes in.
enum StreamRoute: Sendable, Hashable {
    case webSocket
    /// Server-sent events of the stream with this name.
    case events(String)
}

/// One stream as a client names it.
struct StreamName: Hashable, Sendable {
    enum Fault: Error, Equatable {
        case unknown
        case missingTag
        case forbidden(Scope)
        case needsAccount
    }

    /// The names in the answers' `stream` member, such as `["hashtag", "cats"]`.
    let labels: [String]
    /// The key of `LiveUpdate.streams`; nil for a stream in which nothing ever happens here.
    let key: String?
    let onlyMedia: Bool
    /// Whether notifications may pass: the scope for them is one of its own.
    let passesNotifications: Bool

    init(_ name: String, tag: String?, for principal: KnownPrincipal) throws(Fault) {
        func account() throws(Fault) -> AccountID {
            guard let id = principal.accountID else { throw .needsAccount }
            return id
        }
        func require(_ scope: Scope) throws(Fault) {
            guard principal.scopes.allows(scope) else { throw .forbidden(scope) }
        }
        var labels = [name]
        var onlyMedia = false
        switch name {
        case "user":
            try require("read:statuses")
            key = LiveUpdate.user(try account())
        case "user:notification":
            try require("read:notifications")
            key = LiveUpdate.userNotification(try account())
        case "direct":
            try require("read:statuses")
            key = LiveUpdate.direct(try account())
        case "public", "public:local", "public:media", "public:local:media":
            try require("read:statuses")
            key = LiveUpdate.publicTimeline
            onlyMedia = name.hasSuffix(":media")
        case "public:remote", "public:remote:media":
            // There are no other servers.
            try require("read:statuses")
            key = nil
        case "hashtag", "hashtag:local":
            try require("read:statuses")
            guard let tag = tag.map({ $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }), !tag.isEmpty,
                tag.utf8.count <= 400
            else { throw .missingTag }
            key = LiveUpdate.hashtag(tag)
            labels.append(tag.lowercased())
        default: throw .unknown
        }
        self.labels = labels
        self.onlyMedia = onlyMedia
        passesNotifications = principal.scopes.allows("read:notifications")
    }

    func passes(_ update: LiveUpdate) -> Bool {
        if update.isNotification, !passesNotifications { return false }
        return !onlyMedia || update.hasMedia == true
    }
}

/// What one connection follows.
struct Subscriptions: Sendable {
    enum Change: Equatable {
        case added(key: String?)
        case already
        case tooMany
    }

    let limit: Int
    private(set) var names: [StreamName] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ name: StreamName) -> Change {
        if names.contains(name) { return .already }
        guard names.count < limit else { return .tooMany }
        names.append(name)
        return .added(key: name.key)
    }

    /// The key that nobody here follows any more; nil when there is none.
    mutating func remove(_ name: StreamName) -> String? {
        guard let index = names.firstIndex(of: name) else { return nil }
        names.remove(at: index)
        guard let key = name.key, !names.contains(where: { $0.key == key }) else { return nil }
        return key
    }

    var keys: Set<String> { Set(names.compactMap(\.key)) }
}

// SPDX-License-Identifier: Apache-2.0
// What is told when a projection is rebuilt from what its owners retell.

import Domain

/// A rebuild of a queue's projections began, came further, or was given up. Owners retell what they have to the queue,
/// only so far ahead of what is applied that its other events do not wait long.
public struct RebuildAdvanced<Asker: EventName>: Event {
    public static var name: String { Asker.name }

    /// The queue that wants to be told again, one of the teller's own.
    public let queue: String
    /// A UUID of version 7: of two rebuilds of a queue the higher is the later.
    public let rebuildID: String
    /// The types of events, with versions, to which the queue reacts.
    public let types: [String]
    /// How much of what each owner retold for it has been applied.
    public let applied: [RetoldCount]
    public let isAbandoned: Bool
    /// Of the rebuild.
    public let subjectVersion: Int64

    public var subject: String { queue }

    public init(
        queue: String,
        rebuildID: String,
        types: [String],
        applied: [RetoldCount],
        isAbandoned: Bool = false,
        subjectVersion: Int64
    ) {
        self.queue = queue
        self.rebuildID = rebuildID
        self.types = types
        self.applied = applied
        self.isAbandoned = isAbandoned
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case queue, types, applied, rebuildID, isAbandoned, subjectVersion }
}

/// How many events of an owner.
public struct RetoldCount: Codable, Hashable, Sendable {
    public let owner: String
    public let events: Int64

    public init(owner: String, events: Int64) {
        self.owner = owner
        self.events = events
    }
}

/// The services whose projections can be rebuilt.
public enum RebuildAskers {
    public enum Posts: EventName { public static let name = "posts.RebuildAdvanced" }
    public enum Chat: EventName { public static let name = "chat.RebuildAdvanced" }
    public enum Notifications: EventName { public static let name = "notifications.RebuildAdvanced" }
    public enum Search: EventName { public static let name = "search.RebuildAdvanced" }
    public enum Auth: EventName { public static let name = "auth.RebuildAdvanced" }
    public enum Media: EventName { public static let name = "media.RebuildAdvanced" }
}

/// That an owner has retold everything to a queue. It may come before some of it: `told` says how much there is.
public protocol RetellingEnd: Event {
    var queue: String { get }
    var rebuildID: String { get }
    /// Events that were retold.
    var told: Int64 { get }

    init(queue: String, rebuildID: String, told: Int64)
}

public struct RetellingFinished<Owner: EventName>: RetellingEnd {
    public static var name: String { Owner.name }
    public static var audience: Audience { .retold }

    public let queue: String
    public let rebuildID: String
    public let told: Int64

    public var subject: String { queue }
    public var subjectVersion: Int64 { told }

    public init(queue: String, rebuildID: String, told: Int64) {
        self.queue = queue
        self.rebuildID = rebuildID
        self.told = told
    }

    enum CodingKeys: String, SnakeCased { case queue, told, rebuildID }
}

/// The services that retell what they own.
public enum RetellingOwners {
    public enum Auth: EventName { public static let name = "auth.RetellingFinished" }
    public enum Posts: EventName { public static let name = "posts.RetellingFinished" }
    public enum Chat: EventName { public static let name = "chat.RetellingFinished" }
    public enum Media: EventName { public static let name = "media.RetellingFinished" }
}

// SPDX-License-Identifier: Apache-2.0
// What is told when a projection is rebuilt from what its owners retell.

import Domain

/// A rebuild of a queue's projections began, came further, or was given up. Owners retell what they have to the queue,
/// only so far ahead of what is applied that its other events do not wait long.
package struct RebuildAdvanced<Asker: EventName>: Event {
    package static var name: String { Asker.name }

    /// The queue that wants to be told again, one of the teller's own.
    package let queue: String
    /// A UUID of version 7: of two rebuilds of a queue the higher is the later.
    package let rebuildID: String
    /// The types of events, with versions, to which the queue reacts.
    package let types: [String]
    /// How much of what each owner retold for it has been applied.
    package let applied: [RetoldCount]
    package let isAbandoned: Bool
    /// Of the rebuild.
    package let subjectVersion: Int64

    package var subject: String { queue }

    package init(
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
package struct RetoldCount: Codable, Hashable, Sendable {
    package let owner: String
    package let events: Int64

    package init(owner: String, events: Int64) {
        self.owner = owner
        self.events = events
    }
}

/// The services whose projections can be rebuilt.
package enum RebuildAskers {
    package enum Posts: EventName { package static let name = "posts.RebuildAdvanced" }
    package enum Chat: EventName { package static let name = "chat.RebuildAdvanced" }
    package enum Notifications: EventName { package static let name = "notifications.RebuildAdvanced" }
    package enum Search: EventName { package static let name = "search.RebuildAdvanced" }
    package enum Auth: EventName { package static let name = "auth.RebuildAdvanced" }
    package enum Media: EventName { package static let name = "media.RebuildAdvanced" }
}

/// That an owner has retold everything to a queue. It may come before some of it: `told` says how much there is.
package protocol RetellingEnd: Event {
    var queue: String { get }
    var rebuildID: String { get }
    /// Events that were retold.
    var told: Int64 { get }

    init(queue: String, rebuildID: String, told: Int64)
}

package struct RetellingFinished<Owner: EventName>: RetellingEnd {
    package static var name: String { Owner.name }
    package static var audience: Audience { .retold }

    package let queue: String
    package let rebuildID: String
    package let told: Int64

    package var subject: String { queue }
    package var subjectVersion: Int64 { told }

    package init(queue: String, rebuildID: String, told: Int64) {
        self.queue = queue
        self.rebuildID = rebuildID
        self.told = told
    }

    enum CodingKeys: String, SnakeCased { case queue, told, rebuildID }
}

/// The services that retell what they own.
package enum RetellingOwners {
    package enum Auth: EventName { package static let name = "auth.RetellingFinished" }
    package enum Posts: EventName { package static let name = "posts.RetellingFinished" }
    package enum Chat: EventName { package static let name = "chat.RetellingFinished" }
    package enum Media: EventName { package static let name = "media.RetellingFinished" }
}

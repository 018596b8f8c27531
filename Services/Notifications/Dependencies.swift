// SPDX-License-Identifier: Apache-2.0
// What every command and query of notifications works with.

package import Domain
package import Postgres
import ServiceKit
import Serving

/// Plain values, built once at the start and passed down.
package struct Dependencies: Sendable {
    let database: Database
    let now: @Sendable () -> Timestamp
    let site: Site
    let ids: IDGenerator
    let presence = Presence()
    let snapshots: ShownSnapshots
    var answers = KeptAnswers()
    /// Who takes pushes to the providers; platforms without keys have nobody.
    let senders: [Platform: any PushSender]
    /// The public key by which services of Web Push know us (RFC 8292), Base64 for URLs; nil without one.
    let serverKey: String?
    /// The bundle id of Apple's apps that do not say theirs.
    let topic: String?
    /// A number between 0 and 1.
    let chance: @Sendable () -> Double
    let bell = Bell()
    let rests = SenderRests()

    /// Where nobody is pushed to.
    package init(
        database: Database,
        now: @escaping @Sendable () -> Timestamp,
        site: Site,
        ids: IDGenerator
    ) {
        self.init(database: database, now: now, site: site, ids: ids, senders: [:])
    }

    init(
        database: Database,
        now: @escaping @Sendable () -> Timestamp,
        site: Site,
        ids: IDGenerator,
        senders: [Platform: any PushSender],
        serverKey: String? = nil,
        topic: String? = nil,
        chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.database = database
        self.now = now
        self.site = site
        snapshots = ShownSnapshots(site: site)
        self.ids = ids
        self.senders = senders
        self.serverKey = serverKey
        self.topic = topic
        self.chance = chance
    }

    /// Has devices told what happens, on the platforms that somebody sends to.
    var deliveries: MakeDeliveries {
        MakeDeliveries(platforms: Platform.allCases.filter { senders[$0] != nil }, now: now, bell: bell)
    }
}

// SPDX-License-Identifier: Apache-2.0
// What every command and query of media works with.

import Domain
import MediaWork
import Outbound
import Postgres
import ServiceKit
import Serving
import Web

/// Plain values, built once at the start and passed down.
struct Dependencies: Sendable {
    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let site: Site
    let links: MediaLinks
    let storage: Storage
    /// Makes the files that are kept of an upload, in a process of its own.
    let makeRenditions: @Sendable (WorkOrder) async throws -> WorkReport
    var limits = Limits()
    var gifs = GifSettings()
    /// Files that a process works on at a time.
    var workers = 2
    var previews = Previews()
    /// Others who have GIFs.
    var upstreams = GifUpstreams()
    var covers = Covers()
    var exports = ExportSettings()
    /// Asks others on the internet.
    let outbound = OutboundClient()
    /// What nothing may link to.
    var blocks = KeptBlockList()
    /// Rings when something waits to be worked on, and when that has ended.
    let bell = Bell()
    let ended = Bell()
    /// Something may link to a page that is due.
    let linked = Bell()
}

/// Whether links are looked at, and with whom one may speak for that.
struct Previews: Sendable {
    var areOn = true
    var `guard` = Guard.anybody()
    /// In which a page must come, redirects included.
    var time = Duration.seconds(10)
}

/// How much is allowed.
struct Limits: Sendable {
    var sizes = MediaLimits()
    /// Bytes that the files of one account may take; 0 is no limit.
    var quota = 5 << 30
    /// Uploads of an account that are on their way or worked on at a time.
    var pending = 50
    /// The same of files that came with sign-ups, before it is known whose they are.
    var unclaimed = 500
    /// How long such a file stays.
    var claim = Duration.seconds(600)
    /// How long somebody waits for a file to become ready.
    var patience = Duration.seconds(1)
    /// The same for those who cannot ask again. The gateway gives up a little later.
    var longPatience = Duration.seconds(4)
    /// Bytes of the fields of a form besides its file.
    var fields = 16 * 1024
    /// The same of a form that is somebody else's, as much as the gateway reads of one.
    var otherFields = 60 * 1024
    /// How long an upload may be continued after its last part came.
    var resumable = Duration.seconds(24 * 3600)
    /// How long an upload stays that nobody shows: longer than others let somebody show it.
    var unused = Duration.seconds(3 * 24 * 3600)
    /// How late an older word may come on what shows nothing any more.
    var lateness = Duration.seconds(7 * 24 * 3600)
    /// For how long a worker has a file before another may take it.
    var lease = Duration.seconds(30)
    var attempts = 3
    /// Pages that a process fetches at a time.
    var fetches = 8
    /// How long nobody fetches a page again whose fetching began.
    var fetchAgain = Duration.seconds(600)
    /// The same where nobody answered, or the page showed nothing.
    var fetchAgainForNothing = Duration.seconds(3600)
    /// How long a card counts as new.
    var cardLifetime = Duration.seconds(24 * 3600)
    /// How long the fetching of a page, of its picture and of what it says by oEmbed may take.
    var fetchLease = Duration.seconds(60)
    /// How long a page is kept that nothing links to.
    var unmentioned = Duration.seconds(30 * 24 * 3600)
    /// How long a cover counts as new.
    var coverLifetime = Duration.seconds(30 * 24 * 3600)
    /// How long one is kept at which nobody looks.
    var unseen = Duration.seconds(30 * 24 * 3600)
    /// Covers of a host that are fetched at a time.
    var coversOfHost = 4
}

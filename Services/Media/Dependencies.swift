// SPDX-License-Identifier: Apache-2.0
// What every command and query of media works with.

import Domain
import MediaWork
import Postgres
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
    /// Files that a process works on at a time.
    var workers = 2
    /// Rings when something waits to be worked on, and when that has ended.
    let bell = JobBell()
    let ended = JobBell()
}

/// How much is allowed.
struct Limits: Sendable {
    var sizes = MediaLimits()
    /// Bytes that the files of one account may take; 0 is no limit.
    var quota = 5 << 30
    /// Uploads of an account that are on their way or worked on at a time.
    var pending = 50
    /// How long somebody waits for a file to become ready.
    var patience = Duration.seconds(1)
    /// The same for those who cannot ask again. The gateway gives up a little later.
    var longPatience = Duration.seconds(4)
    /// Bytes of the fields of a form besides its file.
    var fields = 16 * 1024
    /// How long an upload may be continued after its last part came.
    var resumable = Duration.seconds(24 * 3600)
    /// How long an upload stays that nobody shows: longer than others let somebody show it.
    var unused = Duration.seconds(3 * 24 * 3600)
    /// How late an older word may come on what shows nothing any more.
    var lateness = Duration.seconds(7 * 24 * 3600)
    /// For how long a worker has a file before another may take it.
    var lease = Duration.seconds(30)
    var attempts = 3
}

// SPDX-License-Identifier: Apache-2.0
// An archive of what is somebody's, from when they ask until it goes.

import Domain
import Postgres
import Views
import Web

/// How archives are made and kept.
struct ExportSettings: Sendable {
    /// How long one is kept.
    var lifetime = Duration.seconds(7 * 24 * 3600)
    /// Bytes of one; and, apart from pictures, of what services hand over.
    var bytes = 10 << 30
    /// How long nobody asks for another.
    var pause = Duration.seconds(24 * 3600)
    /// How long parts may be on their way.
    var patience = Duration.seconds(24 * 3600)
    /// How long a link to one is good.
    var link = Duration.seconds(3600)
    /// How long it is said what became of one.
    var memory = Duration.seconds(30 * 24 * 3600)
    /// For how long a process has the writing of one before another may take it.
    var lease = Duration.seconds(60)
    var attempts = 3
}

/// A row of `exports`.
struct Export: Sendable {
    enum State: String, ColumnWord {
        /// Parts come.
        case gathering
        case writing
        case ready
        case failed
        /// Its owner took it away.
        case deleted
        case expired
    }

    /// Why there is none.
    enum Failure: String {
        /// It did not become whole in time.
        case late
        case tooLarge = "too_large"
        /// It could not be written.
        case broken
    }

    let id: ExportID
    let account: AccountID
    let state: State
    let asked: Timestamp
    let ready: Timestamp?
    let expires: Timestamp?
    let file: String?
    let bytes: Int64?
    let failure: String?
    /// Which attempt of writing it this is: what an earlier one brings is refused.
    let attempt: Int

    static let columns: SQL = """
        id, account_id, state, asked_at, ready_at, expires_at, file, bytes, failure, attempts::bigint
        """
}

extension ExportID {
    /// What stored files know it by: ids of all kinds are made alike, and no two are the same.
    var asUpload: MediaID { MediaID(rawValue) }
}

/// An archive as its owner sees it.
struct ExportView: ObjectView {
    let export: Export
    /// Nil where there is nothing to fetch.
    let url: String?

    /// - Parameter settings: how long its link is good.
    init(_ export: Export, _ dependencies: Dependencies) {
        self.export = export
        let now = dependencies.now()
        guard export.state == .ready, let file = export.file, let expires = export.expires, now < expires else {
            url = nil
            return
        }
        url = dependencies.links.closed(file, until: min(expires, now + dependencies.exports.link))
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", export.id)
        json.member("state", export.state.rawValue)
        json.member("created_at", export.asked)
        json.member("ready_at", export.ready)
        json.member("expires_at", export.expires)
        json.member("bytes", export.bytes.map { Int($0) })
        json.member("failure", export.failure)
        json.member("url", url)
    }
}

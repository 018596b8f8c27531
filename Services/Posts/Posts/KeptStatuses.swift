// SPDX-License-Identifier: Apache-2.0
// What entries show, kept between pages, so that a page that shows it again reads and writes none of it.

import Domain
import Events
import Postgres
import Synchronization
import Views

/// An entry as it was read last, with its JSON.
final class KeptStatus: Sendable {
    fileprivate let edition: StatusEdition
    let row: StatusRow
    fileprivate let template: StatusTemplate?

    fileprivate init(_ edition: StatusEdition, _ row: StatusRow, site: Site) {
        self.edition = edition
        self.row = row
        template = StatusTemplate(row.post, author: row.author, card: row.card, boost: row.boost, site: site)
    }
}

/// An entry of a list with what it shows.
struct ShownStatus: StatusShown {
    fileprivate let listed: ListedStatus
    fileprivate let kept: KeptStatus

    var entryID: PostID { listed.entryID }
    /// Without what the viewer has done with it.
    var row: StatusRow { kept.row }

    func view(for viewer: AccountID?, site: Site) -> ShownStatusView {
        ShownStatusView(shown: self, viewer: viewer, site: site)
    }
}

/// An entry of a list as its viewer sees it.
struct ShownStatusView: View {
    fileprivate let shown: ShownStatus
    fileprivate let viewer: AccountID?
    fileprivate let site: Site

    func write(to json: inout JSONWriter) {
        let (flags, row) = (shown.listed.flags, shown.kept.row)
        // Authors see more of their own posts.
        guard viewer != row.author.id, let template = shown.kept.template else {
            return row.view(for: viewer, with: flags, site: site).write(to: &json)
        }
        template.filled(for: viewer == nil ? nil : flags).write(to: &json)
    }
}

/// The entries that were shown last.
///
/// Which edition is the present one the database says each time; so what is kept never outlives it, whichever process wrote a
/// newer one.
final class KeptStatuses: Sendable {
    private let capacity: Int
    private let kept = Mutex<[PostID: KeptStatus]>([:])

    init(capacity: Int = 4096) { self.capacity = capacity }

    /// The entries with what they show, without those that are gone meanwhile.
    func shown(_ listed: [ListedStatus], _ dependencies: Dependencies) async throws -> [ShownStatus] {
        let found = try await found(listed, dependencies)
        return listed.compactMap { status in found[status.entryID].map { ShownStatus(listed: status, kept: $0) } }
    }

    func shown(
        _ placed: [PlacedStatus],
        _ dependencies: Dependencies
    ) async throws -> [(place: Int64, status: ShownStatus)] {
        let found = try await found(placed.map(\.status), dependencies)
        return placed.compactMap { entry in
            found[entry.status.entryID].map { (entry.place, ShownStatus(listed: entry.status, kept: $0)) }
        }
    }

    private func found(_ listed: [ListedStatus], _ dependencies: Dependencies) async throws -> [PostID: KeptStatus] {
        var found: [PostID: KeptStatus] = [:]
        found.reserveCapacity(listed.count)
        var missing: [PostID] = []
        kept.withLock { kept in
            for status in listed {
                if let known = kept[status.entryID], known.edition == status.edition {
                    found[status.entryID] = known
                } else {
                    missing.append(status.entryID)
                }
            }
        }
        guard !missing.isEmpty else { return found }
        let read = try await PostStore.editions(of: missing, in: dependencies.database)
            .map { KeptStatus($0.edition, $0.status, site: dependencies.site) }
        kept.withLock { kept in
            // A full one starts again: reading once more is cheaper than keeping an order.
            if kept.count + read.count > capacity { kept.removeAll(keepingCapacity: true) }
            for status in read.prefix(capacity) { kept[status.row.entryID] = status }
        }
        for status in read { found[status.row.entryID] = status }
        return found
    }
}

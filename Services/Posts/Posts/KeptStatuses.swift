// SPDX-License-Identifier: Apache-2.0
// What entries show, kept between pages, so that a page that shows it again reads and writes none of it.

import Domain
import Events
import Postgres
import Serving
import Views

/// An entry as it was read last, with its JSON.
final class KeptStatus: Sendable {
    let row: StatusRow
    fileprivate let template: StatusTemplate?
    /// Whatever it shows, as `changes` names it.
    fileprivate let subjects: [Int64]
    /// The posts of its conversation, as `changes` names them.
    fileprivate let conversation: Int64

    fileprivate init(_ entry: PostStore.Entry, site: Site) {
        row = entry.status
        subjects =
            [row.entryID.rawValue, row.post.id.rawValue, row.author.id.rawValue]
            + [row.boost?.account.id.rawValue, entry.link].compactMap(\.self)
        conversation = -entry.conversation
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
    /// The posts of its conversation, as `changes` names them.
    var conversation: Int64 { kept.conversation }
    /// Whatever may bring back what home timelines left out, as `changes` names it.
    static let returns: Int64 = -1

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
struct KeptStatuses: Sendable {
    private let kept: KeptEditions<PostID, StatusEdition, KeptStatus>

    init(capacity: Int = 4096) { kept = KeptEditions(capacity: capacity) }

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
        try await kept.values(of: listed.lazy.map { (id: $0.entryID, edition: $0.edition) }) { ids in
            try await PostStore.entries(of: ids, in: dependencies.database)
                .map { ($0.status.entryID, $0.edition, KeptStatus($0, site: dependencies.site)) }
        }
    }
}

extension [ShownStatus] {
    /// Whatever a page of these shows, and what else it follows from; nil where what it shows does not last.
    func subjects(_ others: Int64?...) -> [Int64]? {
        guard allSatisfy({ $0.kept.template != nil }) else { return nil }
        return Array<Int64>(Set(flatMap(\.kept.subjects))) + others.compactMap(\.self)
    }
}

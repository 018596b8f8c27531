// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf/changes: what has changed on a shelf since a device last asked.

import Domain
import HTTPTypes
import Views
import Web

/// How much of a shelf a device knows.
struct ShelfCursor: Hashable, Sendable, CustomStringConvertible {
    /// It has seen every change up to this number.
    let position: Int64
    /// The number of the newest change when it began to read the shelf from nothing: earlier deletions are of things that it
    /// never saw. Nil once it is past that.
    let start: Int64?

    init(position: Int64, start: Int64?) {
        self.position = position
        self.start = start.flatMap { $0 > position ? $0 : nil }
    }

    /// Parses what `description` writes; nil for anything else.
    init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map {
            ID<Kind.ShelfBook>($0)?.rawValue
        }
        guard (1...2).contains(numbers.count), let position = numbers[0] else { return nil }
        if numbers.count == 2, numbers[1] == nil { return nil }
        self.init(position: position, start: numbers.count == 2 ? numbers[1] : nil)
    }

    var description: String { start.map { "\(position)-\($0)" } ?? "\(position)" }
}

/// Books, records, goals and deletions in the order in which they last changed, from `since` on; without it, the shelf from
/// nothing. Nothing is left out by somebody who goes on with `next`.
enum ListShelfChanges {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let parameters = try request.parameters()
        let since = try cursor(parameters)
        let most = dependencies.limits.library.changes
        let limit = try parameters.limit(default: most, maximum: most)
        let seen = try await ShelfStore.changes(
            of: owner,
            after: since?.position ?? 0,
            start: since.map { $0.start ?? $0.position },
            limit: limit + 1,
            in: dependencies.database
        )
        if let since, seen.forgotten > max(since.position, since.start ?? 0) || since.position > seen.version {
            throw outdated
        }
        let changes = seen.changes.prefix(limit)
        let hasMore = seen.changes.count > limit
        let next = ShelfCursor(
            position: hasMore ? changes.last?.version ?? 0 : seen.version,
            start: since == nil ? seen.version : since?.start
        )
        return .json(try await view(Array(changes), next: next, hasMore: hasMore, of: owner, dependencies))
    }

    private static func cursor(_ parameters: Parameters) throws -> ShelfCursor? {
        guard let text = try parameters.string("since"), !text.isEmpty else { return nil }
        guard let cursor = ShelfCursor(text) else { throw Problem.badRequest("since") }
        return cursor
    }

    /// The device has not asked for so long that it must read the shelf from nothing.
    private static var outdated: Problem { Problem(.gone, "reset") }

    /// What the changed things are now: something that changes meanwhile comes again, with a higher number.
    private static func view(
        _ changes: [ShelfChange],
        next: ShelfCursor,
        hasMore: Bool,
        of owner: AccountID,
        _ dependencies: Dependencies
    ) async throws -> ShelfChangesView {
        let database = dependencies.database
        func ids(_ kind: ShelfItem) -> [Int64] { changes.filter { $0.kind == kind && !$0.isGone }.map(\.id) }
        let (bookIDs, recordIDs) = (ids(.book).map(ShelfBookID.init(_:)), ids(.record).map(RecordID.init(_:)))
        let periods = ids(.goal).map(GoalPeriod.init(number:))
        async let books = ShelfBookStore.books(bookIDs, of: owner, in: database)
        async let records = RecordStore.records(recordIDs, of: owner, in: database)
        async let progress = ProgressStore.progress(of: recordIDs, in: database)
        async let goals = GoalStore.goals(periods, of: owner, in: database)
        let (days, site) = (try await progress, dependencies.site)
        return ShelfChangesView(
            books: try await books.sorted { $0.version < $1.version },
            records: try await records.sorted { $0.version < $1.version }.map { record in
                record.view(site: site, progress: days[record.id] ?? [], withBook: false)
            },
            goals: try await goals.sorted { $0.version < $1.version }.map { $0.view(kept: true) },
            deleted: changes.filter(\.isGone),
            next: next,
            hasMore: hasMore,
            site: site
        )
    }
}

/// A part of what has changed.
private struct ShelfChangesView: ObjectView {
    let books: [ShelfBook]
    let records: [RecordView]
    let goals: [GoalView]
    let deleted: [ShelfChange]
    let next: ShelfCursor
    let hasMore: Bool
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.array("books", books) { json, book in
            book.view(site: site).writeMembers(to: &json)
            json.member("version", book.version)
        }
        json.member("records", records)
        json.member("goals", goals)
        json.array("deleted", deleted) { json, change in
            json.member("type", change.kind.rawValue)
            json.member("id", change.kind == .goal ? GoalPeriod(number: change.id).text : String(change.id))
            json.member("client_id", change.clientID?.description)
            json.member("version", change.version)
        }
        json.member("next", next.description)
        json.member("has_more", hasMore)
    }
}

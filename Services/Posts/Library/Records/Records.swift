// SPDX-License-Identifier: Apache-2.0
// Steps of changes of records.

import Domain
import Events
import HTTPTypes
import Postgres
import Views
import Web

/// The later write wins; what it did not know of the texts it replaces is kept.
enum Records {
    enum Outcome: String, Sendable {
        case made, changed, unchanged
    }

    /// A record as a write leaves it.
    struct Written: Sendable {
        let record: RecordRow
        let progress: [Progress]
        let outcome: Outcome
        /// Whether the writer knew an older version than the one it replaces.
        let isConflict: Bool

        func view(site: Site, withBook: Bool = true) -> RecordView {
            record.view(site: site, progress: progress, withBook: withBook)
        }
    }

    /// Changes the record of that name, or makes it; without a name makes one.
    static func put(_ name: RecordName?, _ draft: RecordDraft, _ work: ShelfWork) async throws -> Written {
        if let name, let known = try await RecordStore.record(name, of: work.reader, in: work) {
            return try await change(known, draft, work)
        }
        switch name {
        case .id?: throw Problem.notFound
        case .client(let client)?:
            guard try await !ShelfStore.isGone(client, of: work.reader, in: work) else { throw gone }
            return try await make(client, draft, work)
        case nil: return try await make(nil, draft, work)
        }
    }

    /// A record that was deleted does not come back by a write that did not know of that.
    private static var gone: Problem { Problem.gone }

    private static func make(_ client: ClientID?, _ draft: RecordDraft, _ work: ShelfWork) async throws -> Written {
        let content = try draft.applied(to: RecordContent())
        let term = try await check(content, work)
        let progress = try draft.applied(to: [], limits: work.limits)
        // Whatever is refused is refused before anything is written: others come in the same transaction.
        let known = try await known(draft, work)
        try await work.addRecord()
        if let known {
            return try await flagged(try await make(client, content, progress, of: known, work), term, work)
        }
        guard let data = draft.book else { throw Problem.invalid("book", "blank") }
        let made = try await make(client, content, progress, of: ShelfBooks.take(data, work), work)
        return try await flagged(made, term, work)
    }

    /// Throws where others would read what may not be written here.
    static func check(_ content: RecordContent, _ work: ShelfWork) async throws -> BlockedTermID? {
        try await BlockedTerms.check(content.sharedTexts, work.dependencies, in: work)
    }

    private static func flagged(_ written: Written, _ term: BlockedTermID?, _ work: ShelfWork) async throws -> Written {
        try await FileFlag.run(term, on: KeptThing(written.record), work.dependencies, in: work.transaction)
        return written
    }

    /// The book of the shelf that a record is made for; nil for one that comes with it.
    private static func known(_ draft: RecordDraft, _ work: ShelfWork) async throws -> ShelfBook? {
        guard draft.book == nil else { return nil }
        guard let id = draft.bookID else { throw Problem.invalid("book", "blank") }
        guard let known = try await ShelfBookStore.book(id, of: work.reader, in: work) else {
            throw Problem.invalid("book_id", "not_found")
        }
        return known.book
    }

    /// Makes a record of a book that is on the shelf; the shelf has room for it.
    static func make(
        _ client: ClientID?,
        _ content: RecordContent,
        _ progress: [Progress],
        of book: ShelfBook,
        _ work: ShelfWork
    ) async throws -> Written {
        var record = RecordRow(
            id: try work.dependencies.ids.next(),
            readerID: work.reader,
            clientID: client,
            version: work.next(),
            content: content,
            updatedAt: work.dependencies.now(),
            book: book
        )
        if content.isFavourite { record.favouriteID = work.dependencies.ids.number() }
        record.show(progress)
        try RecordStore.insert(record, in: work)
        if !progress.isEmpty { ProgressStore.put(progress, of: record.id, by: work.reader, in: work) }
        work.recount([content.finishedOn])
        try await work.tell(nil, record)
        return Written(record: record, progress: progress, outcome: .made, isConflict: false)
    }

    private static func change(_ before: RecordRow, _ draft: RecordDraft, _ work: ShelfWork) async throws -> Written {
        let content = try draft.applied(to: before.content)
        let days = try await ProgressStore.progress(of: [before.id], in: work)[before.id] ?? []
        let progress = try draft.applied(to: days, limits: work.limits)
        let isConflict = draft.base.map { $0 != before.version } ?? false
        guard content != before.content || progress != days else {
            return Written(record: before, progress: days, outcome: .unchanged, isConflict: isConflict)
        }
        let term = content == before.content ? nil : try await check(content, work)
        var after = before
        after.content = content
        after.version = work.next()
        after.updatedAt = work.dependencies.now()
        if content.isFavourite != before.content.isFavourite {
            after.favouriteID = content.isFavourite ? work.dependencies.ids.number() : nil
        }
        after.show(progress)
        try RecordStore.update(after, in: work)
        try keep(draft.losing(before.content, version: before.version, after: content), of: before.id, work)
        write(days, progress, of: before.id, work)
        if content.finishedOn != before.content.finishedOn {
            work.recount([content.finishedOn, before.content.finishedOn])
        }
        if content != before.content { try await work.tell(before, after) }
        return try await flagged(
            Written(record: after, progress: progress, outcome: .changed, isConflict: isConflict),
            term,
            work
        )
    }

    private static func keep(_ texts: [EarlierText], of record: RecordID, _ work: ShelfWork) throws {
        guard !texts.isEmpty else { return }
        let most = work.limits.earlierTexts
        let kept = try texts.prefix(most).map { (id: try work.dependencies.ids.next(RecordID.self), text: $0) }
        EarlierTextStore.keep(kept, of: record, keeping: most, in: work)
    }

    private static func write(_ before: [Progress], _ after: [Progress], of record: RecordID, _ work: ShelfWork) {
        let known = Set(before)
        let days = Set(after.map(\.day))
        let new = after.filter { !known.contains($0) }
        let gone = before.map(\.day).filter { !days.contains($0) }
        if !gone.isEmpty { ProgressStore.delete(gone, of: record, in: work) }
        if !new.isEmpty { ProgressStore.put(new, of: record, by: work.reader, in: work) }
    }

    /// Deletes a record, and its book with it if that has no other.
    ///
    /// - Parameter base: the version that the writer knew; what it has not seen it does not delete.
    /// - Returns: false when there is no such record.
    static func delete(_ name: RecordName, base: Int64?, _ work: ShelfWork) async throws -> Bool {
        guard let record = try await RecordStore.record(name, of: work.reader, in: work) else { return false }
        if let base, base != record.version { throw Problem.conflict("outdated") }
        RecordStore.delete(record.id, in: work)
        _ = work.bury(.record, record.id.rawValue, client: record.clientID)
        try await work.tell(record, nil)
        try await ShelfBooks.leave(record.book.id, work)
        return true
    }

    /// Changes the record of the path and answers it.
    static func change(
        _ request: Request,
        _ dependencies: Dependencies,
        by draft: RecordDraft
    ) async throws -> Answer {
        let account = try request.requireAccount()
        let name = try request.recordName()
        let written = try await ShelfWork.run(account, dependencies) { work in
            guard let known = try await RecordStore.record(name, of: work.reader, in: work) else {
                throw Problem.notFound
            }
            return try await change(known, draft, work)
        }
        return .json(written.view(site: dependencies.site))
    }
}

extension RecordRow {
    /// Shows how far its reader was on the newest of these days.
    fileprivate mutating func show(_ progress: [Progress]) {
        page = progress.last?.page
        percent = progress.last?.percent
    }
}

extension Request {
    /// The record of the path, by its id or by its app's.
    func recordName() throws -> RecordName {
        guard let name = pathParameters["id"].flatMap({ RecordName($0) }) else { throw Problem.notFound }
        return name
    }
}

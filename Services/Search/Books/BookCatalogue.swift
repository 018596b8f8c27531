// SPDX-License-Identifier: Apache-2.0
// The catalogue of books: what sources answer, and where they do not, what they told before.

import Domain
import Logging
import Outbound
import Postgres
import ServiceKit
import Views

/// Who may be asked, and what is asked of them. Other processes are kept apart by rows of `book_answers`.
final class BookCatalogue: Sendable {
    /// Places of a list: none is shown that is farther.
    static let places = 0..<1000
    /// How many parts are asked for at one request, at most: whoever pages on needs one, who jumps far gets there in several steps.
    private static let steps = 3
    /// Terms of a question.
    private static let terms = 64

    let settings: BookSettings
    private let upstreams: Upstreams<BookSourceName>

    /// - Parameter patience: how long somebody waits in all for what sources have.
    init(
        _ settings: BookSettings = BookSettings(),
        patience: Duration = .seconds(2),
        metrics: Metrics = Metrics(),
        logger: Logger = Logger(label: "search")
    ) {
        self.settings = settings
        upstreams = Upstreams(
            patience: patience,
            telling: .init(
                warning: "a source of books does not answer",
                metric: "madang_search_book_asks_total",
                help: "What was asked of sources of books outside, by what came of it.",
                metrics: metrics,
                logger: logger
            )
        )
    }

    /// As much of a list as is known up to a place, and whether all sources said what they have of it.
    func list(_ query: BookQuery, upTo end: Int, _ dependencies: Dependencies) async throws -> MergedBooks {
        var merged = MergedBooks()
        var left = settings.sources
        var isWhole = !left.isEmpty
        let moment = upstreams.end
        var steps = Self.steps
        for number in BookCall.parts where merged.count < end && !left.isEmpty {
            let questions = left.map { BookQuestion(call: .part(query.text, number: number), source: $0, dependencies) }
            var kept = try await known(questions, dependencies)
            if steps > 0, try await ask(questions, besides: kept, until: moment, dependencies) {
                steps -= 1
                kept = try await known(questions, dependencies)
            }
            if left.contains(where: { kept[$0.name] == nil }) { isWhole = false }
            merged.add(inTurns: left.compactMap { kept[$0.name]?.books })
            // Nobody is asked for what is not there.
            left.removeAll { source in kept[source.name].map { $0.total <= (number + 1) * BookCall.size } ?? true }
        }
        if !isWhole, merged.count < end {
            for book in try await told(query, dependencies) { merged.add(book) }
        }
        return merged
    }

    /// What is told of an edition, by all sources.
    func book(_ isbn: ISBN, _ dependencies: Dependencies) async throws -> BookView? {
        let questions = settings.sources.map { BookQuestion(call: .isbn(isbn), source: $0, dependencies) }
        let kept = try await known(questions, dependencies)
        _ = try await ask(questions, besides: kept, until: upstreams.end, dependencies)
        let oldest = dependencies.now() - settings.kept
        let told = try await BookStore.books(of: isbn, since: oldest, in: dependencies.database)
        return MergedBooks(told).views(0..<1, site: dependencies.site).first
    }

    // MARK: What is known

    private func known(_ questions: [BookQuestion], _ dependencies: Dependencies) async throws
        -> [BookSourceName: KeptBooks]
    {
        guard !questions.isEmpty else { return [:] }
        let now = dependencies.now()
        let kept = try await BookAnswerStore.answers(
            questions.map(\.hash),
            at: now,
            since: now - settings.kept,
            in: dependencies.database
        )
        return Dictionary(kept.map { ($0.source, $0) }) { first, _ in first }
    }

    /// What sources told of books that have all these words, whatever was asked then.
    private func told(_ query: BookQuery, _ dependencies: Dependencies) async throws -> [ToldBook] {
        let terms = query.terms.prefix(Self.terms)
        guard !terms.isEmpty else { return [] }
        let oldest = dependencies.now() - settings.kept
        do {
            return try await BookStore.books(having: Array(terms), since: oldest, in: dependencies.bounded)
        } catch let error as PostgresError where error.isUnavailable {
            // It stands in for others; what they have is shown all the same.
            return []
        }
    }

    // MARK: Asking

    /// Asks those, all at once, of whom nothing new is known and who may be asked.
    ///
    /// - Returns: whether anybody was asked.
    private func ask(
        _ questions: [BookQuestion],
        besides kept: [BookSourceName: KeptBooks],
        until end: ContinuousClock.Instant,
        _ dependencies: Dependencies
    ) async throws -> Bool {
        let now = dependencies.now()
        let open = questions.filter { kept[$0.name]?.isFresh != true && upstreams.isAwake($0.name, at: now) }
        await withTaskGroup(of: Void.self) { group in
            for question in open {
                group.addTask { await self.upstreams.fly(question, until: end, now: dependencies.now) }
            }
        }
        return !open.isEmpty
    }
}

/// Something that a source is asked.
private struct BookQuestion: UpstreamQuestion {
    let call: BookCall
    let source: any BookSource
    let hash: [UInt8]
    private let dependencies: Dependencies

    var name: BookSourceName { source.name }

    init(call: BookCall, source: any BookSource, _ dependencies: Dependencies) {
        self.call = call
        self.source = source
        self.dependencies = dependencies
        hash = call.hash(source.name)
    }

    func isAnswered() async throws -> Bool {
        try await BookAnswerStore.isFresh(hash, at: dependencies.now(), in: dependencies.database)
    }

    func claim(at now: Timestamp, until lease: Timestamp) async throws -> Bool {
        try await BookAnswerStore.claim(hash, of: name, at: now, until: lease, in: dependencies.database)
    }

    func ask(within time: Duration) async throws {
        let database = dependencies.database
        let daily = source.access.daily
        guard try await BookAskStore.spend(name, at: dependencies.now(), most: daily, in: database) else {
            throw NoAnswer.spent
        }
        let request = source.request(call, time: time, from: dependencies.site.origin)
        let told = try source.read(try await dependencies.outbound.send(request), to: call)
        let now = dependencies.now()
        let fresh = now + dependencies.books.settings.fresh
        try await database.transaction { transaction in
            try BookStore.keep(told.books, at: now, in: transaction)
            BookAnswerStore.keep(told, as: hash, of: name, at: now, fresh: fresh, in: transaction)
        }
    }

    func release() async throws { try await BookAnswerStore.release(hash, in: dependencies.database) }
}

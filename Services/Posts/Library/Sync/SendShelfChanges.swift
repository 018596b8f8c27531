// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/shelf/changes: what somebody did on a device, perhaps without a network.

import Domain
import HTTPTypes
import Views
import Web

/// Takes writes in their order, each with an outcome of its own. One that was taken before, by its `key`, changes nothing.
enum SendShelfChanges {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        guard let list = try request.parameters().list("writes") else { throw Problem.invalid("writes", "blank") }
        guard list.count <= dependencies.limits.library.writes else { throw Problem.invalid("writes", "too_many") }
        let writes = try list.map(ShelfWrite.init)
        let outcomes = try await ShelfWork.run(account, dependencies) { work in
            var taken = try await ShelfWriteStore.taken(writes.map(\.key), of: work.reader, in: work)
            var outcomes: [ShelfOutcome] = []
            var new: [ClientID] = []
            for write in writes {
                guard !taken.contains(write.key) else {
                    outcomes.append(ShelfOutcome(key: write.key, word: "repeated"))
                    continue
                }
                let outcome = try await outcome(of: write, work)
                outcomes.append(outcome)
                // What was refused may come again in another state of the shelf.
                guard outcome.refusal == nil else { continue }
                taken.insert(write.key)
                new.append(write.key)
            }
            if !new.isEmpty { ShelfWriteStore.remember(new, of: work.reader, at: dependencies.now(), in: work) }
            return outcomes
        }
        let language = request.language
        return .json { json in
            json.array("outcomes", outcomes) { json, outcome in outcome.writeMembers(to: &json, in: language) }
        }
    }

    private static func outcome(of write: ShelfWrite, _ work: ShelfWork) async throws -> ShelfOutcome {
        do {
            return try await write.apply(work)
        } catch let problem as Problem where problem.status.kind == .clientError {
            return ShelfOutcome(key: write.key, word: "refused", refusal: problem)
        }
    }
}

/// One of several writes.
struct ShelfWrite: Sendable {
    private enum Operation: String {
        case put, delete
    }

    let key: ClientID
    private let parameters: Parameters

    init(_ parameters: Parameters) throws {
        guard let key = try parameters.string("key").flatMap({ ClientID($0) }) else {
            throw Problem.invalid("key", "invalid")
        }
        self.key = key
        self.parameters = parameters
    }

    /// Throws a problem before anything is written.
    func apply(_ work: ShelfWork) async throws -> ShelfOutcome {
        guard let kind: ShelfItem = try parameters.word("type") else { throw Problem.invalid("type", "blank") }
        let operation: Operation = try parameters.word("op") ?? .put
        switch (kind, operation) {
        case (.record, .put): return try await putRecord(work)
        case (.record, .delete): return try await deleteRecord(work)
        case (.goal, .put):
            let period = try period()
            let put = try await Goals.put(period, books: data().goal(), work)
            return ShelfOutcome(key: key, word: put.outcome.rawValue, id: period.text, version: put.version)
        case (.goal, .delete):
            let period = try period()
            _ = try await Goals.delete(period, base: parameters.seq("version"), work)
            return ShelfOutcome(key: key, word: "deleted", id: period.text)
        case (.book, .put):
            guard let id: ShelfBookID = try parameters.id("id") else { throw Problem.invalid("id", "blank") }
            let book = try await ShelfBooks.edit(id, BookData(data(), limits: work.limits), work)
            return ShelfOutcome(key: key, word: "changed", id: id.description, version: book.version)
        case (.book, .delete): throw Problem.invalid("op", "inclusion")
        }
    }

    private func putRecord(_ work: ShelfWork) async throws -> ShelfOutcome {
        var draft = try RecordDraft(data(), today: nil, limits: work.limits)
        draft.base = try parameters.seq("version") ?? draft.base
        let written = try await Records.put(name(), draft, work)
        return ShelfOutcome(
            key: key,
            word: written.outcome.rawValue,
            id: written.record.id.description,
            version: written.record.version,
            isConflict: written.isConflict
        )
    }

    private func deleteRecord(_ work: ShelfWork) async throws -> ShelfOutcome {
        let name = try name()
        // Whoever deletes what is gone has what they wanted.
        _ = try await Records.delete(name, base: parameters.seq("version"), work)
        return ShelfOutcome(key: key, word: "deleted")
    }

    private func data() throws -> Parameters { try parameters.nested("data") ?? Parameters() }

    private func name() throws -> RecordName {
        guard let name = try parameters.string("id").flatMap({ RecordName($0) }) else {
            throw Problem.invalid("id", "invalid")
        }
        return name
    }

    private func period() throws -> GoalPeriod {
        guard let period = try parameters.string("id").flatMap({ GoalPeriod($0) }) else {
            throw Problem.invalid("id", "invalid")
        }
        return period
    }
}

/// What became of one of several writes.
struct ShelfOutcome: Sendable {
    let key: ClientID
    /// `made`, `changed`, `unchanged`, `deleted`, `repeated` or `refused`.
    let word: String
    /// As the server calls what was written; of a goal, its time.
    var id: String?
    var version: Int64?
    /// Whether the writer knew an older version than the one that it replaced.
    var isConflict = false
    var refusal: Problem?

    func writeMembers(to json: inout JSONWriter, in language: Language) {
        json.member("key", key.description)
        json.member("outcome", word)
        json.member("id", id)
        json.name("version")
        if let version { json.integer(version) } else { json.null() }
        json.member("conflict", isConflict)
        guard let refusal else { return json.null("error") }
        json.object("error") { json in
            json.member("code", refusal.code)
            json.member("error", refusal.text(in: language))
            json.array("fields", refusal.fields) { json, field in
                json.member("name", field.name)
                json.member("code", field.code)
            }
        }
    }
}

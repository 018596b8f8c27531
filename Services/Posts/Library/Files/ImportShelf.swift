// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/shelf/import: records from a table of another program, or of an export.

import Domain
import HTTPTypes
import Views
import Web

/// Takes a table as CSV (`text/csv`) in Goodreads', Rebit's or our columns and reports on each of its rows. A reading of the same
/// book in the same state that began and ended on the same days is taken for the same, so that a file may come again.
enum ImportShelf {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let limits = dependencies.limits.library
        var rows = try table(request, limits)[...]
        let names = rows.popFirst().map(ShelfCSV.names) ?? []
        guard names.contains("title") else { throw Problem.invalid("title", "blank") }
        let read = rows.map { row in ReadRow(line: row.line, ShelfCSV.Row(names, row.fields), limits) }
        var reports: [Report] = []
        for first in stride(from: 0, to: read.count, by: limits.rowsInStep) {
            let step = Array(read[first..<min(first + limits.rowsInStep, read.count)])
            reports += try await ShelfWork.run(account, dependencies) { try await take(step, $0) }
        }
        return answer(reports, in: request.language)
    }

    private static func table(_ request: Request, _ limits: LibraryLimits) throws -> [CSV.Row] {
        let type = (request.headers[.contentType] ?? "text/csv").prefix { $0 != ";" }.trimmed.lowercased()
        guard type == "text/csv" || type == "application/csv" else {
            throw Problem.unsupportedMediaType
        }
        guard !request.body.contains(0), let text = String(validating: request.body, as: UTF8.self) else {
            throw Problem.badRequest("body")
        }
        let table = CSV(text)
        guard !table.isCut else { throw Problem.badRequest("CSV: a quotation mark has no other") }
        // The names of the columns are one.
        guard table.rows.count <= limits.rows + 1 else { throw Problem.invalid("rows", "too_many") }
        return table.rows
    }

    /// A row that says what it means, or why it does not.
    private struct ReadRow: Sendable {
        let line: Int
        let result: Result<(book: BookData, content: RecordContent), Problem>

        init(line: Int, _ row: ShelfCSV.Row, _ limits: LibraryLimits) {
            self.line = line
            do {
                result = .success(try row.read(limits: limits))
            } catch {
                result = .failure((error as? Problem) ?? .badRequest("line \(line)"))
            }
        }
    }

    private struct Report: Sendable {
        let line: Int
        var record: RecordID?
        var refusal: Problem?

        var word: String { record != nil ? "made" : refusal != nil ? "refused" : "double" }
    }

    private static func take(_ rows: [ReadRow], _ work: ShelfWork) async throws -> [Report] {
        let keys = rows.map { row in (try? row.result.get())?.book.key ?? [] }
        let places = try await ShelfBookStore.books(of: keys, of: work.reader, in: work)
        var books = Dictionary(places.map { (keys[$0.key], $0.value) }) { first, _ in first }
        let known = try await RecordStore.readings(of: places.values.map(\.id), in: work)
        var readings = Set(known)
        var reports: [Report] = []
        for (row, key) in zip(rows, keys) {
            switch row.result {
            case .failure(let problem): reports.append(Report(line: row.line, refusal: problem))
            case .success((let data, let content)):
                if let book = books[key], readings.contains(Reading(of: book.id, content)) {
                    reports.append(Report(line: row.line))
                    continue
                }
                do {
                    _ = try await Records.check(content, work)
                    try await work.addRecord()
                } catch let problem as Problem where problem.status.kind == .clientError {
                    reports.append(Report(line: row.line, refusal: problem))
                    continue
                }
                let book = try ShelfBooks.take(data, known: books[key], work)
                books[key] = book
                let made = try await Records.make(nil, content, [], of: book, work)
                readings.insert(Reading(of: book.id, content))
                reports.append(Report(line: row.line, record: made.record.id))
            }
        }
        return reports
    }

    private static func answer(_ reports: [Report], in language: Language) -> Answer {
        func count(_ word: String) -> Int { reports.lazy.filter { $0.word == word }.count }
        return .json { json in
            json.member("made", count("made"))
            json.member("doubles", count("double"))
            json.member("refused", count("refused"))
            json.array("rows", reports) { json, report in
                json.member("line", report.line)
                json.member("outcome", report.word)
                json.member("record_id", report.record)
                json.member("reason", report.refusal?.text(in: language))
            }
        }
    }
}

/// By what two readings of a table and a shelf are the same.
struct Reading: Hashable, Sendable {
    let bookID: ShelfBookID
    let state: ReadingState
    let startedOn: Day?
    let endedOn: Day?
}

extension Reading {
    init(of bookID: ShelfBookID, _ content: RecordContent) {
        self.init(bookID: bookID, state: content.state, startedOn: content.startedOn, endedOn: content.endedOn)
    }
}

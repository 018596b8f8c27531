// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf/export: a shelf as a file, to keep or to take elsewhere.

import Domain
import HTTPTypes
import Views
import Web

/// All records as JSON, or as CSV in Goodreads' columns and ours, oldest first. A shelf of more than some megabytes comes in
/// parts, each with a `Link` to the next.
enum ExportShelf {
    private enum Format: String {
        case json, csv
    }

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let parameters = try request.parameters()
        let format: Format = try parameters.word("format") ?? .json
        let first = try parameters.cursor("min_id") ?? 0
        var part = Part(format == .csv ? .csv(ShelfCSV.header) : .json(JSONWriter(capacity: 64 << 10)))
        var last = RecordID(first)
        var hasMore = false
        let limits = dependencies.limits.library
        repeat {
            let page = Page(after: last.rawValue, limit: limits.exportStep)
            let records = try await RecordStore.page(page, of: .all, of: owner, in: dependencies.database)
            let days =
                format == .csv
                ? [:] : try await ProgressStore.progress(of: records.map(\.id), in: dependencies.database)
            for record in records.reversed() { part.append(record, days[record.id] ?? [], site: dependencies.site) }
            last = records.first?.id ?? last
            hasMore = records.count == limits.exportStep
        } while hasMore && part.count < limits.exportPart
        // Goals come with the first part.
        let goals =
            first == 0 ? try await GoalStore.goals(of: owner, year: nil, in: dependencies.database) : []
        var answer = part.answer(goals: goals, at: dependencies.now())
        let name = "shelf.\(format.rawValue)"
        answer.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        if hasMore {
            let next = "\(dependencies.site.origin)\(request.path)?format=\(format.rawValue)&min_id=\(last)"
            answer.headers[.link] = "<\(next)>; rel=\"next\""
        }
        return answer
    }

    /// What is written of the file so far.
    private struct Part {
        enum Content {
            case csv(String)
            case json(JSONWriter)
        }

        private var content: Content
        private var isFirst = true

        init(_ content: Content) { self.content = content }

        var count: Int {
            switch content {
            case .csv(let text): text.utf8.count
            case .json(let json): json.bytes.count
            }
        }

        mutating func append(_ record: RecordRow, _ days: [Progress], site: Site) {
            switch content {
            case .csv(var text):
                content = .csv("")
                text += ShelfCSV.line(record)
                content = .csv(text)
            case .json(var json):
                content = .json(JSONWriter(capacity: 0))
                record.view(site: site, progress: days, isExported: true).write(to: &json)
                content = .json(json)
            }
        }

        func answer(goals: [GoalRow], at now: Timestamp) -> Answer {
            switch content {
            case .csv(let text):
                return Answer(
                    headers: [.contentType: "text/csv; charset=utf-8; header=present"],
                    body: Array(text.utf8)
                )
            case .json(let records):
                return .json { json in
                    json.member("exported_at", now)
                    json.member("goals", goals.map { $0.view(kept: true) })
                    json.name("records")
                    json.raw([UInt8(ascii: "[")] + records.bytes + [UInt8(ascii: "]")])
                }
            }
        }
    }
}

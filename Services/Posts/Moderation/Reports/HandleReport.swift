// SPDX-License-Identifier: Apache-2.0
// Claiming, closing and reopening a report, by the names of Mastodon's API and by ours.

import Domain
import Postgres
import Web

/// What a moderator does with a report besides deciding, unless it is about themselves. Doing it again changes nothing.
enum HandleReport {
    typealias Run = Route<Dependencies>.Run

    static let claim: Run = handle(.claim, GetQueuedReport.answer)
    static let release: Run = handle(.release, GetQueuedReport.answer)
    static let close: Run = handle(.close, GetQueuedReport.answer)
    static let reopen: Run = handle(.reopen, GetQueuedReport.answer)

    static let assign: Run = handle(.claim, GetAdminReport.answer)
    static let unassign: Run = handle(.release, GetAdminReport.answer)
    static let resolve: Run = handle(.close, GetAdminReport.answer)
    static let open: Run = handle(.reopen, GetAdminReport.answer)

    private static func handle(
        _ deed: ModerationDeed,
        _ answer: @escaping @Sendable (ReportID, AccountID, Dependencies) async throws -> Answer
    ) -> Run {
        { request, dependencies in
            let moderator = try request.requireAccount()
            let id: ReportID = try request.id()
            try await ModerationWork.run(moderator, dependencies) { work in
                let report = try await work.hold(id).found().report
                switch deed {
                case .claim where report.assignedID != moderator.id:
                    ReportStore.assign(id, to: moderator.id, at: work.now, in: work)
                case .release where report.assignedID != nil:
                    ReportStore.assign(id, to: nil, at: work.now, in: work)
                case .close where report.closedAt == nil:
                    ReportStore.close(id, by: moderator.id, at: work.now, in: work)
                case .reopen where report.closedAt != nil:
                    ReportStore.close(id, by: nil, at: work.now, in: work)
                default: return
                }
                work.log(deed, report: id, about: report.targetID)
            }
            return try await answer(id, moderator.id, dependencies)
        }
    }
}

/// POST /api/v1/moderation/reports/:id/notes: a moderator writes to the others.
enum NoteReport {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount()
        let id: ReportID = try request.id()
        let limits = dependencies.limits.moderation
        guard let text = try request.parameters().prose("text", limit: limits.note) else {
            throw Problem.invalid("text", "blank")
        }
        let number: ReportNoteID = try dependencies.ids.next()
        try await ModerationWork.run(moderator, dependencies) { work in
            let report = try await work.hold(id).found().report
            guard try await ReportStore.notes(of: id, in: work).count < limits.notes else {
                throw Problem.invalid("text", "too_many")
            }
            let note = ReportNote(id: number, accountID: moderator.id, text: text, createdAt: work.now)
            ReportStore.insert(note, of: id, in: work)
            work.log(.note, report: id, about: report.targetID)
        }
        return try await GetQueuedReport.answer(id, moderator.id, dependencies)
    }
}

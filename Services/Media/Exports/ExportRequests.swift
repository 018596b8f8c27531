// SPDX-License-Identifier: Apache-2.0
// /api/v1/exports: archives of what is somebody's, for themselves alone and by apps of the operator's own.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Web

enum ExportRequests {
    /// The newest first.
    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireOwnApp().id
        let exports = try await ExportStore.list(of: account, in: dependencies.database)
        return forOwner(.json(array: exports.map { ExportView($0, dependencies) }))
    }

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireOwnApp().id
        let export = try await ExportStore.export(request.id(), of: account, in: dependencies.database).found()
        return forOwner(.json(ExportView(export, dependencies)))
    }

    /// 409 while one is under way, 429 a day after the last one that did not fail.
    @Sendable static func ask(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireOwnApp().id
        let (now, database) = (dependencies.now(), dependencies.database)
        if let newest = try await ExportStore.newest(of: account, in: database) {
            guard newest.state != .gathering, newest.state != .writing else { throw underWay }
            let next = newest.asked + dependencies.exports.pause
            guard next <= now else { throw Problem.tooMany(retryAfter: next - now) }
        }
        let id: ExportID = try dependencies.ids.next()
        try await database.transaction { transaction in
            guard try await ExportStore.ask(id, for: account, at: now, in: transaction) else { throw underWay }
            try transaction.record(ExportAsked(exportID: id, accountID: account))
        }
        let export = try await ExportStore.export(id, of: account, in: database).found()
        return forOwner(.json(ExportView(export, dependencies), status: .accepted))
    }

    /// Also of one that is under way.
    @Sendable static func delete(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireOwnApp().id
        let id: ExportID = try request.id()
        let now = dependencies.now()
        let file = try await dependencies.database.transaction { transaction in
            let export = try await ExportStore.export(id, of: account, in: transaction).found()
            guard try await ExportStore.delete(id, of: account, in: transaction) else { throw Problem.notFound }
            FileStore.loosen(filesOf: [id.asUpload], at: now, in: transaction)
            return export.file
        }
        // No two archives are the same: links to it show nothing from now on.
        if let file { await dependencies.storage.remove([file]) }
        return .empty
    }

    /// Links are for who asked.
    private static func forOwner(_ answer: Answer) -> Answer {
        var answer = answer
        answer.headers[.cacheControl] = "private, no-store"
        return answer
    }

    private static let underWay = Problem.own(
        .conflict,
        "export-under-way",
        english: "An archive is being made already",
        korean: "이미 보관 파일을 만들고 있습니다",
        japanese: "アーカイブはすでに作成中です"
    )
}

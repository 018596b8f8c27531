// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf/records/:id and /api/v1/records/:id: one record, for its owner and for others.

import Domain
import Web

/// A record of somebody's own, with its progress day by day.
enum GetOwnRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let record = try await require(request.recordName(), of: owner, dependencies)
        let days = try await ProgressStore.progress(of: [record.id], in: dependencies.database)
        return .json(record.view(site: dependencies.site, progress: days[record.id] ?? []))
    }

    static func require(
        _ name: RecordName,
        of owner: AccountID,
        _ dependencies: Dependencies
    ) async throws -> RecordRow {
        try await RecordStore.record(name, of: owner, in: dependencies.database).found()
    }
}

/// A record that somebody shows the viewer.
enum GetRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let id: RecordID = try request.id()
        let shown = try await RecordStore.shown(id, to: request.viewer, in: dependencies.database).found()
        return .json(shown.record.view(site: dependencies.site, reader: shown.reader))
    }
}

// SPDX-License-Identifier: Apache-2.0
// A playground as somebody sees it.

import Domain
import Events
import Postgres
import Web

/// A playground and what somebody is in it.
struct SeenPlayground: Joined {
    let playground: PlaygroundRow
    /// Nil for an outsider.
    let role: ChatRole?

    /// Those of the playground, and of the viewer's `playground_members p`.
    static let list = PlaygroundRow.list + ColumnList("p", "role")

    var id: PlaygroundID { playground.id }

    /// Throws unless the asking person may do this: 404 when they may not even see the playground.
    func require(_ act: Permission.PlaygroundAct) throws {
        try Permission.refusal(act, role, isOpen: playground.isOpen)?.raise()
    }
}

extension SeenPlayground {
    init(columns: inout Columns) throws { self = try columns.read(Self.init) }

    /// The playground of the path; throws what `require` does when the asking person may not do this.
    static func find(
        _ request: Request,
        _ dependencies: Dependencies,
        to act: Permission.PlaygroundAct
    ) async throws -> SeenPlayground {
        let viewer = try request.requireAccount().id
        let seen = try await PlaygroundStore.seen(try request.id(), by: viewer, in: dependencies.database).found()
        try seen.require(act)
        return seen
    }

    /// A playground, held against every other change of it until the end of the transaction.
    static func hold(_ id: PlaygroundID, by viewer: AccountID, in work: Work) async throws -> SeenPlayground {
        PlaygroundStore.hold(id, in: work)
        guard let seen = try await PlaygroundStore.seen(id, by: viewer, in: work) else { throw Problem.notFound }
        return seen
    }
}

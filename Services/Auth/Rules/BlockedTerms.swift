// SPDX-License-Identifier: Apache-2.0
// /api/v1/admin/blocked_terms: the words that may not be written here.

import Domain
import Events
import Serving
import Surface
import Views
import Web

/// For whoever has a role and a token that says so.
enum BlockedTerms {
    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try request.requireStaff()
        let parameters = try request.parameters()
        let limit = try parameters.limit(default: 100, maximum: 200)
        let after = try parameters.cursor("min_id") ?? 0
        let terms = try await BlockedTermStore.list(after: after, limit: limit, in: dependencies.database)
        return .json(array: terms.map(BlockedTermView.init))
    }

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try request.requireStaff()
        return .json(BlockedTermView(try await BlockedTermStore.find(request.id(), in: dependencies.database).found()))
    }

    @Sendable static func block(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try request.requireStaff()
        let wish = try wish(request.parameters(), before: nil)
        return try await show(try await Blocks(request, dependencies).block(wish).termID, dependencies)
    }

    @Sendable static func change(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try request.requireStaff()
        let id: BlockedTermID = try request.id()
        let before = try await BlockedTermStore.find(id, in: dependencies.database).found()
        let wish = try wish(request.parameters(), before: before.term)
        return try await show(try await Blocks(request, dependencies).block(wish, as: id).termID, dependencies)
    }

    @Sendable static func unblock(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try request.requireStaff()
        let id: BlockedTermID = try request.id()
        let isGone = try await Blocks(request, dependencies).unblock { try await BlockedTermStore.find(id, in: $0) }
        guard isGone else { throw Problem.notFound }
        return .empty
    }

    private static func show(_ id: BlockedTermID, _ dependencies: Dependencies) async throws -> Answer {
        .json(BlockedTermView(try await BlockedTermStore.find(id, in: dependencies.database).found()))
    }

    private static func wish(_ parameters: Parameters, before: BlockList.Term?) throws -> Blocks.Wish {
        guard let text = try parameters.string("text") ?? before?.text else { throw Problem.invalid("text", "blank") }
        let named = try parameters.string("action")
        guard let action = named.map(TermAction.init(rawValue:)) ?? before?.action ?? .refuse else {
            throw Problem.invalid("action", "inclusion")
        }
        let digits = try parameters.boolean("sees_through_digits") ?? before?.seesThroughDigits ?? false
        return try Blocks.Wish(text: text, action: action, seesThroughDigits: digits)
    }
}

private struct BlockedTermView: ObjectView {
    let term: BlockedTerm

    init(_ term: BlockedTerm) { self.term = term }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", term.term.id)
        json.member("text", term.term.text)
        json.member("action", term.term.action.rawValue)
        json.member("sees_through_digits", term.term.seesThroughDigits)
        json.member("changed_at", term.changed)
    }
}

extension Request {
    /// Who asks, if they may do something to others here.
    func requireStaff() throws -> Principal.Account {
        let account = try requireAccount()
        guard account.role != .user else { throw Problem.forbidden }
        return account
    }
}

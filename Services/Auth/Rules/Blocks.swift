// SPDX-License-Identifier: Apache-2.0
// Blocking words and domains, whether by an app or at the command line.

import Domain
import Events
import Outbox
import Postgres
import Serving
import TextAnalysis
import Web

/// Changes what may not be written here, and tells everybody.
struct Blocks: Sendable {
    enum Refusal: Error {
        /// It can never be found: too long, or nothing is left of it.
        case unfindable
        case noDomain
        case full
    }

    /// What is asked for of a word.
    struct Wish: Sendable {
        let text: String
        let action: TermAction
        let seesThroughDigits: Bool

        init(text: String, action: TermAction = .refuse, seesThroughDigits: Bool = false) throws(Refusal) {
            let text = text.visibleLine
            guard text.utf8.count <= 512, TermMatcher.canFind(text) else { throw .unfindable }
            self.text = text
            self.action = action
            self.seesThroughDigits = seesThroughDigits
        }
    }

    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let audit: Audit
    var most = BlockListStore.most

    /// Blocks a word, or changes how it is.
    ///
    /// - Parameter id: of the word that is changed; nil for a new one, or the one with that text.
    func block(_ wish: Wish, as id: BlockedTermID? = nil) async throws -> BlockedTermChanged {
        let new: BlockedTermID = try ids.next()
        return try await database.transaction { transaction in
            BlockedTermStore.hold(in: transaction)
            let same = try await BlockedTermStore.find(wish.text, in: transaction)
            if let id {
                guard try await BlockedTermStore.find(id, in: transaction) != nil else { throw Problem.notFound }
                guard same == nil || same?.term.id == id else { throw Problem.invalid("text", "taken") }
            } else if same == nil, try await BlockedTermStore.isFull(most, in: transaction) {
                throw Refusal.full
            }
            return try tell(wish, of: id ?? same?.term.id ?? new, transaction)
        }
    }

    /// - Returns: false where it was not blocked.
    func unblock(_ find: @Sendable (Transaction) async throws -> BlockedTerm?) async throws -> Bool {
        try await database.transaction { transaction in
            BlockedTermStore.hold(in: transaction)
            guard let found = try await find(transaction) else { return false }
            _ = try tell(nil, of: found.term.id, transaction)
            try audit.note(.termUnblocked, .init(detail: found.term.text), in: transaction)
            return true
        }
    }

    private func tell(_ wish: Wish?, of id: BlockedTermID, _ transaction: Transaction) throws -> BlockedTermChanged {
        let changed = BlockedTermChanged(
            termID: id,
            text: wish?.text ?? "",
            action: wish?.action,
            seesThroughDigits: wish?.seesThroughDigits ?? false,
            changedAt: now(),
            subjectVersion: ids.number()
        )
        BlockListStore.keep(changed, in: transaction)
        try transaction.record(changed)
        if let wish {
            try audit.note(.termBlocked, .init(detail: "\(wish.action.rawValue) \(wish.text)"), in: transaction)
        }
        return changed
    }

    /// Blocks a domain for mail or for links; what it is blocked for besides stays.
    func block(_ text: String, for use: DomainUse) async throws -> BlockedDomainChanged {
        guard let domain = HostName(text) else { throw Refusal.noDomain }
        let new: BlockedDomainID = try ids.next()
        return try await database.transaction { transaction in
            BlockedTermStore.hold(in: transaction)
            let known = try await BlockedDomainStore.find(domain, in: transaction)
            let isBlocked = known.map { $0.domain.blocksMail || $0.domain.blocksLinks } ?? false
            if !isBlocked, try await BlockedDomainStore.isFull(most, in: transaction) { throw Refusal.full }
            return try set(
                domain.text,
                of: known?.id ?? new,
                mail: use == .mail || known?.domain.blocksMail == true,
                links: use == .links || known?.domain.blocksLinks == true,
                transaction
            )
        }
    }

    /// - Returns: false where it was not blocked for that.
    func unblock(
        for use: DomainUse,
        _ find: @Sendable (Transaction) async throws -> BlockedDomain?
    ) async throws -> Bool {
        try await database.transaction { transaction in
            BlockedTermStore.hold(in: transaction)
            guard let found = try await find(transaction),
                use == .mail ? found.domain.blocksMail : found.domain.blocksLinks
            else { return false }
            _ = try set(
                found.domain.name,
                of: found.id,
                mail: use != .mail && found.domain.blocksMail,
                links: use != .links && found.domain.blocksLinks,
                transaction
            )
            return true
        }
    }

    private func set(
        _ domain: String,
        of id: BlockedDomainID,
        mail: Bool,
        links: Bool,
        _ transaction: Transaction
    ) throws -> BlockedDomainChanged {
        let changed = BlockedDomainChanged(
            domainID: id,
            domain: domain,
            blocksMail: mail,
            blocksLinks: links,
            changedAt: now(),
            subjectVersion: ids.number()
        )
        BlockListStore.keep(changed, in: transaction)
        try transaction.record(changed)
        let uses = [mail ? "mail" : nil, links ? "links" : nil].compactMap(\.self).joined(separator: " ")
        let detail = "\(domain) \(uses.isEmpty ? "nothing" : uses)"
        try audit.note(.domainBlocked, .init(detail: detail), in: transaction)
        return changed
    }
}

extension Blocks {
    init(_ request: Request, _ dependencies: Dependencies) {
        self.init(
            database: dependencies.database,
            ids: dependencies.ids,
            now: dependencies.now,
            audit: Audit(request, dependencies)
        )
    }
}

extension Blocks.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unfindable: Problem.invalid("text", "invalid")
        case .noDomain: Problem.invalid("domain", "invalid")
        case .full: Problem.invalid("base", "too_many")
        }
    }
}

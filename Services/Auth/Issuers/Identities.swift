// SPDX-License-Identifier: Apache-2.0
// GET|POST /api/v1/account/identities, DELETE …/:id: with whom somebody may sign in.

import Domain
import HTTPTypes
import Outbox
import Postgres
import Surface
import Views
import Web

/// With whom one can sign in here, for apps that show buttons.
enum ListIssuers {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(
            array: dependencies.issuers.all.map {
                IssuerView(issuer: $0, language: request.language, site: dependencies.site)
            }
        )
    }
}

private struct IssuerView: ObjectView {
    let issuer: Issuer
    let language: Language
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("name", issuer.name)
        json.member("title", issuer.title(language))
        json.member("issuer", issuer.address)
        json.member("url", issuer.hasPage ? site.origin + IssuerEndpoint.path(of: issuer) : nil)
    }
}

/// The issuers that the account is linked with.
enum ListIdentities {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await FirstParty.require(request, dependencies)
        let linked = try await IdentityStore.list(of: account.id, in: dependencies.database)
        return .json(array: linked.map { IdentityView($0, dependencies) })
    }
}

private struct IdentityView: ObjectView {
    let identity: IdentityStore.Linked
    let name: String?

    init(_ identity: IdentityStore.Linked, _ dependencies: Dependencies) {
        self.identity = identity
        name = dependencies.issuers.at(identity.issuer)?.name
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", identity.id)
        json.member("issuer", name)
        json.member("email", identity.email)
        json.member("mail_arrives", identity.mailArrives)
        json.member("linked_at", identity.linked)
        json.member("last_used_at", identity.lastUsed)
    }
}

/// Adds an issuer to the account of somebody who is signed in and proves it once more.
enum LinkIdentity {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await FirstParty.require(request, dependencies)
        let parameters = try request.parameters()
        let issuer = try dependencies.issuers.named(try parameters.string("issuer"))
        guard let text = try parameters.string("id_token") else { throw Problem.invalid("id_token", "blank") }
        let token = try await IDToken(text, of: issuer, nonce: try parameters.string("nonce"), dependencies)
        try await FreshProof.require(parameters, account.id, request, dependencies)
        let code = try parameters.string("authorization_code")
        try await run(token, to: account.id, Audit(request, dependencies), dependencies)
        if let code { await RefreshTokenOfIssuer.keep(code, token, dependencies) }
        return try await ListIdentities.run(request, dependencies)
    }

    /// Takes the token, once, and lets whoever it is of into the account.
    ///
    /// - Parameter sealed: what the issuer gave beside the token.
    static func run(
        _ token: IDToken,
        to account: AccountID,
        sealed: SealedToken? = nil,
        _ audit: Audit,
        _ dependencies: Dependencies
    ) async throws {
        let issuer = token.issuer
        let (id, now) = (try dependencies.ids.next() as IdentityID, dependencies.now())
        do {
            try await dependencies.database.transaction { transaction in
                guard try await TakenTokenStore.take(token.hash, until: token.expires, in: transaction) else {
                    throw TokenRefused(.repeated)
                }
                let known = try await IdentityStore.find(
                    issuer: issuer.address,
                    subject: token.subject,
                    in: transaction
                )
                if let known {
                    guard known.accountID == account else { throw Taken() }
                    guard let sealed else { return }
                    try await IdentityStore.keep(
                        sealed,
                        of: .identity,
                        issuer: issuer.address,
                        subject: token.subject,
                        in: transaction
                    )
                    return
                }
                let identity = IdentityStore.Draft(
                    id: id,
                    accountID: account,
                    issuer: issuer.address,
                    subject: token.subject,
                    email: token.email,
                    token: sealed
                )
                try await IdentityStore.insert(identity, now: now, in: transaction)
                try await NewcomerStore.forget(issuer: issuer.address, subject: token.subject, in: transaction)
                try audit.note(.identityLinked, .init(account: account, detail: issuer.name), in: transaction)
            }
        } catch let error as PostgresError where error.constraint == IdentityStore.keyConstraint {
            throw Taken()
        }
    }

    /// It is another account's; whose is not said.
    struct Taken: ProblemConvertible {
        var problem: Problem { Problem(.conflict, "identity-taken", detail: PageText.detail("identity_taken")) }
    }
}

/// Takes an issuer from the account, but never the last way in.
enum UnlinkIdentity {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: IdentityID = try request.id()
        try await FirstParty.require(request, dependencies)
        try await FreshProof.require(try request.parameters(), account.id, request, dependencies)
        try await run(id, of: account.id, Audit(request, dependencies), dependencies)
        return .empty
    }

    static func run(
        _ id: IdentityID,
        of account: AccountID,
        _ audit: Audit,
        _ dependencies: Dependencies
    ) async throws {
        try await dependencies.database.transaction { transaction in
            let ways = try await WaysIn(of: account, dependencies, in: transaction)
            guard let identity = ways.identities.first(where: { $0.id == id }) else { throw Problem.notFound }
            guard ways.has(apartFrom: id) else { throw LastWayIn() }
            try await ways.unlink(identity, audit, dependencies, in: transaction)
        }
    }

    private struct LastWayIn: ProblemConvertible {
        var problem: Problem { Problem(.conflict, "last-way-in", detail: PageText.detail("last_way_in")) }
    }
}

/// How somebody gets in, which nobody else changes until the transaction ends.
struct WaysIn: Sendable {
    let hasPassword: Bool
    let identities: [IdentityStore.Linked]
    /// Those of issuers that are named still.
    private let usable: Set<IdentityID>

    init(of account: AccountID, _ dependencies: Dependencies, in transaction: Transaction) async throws {
        hasPassword = try await AccountStore.lock(account, in: transaction).found()
        identities = try await IdentityStore.list(of: account, in: transaction)
        usable = Set(identities.filter { dependencies.issuers.at($0.issuer) != nil }.map(\.id))
    }

    func has(apartFrom id: IdentityID) -> Bool { hasPassword || usable.contains { $0 != id } }

    /// Has the issuer's token given back, too.
    func unlink(
        _ identity: IdentityStore.Linked,
        _ audit: Audit,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        try await RevocationStore.ask(
            try dependencies.ids.next(),
            of: identity,
            now: dependencies.now(),
            in: transaction
        )
        try await IdentityStore.delete(identity.id, in: transaction)
        let name = dependencies.issuers.at(identity.issuer)?.name ?? identity.issuer
        try audit.note(.identityUnlinked, .init(account: identity.accountID, detail: name), in: transaction)
    }
}

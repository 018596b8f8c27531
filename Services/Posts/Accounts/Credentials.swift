// SPDX-License-Identifier: Apache-2.0
// An account as its owner sees it.

import Domain
import Events
import Postgres
import Views
import Web

/// An account and what only its owner sees of it.
struct Credentials: Columned {
    let account: AccountSnapshot
    let source: CredentialAccountView.Source

    /// Of `accounts a`.
    static let columns: SQL = """
        \(AccountSnapshot.columns), a.default_visibility, a.default_sensitive, a.default_language,
        (SELECT count(*) FROM follow_requests r WHERE r.followee_id = a.id), a.extras ->> 'quote_policy',
        ARRAY (SELECT jsonb_array_elements_text(a.extras -> 'attribution_domains'))
        """

    init(columns: inout Columns) throws {
        account = try AccountSnapshot(columns: &columns)
        source = CredentialAccountView.Source(
            privacy: try columns.next(),
            sensitive: try columns.next(),
            language: try columns.next(),
            followRequestsCount: try columns.next(),
            quotePolicy: try columns.next(String?.self) ?? "nobody",
            attributionDomains: try columns.next()
        )
    }

    /// Of somebody who asks; their row is made when it is missing.
    static func require(_ account: Principal.Account, _ dependencies: Dependencies) async throws -> Credentials {
        try await EnsureAccount.run(account, dependencies)
        return try await AccountStore.credentials(account.id, in: dependencies.database).found()
    }

    /// - Parameter asker: whose credentials these are, with their role, which auth knows.
    func answer(to asker: Principal.Account, _ dependencies: Dependencies) -> Answer {
        .json(CredentialAccountView(account: account, source: source, role: asker.role, site: dependencies.site))
    }
}

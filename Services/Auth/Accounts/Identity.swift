// SPDX-License-Identifier: Apache-2.0
// Who somebody is, and whether an address is free, for the gateway's routes of apps that know people by their mail.

import Calls
import Domain
import Web

/// POST /internal/identity: the person behind a session. An app of somebody else's is not told the address.
enum ShowIdentity {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let session = try IdentityQuestion(request.parameters()).sessionID,
            let identity = try await AccountStore.identity(
                of: session,
                now: dependencies.now(),
                in: dependencies.database
            )
        else { throw Problem.notFound }
        return .json(identity)
    }
}

/// POST /internal/emails/check: whether an address is one and is free, as signing up would say too, for a few addresses.
enum CheckEmail {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let address = try EmailQuestion(request.parameters()).email
        guard let email = EmailAddress(address) else {
            throw ValidationFailure(faults: [("email", address.trimmed.isEmpty ? .blank : .invalid)])
        }
        let limit = SignInLimit(checksFrom: request.clientAddress, limits: dependencies.limits)
        try await limit.take(in: dependencies.database, now: dependencies.now())
        if try await AccountStore.taken(username: nil, email: email, in: dependencies.database).email {
            throw ValidationFailure(faults: [("email", .taken)])
        }
        return .empty
    }
}

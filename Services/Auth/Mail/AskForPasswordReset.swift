// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/account/password_reset: a letter with a link that sets a new password.

import Domain
import HTTPTypes
import Web

/// Answers the same, after the same work, whether or not somebody has the address: who has it is looked up when the letter goes.
enum AskForPasswordReset {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ask(try request.parameters().string("email") ?? "", request.language, request, dependencies)
        return .empty
    }

    /// - Throws: `ValidationFailure` for what is no address, `SignInLimit.TooMany` for somebody who asks too often, `MailOff`.
    static func ask(
        _ text: String,
        _ language: Language,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws {
        guard dependencies.mail != nil else { throw MailOff() }
        guard let address = EmailAddress(text) else {
            throw ValidationFailure(faults: [("email", text.trimmed.isEmpty ? .blank : .invalid)])
        }
        let now = dependencies.now()
        let limit = SignInLimit(lettersFor: request.clientAddress, limits: dependencies.limits)
        try await limit.take(in: dependencies.database, now: now)
        try await LetterStore.insert(
            EventID.new(at: now),
            .passwordReset,
            to: address,
            language,
            at: now,
            in: dependencies.database
        )
    }
}

/// What somebody reads where no server takes letters.
struct MailOff: ProblemConvertible {
    var problem: Problem { Problem(.forbidden, "mail-off", detail: PageText.detail("mail_off")) }
}

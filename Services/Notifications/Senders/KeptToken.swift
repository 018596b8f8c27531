// SPDX-License-Identifier: Apache-2.0
// A token that is made once for all who need it, and anew before it ends.

import Domain

actor KeptToken {
    struct Token: Sendable, Equatable {
        let text: String
        let madeAt: Timestamp
        /// From then on another is made.
        let freshUntil: Timestamp
        /// Until then it is used where no other can be made.
        let goodUntil: Timestamp
    }

    /// For so long nobody tries again who could not make one, and nobody renews twice what somebody refused.
    struct Pace: Sendable {
        var afterFailure = Duration.seconds(10)
        var betweenRefusals = Duration.seconds(20 * 60)
    }

    private let pace: Pace
    private let make: @Sendable (Timestamp) async throws -> Token
    private var token: Token?
    private var flight: Task<Token, any Error>?
    private var failure: (error: any Error, until: Timestamp)?
    private var lastRefusal: Timestamp?

    init(pace: Pace = Pace(), make: @escaping @Sendable (Timestamp) async throws -> Token) {
        self.pace = pace
        self.make = make
    }

    /// The token of this moment. Throws what `make` throws where there is none.
    func token(at now: Timestamp) async throws -> Token {
        if let token, now < token.freshUntil, now >= token.madeAt { return token }
        if let failure, now < failure.until, now >= failure.until - pace.afterFailure {
            if let token, now < token.goodUntil { return token }
            throw failure.error
        }
        do {
            return try await renewed(at: now)
        } catch {
            if let token, now < token.goodUntil, now >= token.madeAt { return token }
            throw error
        }
    }

    /// Another token than one that was refused; nil where there is none, because the last was refused a short while ago.
    func token(at now: Timestamp, insteadOf refused: Token) async throws -> Token? {
        // Somebody else was refused it, too, and has another made already.
        guard token == refused else { return try await token(at: now) }
        if let lastRefusal, now < lastRefusal + pace.betweenRefusals, now >= lastRefusal { return nil }
        lastRefusal = now
        token = nil
        return try await renewed(at: now)
    }

    /// Whoever needs one while it is made waits for the same.
    private func renewed(at now: Timestamp) async throws -> Token {
        if let flight { return try await flight.value }
        let flight = Task { [make] in try await make(now) }
        self.flight = flight
        defer { self.flight = nil }
        do {
            let made = try await flight.value
            (token, failure) = (made, nil)
            return made
        } catch {
            failure = (error, now + pace.afterFailure)
            throw error
        }
    }
}

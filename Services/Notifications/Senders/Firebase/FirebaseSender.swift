// SPDX-License-Identifier: Apache-2.0
// Sends by Firebase Cloud Messaging (https://firebase.google.com/docs/cloud-messaging/send/v1-api).

import Domain
import Foundation
import Outbound

struct FirebaseSender: PushSender {
    private struct Accepted: Decodable {
        let name: String?
    }

    private let account: FirebaseAccount
    private let server: ServerAddress
    private let ask: Ask
    private let patience: Duration
    private let now: @Sendable () -> Timestamp
    private let token: KeptToken

    init(
        _ account: FirebaseAccount,
        server: ServerAddress,
        ask: @escaping Ask,
        now: @escaping @Sendable () -> Timestamp,
        patience: Duration = Asking.patience
    ) {
        self.account = account
        self.patience = patience
        self.server = server
        self.ask = ask
        self.now = now
        token = KeptToken { try await account.makeToken(at: $0, ask: ask) }
    }

    func send(_ push: Push) async -> PushOutcome {
        guard case .firebase(let registration) = push.address else { return .refused(reason: "NotOfFirebase") }
        let moment = now()
        let left = push.secondsLeft(moment)
        guard left > 0 else { return .refused(reason: "Expired") }
        let body = FirebaseMessage.bytes(push, token: registration, secondsLeft: left, now: moment.seconds)
        return await Asking.outcome(within: patience) {
            let first = try await token.token(at: now())
            if let outcome = outcome(try await ask(request(body, first))) { return outcome }
            guard let second = try await token.token(at: now(), insteadOf: first) else { return Self.stale }
            return outcome(try await ask(request(body, second))) ?? Self.stale
        }
    }

    /// A new token was no better.
    private static let stale = PushOutcome.misconfigured(reason: "UNAUTHENTICATED")

    private func request(_ body: [UInt8], _ token: KeptToken.Token) -> OutboundRequest {
        OutboundRequest(
            .post,
            "\(server.origin)/v1/projects/\(account.projectID)/messages:send",
            headers: [("authorization", "Bearer \(token.text)"), ("content-type", "application/json")],
            body: body,
            limits: Asking.limits,
            guard: .operators(server.hostName, port: server.port)
        )
    }

    /// Nil where another token may help.
    private func outcome(_ answer: OutboundAnswer) -> PushOutcome? {
        guard answer.status != 200 else { return .accepted(name: answer.json(Accepted.self)?.name) }
        let (reason, meaning) = FirebaseError.meaning(of: answer)
        return switch meaning {
        case .gone: .deviceGone(reason: reason, since: nil)
        case .refused: .refused(reason: reason)
        case .later(let after, let ofAll):
            .later(reason: reason, after: answer.retryAfter(now: now()) ?? after, ofAll: ofAll)
        case .misconfigured: .misconfigured(reason: reason)
        case .staleToken: nil
        }
    }
}

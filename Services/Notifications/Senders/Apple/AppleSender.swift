// SPDX-License-Identifier: Apache-2.0
// Sends by the Apple Push Notification service
// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).

import Crypto
import Domain
import Foundation
import JWTKit
import Outbound
import Web

/// What an operator has of Apple.
struct AppleAccount: Sendable {
    let signer: TokenSigner
    let teamID: String
    let production: ServerAddress
    let sandbox: ServerAddress
}

struct AppleSender: PushSender {
    /// Between the 20 and the 60 minutes that Apple names
    /// (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
    static let tokenAge = Duration.seconds(45 * 60)
    private static let longestTokenAge = Duration.seconds(58 * 60)

    private struct Claims: OwnClaims {
        let iss: String
        let iat: Int64
    }

    private struct Answer: Decodable {
        let reason: String?
        /// Milliseconds since 1970, where a token ended.
        let timestamp: Int64?
    }

    private let account: AppleAccount
    private let ask: Ask
    private let patience: Duration
    private let now: @Sendable () -> Timestamp
    private let token: KeptToken

    init(
        _ account: AppleAccount,
        ask: @escaping Ask,
        now: @escaping @Sendable () -> Timestamp,
        patience: Duration = Asking.patience
    ) {
        self.account = account
        self.patience = patience
        self.ask = ask
        self.now = now
        token = KeptToken { moment in
            // Apple counts whole seconds.
            let text = try await account.signer.sign(Claims(iss: account.teamID, iat: moment.seconds))
            return KeptToken.Token(
                text: text,
                madeAt: moment,
                freshUntil: moment + Self.tokenAge,
                goodUntil: moment + Self.longestTokenAge
            )
        }
    }

    func send(_ push: Push) async -> PushOutcome {
        guard case .apple(let deviceToken, let topic, let isSandbox) = push.address else {
            return .refused(reason: "NotOfApple")
        }
        // It becomes part of a path.
        guard !deviceToken.isEmpty, deviceToken.utf8.count <= 200, deviceToken.utf8.allSatisfy(\.isHexadecimal) else {
            return .deviceGone(reason: "BadDeviceToken", since: nil)
        }
        guard push.secondsLeft(now()) > 0 else { return .refused(reason: "Expired") }
        let payload = ApplePayload.bytes(push)
        guard payload.count <= ApplePayload.most else { return .refused(reason: "PayloadTooLarge") }
        let server = isSandbox ? account.sandbox : account.production
        return await Asking.outcome(within: patience) {
            let first = try await token.token(at: now())
            let answer = try await ask(request(push, deviceToken, topic, payload, server, first))
            if let outcome = outcome(answer) { return outcome }
            guard let second = try await token.token(at: now(), insteadOf: first) else { return Self.stale }
            return self.outcome(try await ask(request(push, deviceToken, topic, payload, server, second))) ?? Self.stale
        }
    }

    /// A new token was stale, too: the clock is wrong.
    private static let stale = PushOutcome.misconfigured(reason: "ExpiredProviderToken")

    private func request(
        _ push: Push,
        _ deviceToken: String,
        _ topic: String,
        _ payload: [UInt8],
        _ server: ServerAddress,
        _ token: KeptToken.Token
    ) -> OutboundRequest {
        var headers = [
            (name: "authorization", value: "bearer \(token.text)"),
            ("content-type", "application/json"),
            ("apns-id", push.name),
            // A number on an icon is for people's eyes; `background` is for apps that fetch, and may not carry one.
            ("apns-push-type", "alert"),
            ("apns-topic", topic),
            ("apns-priority", "\(push.applePriority)"),
            ("apns-expiration", "\(now().seconds + push.secondsLeft(now()))"),
        ]
        if let key = push.collapseKey { headers.append(("apns-collapse-id", Self.collapseID(key))) }
        return OutboundRequest(
            .post,
            "\(server.origin)/3/device/\(deviceToken)",
            headers: headers,
            body: payload,
            limits: Asking.limits,
            guard: .operators(server.hostName, port: server.port)
        )
    }

    /// 64 bytes at most.
    private static func collapseID(_ key: String) -> String {
        key.utf8.count <= 64 ? key : Base64.encoded(Array(SHA256.hash(data: Data(key.utf8))), url: true)
    }

    /// Nil where another token may help.
    private func outcome(_ answer: OutboundAnswer) -> PushOutcome? {
        guard answer.status != 200 else { return .accepted(name: answer.header("apns-id")) }
        let told = answer.json(Answer.self)
        let reason = told?.reason.map { String($0.prefix(100)) } ?? "HTTP \(answer.status)"
        switch AppleReason.meaning(of: reason, status: answer.status) {
        case .gone:
            let since = told?.timestamp.map { Date(timeIntervalSince1970: Double($0) / 1000) }
            return .deviceGone(reason: reason, since: since)
        case .refused: return .refused(reason: reason)
        case .later(let after, let ofAll):
            return .later(reason: reason, after: answer.retryAfter(now: now()) ?? after, ofAll: ofAll)
        case .misconfigured: return .misconfigured(reason: reason)
        case .staleToken: return nil
        }
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        switch self {
        case 48...57, 65...70, 97...102: true
        default: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Providers that answer as a test wants, and an operator's keys.

import Crypto
import CryptoExtras
import Domain
import Foundation
import JWTKit
import Support
import Synchronization

@testable import NotificationsService
@testable import Outbound

/// Answers each request as `answer` says, and keeps them.
final class Provider: Sendable {
    private let kept = Mutex<[OutboundRequest]>([])
    private let answer: @Sendable (OutboundRequest, Int) async throws -> OutboundAnswer

    /// - Parameter answer: given a request and how many came before it.
    init(_ answer: @escaping @Sendable (OutboundRequest, Int) async throws -> OutboundAnswer) { self.answer = answer }

    /// One that says always the same.
    convenience init(
        _ status: Int = 200,
        _ body: String = "",
        headers: [(name: String, value: String)] = []
    ) {
        self.init { request, _ in .saying(status, body, to: request, headers: headers) }
    }

    var requests: [OutboundRequest] { kept.withLock { $0 } }

    @Sendable func ask(_ request: OutboundRequest) async throws -> OutboundAnswer {
        let count = kept.withLock { kept in
            kept.append(request)
            return kept.count - 1
        }
        return try await answer(request, count)
    }
}

extension OutboundAnswer {
    static func saying(
        _ status: Int,
        _ body: String = "",
        to request: OutboundRequest,
        headers: [(name: String, value: String)] = []
    ) -> OutboundAnswer {
        OutboundAnswer(status: status, url: request.url, headers: headers, body: Array(body.utf8), isCut: false)
    }
}

extension OutboundRequest {
    /// The values of a header; more than one is an error of ours.
    func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    func header(_ name: String) -> String? { values(name).first }

    var json: JSON? { try? JSONDecoder().decode(JSON.self, from: Data(body)) }
}

/// Keys of an operator, made for one test.
struct OperatorKeys {
    let apple = P256.Signing.PrivateKey()
    let web = P256.Signing.PrivateKey()

    func appleAccount() throws -> AppleAccount {
        guard let signer = TokenSigner.es256(pem: apple.pemRepresentation, keyID: "ABCDE12345"),
            let production = ServerAddress("https://apple.example"),
            let sandbox = ServerAddress("https://sandbox.apple.example:8443")
        else { throw MissingForTests("an account of Apple") }
        return AppleAccount(signer: signer, teamID: "TEAM123456", production: production, sandbox: sandbox)
    }

    func identity(subject: String? = "mailto:operator@example.org") throws -> ServerIdentity {
        guard let identity = ServerIdentity(pem: web.pemRepresentation, subject: subject) else {
            throw MissingForTests("an identity")
        }
        return identity
    }

    /// A service account of Google's, and its public key.
    static func serviceAccount(_ tokenURI: String = "https://token.example/token") throws -> (
        text: String, publicKey: String
    ) {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let file: [String: String] = [
            "type": "service_account", "project_id": "a-project", "private_key_id": "key-1",
            "private_key": key.pemRepresentation, "client_email": "push@a-project.example", "token_uri": tokenURI,
        ]
        let text = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        return (text, key.publicKey.pemRepresentation)
    }
}

/// Claims of ours as others read them.
struct ReadClaims: JWTPayload {
    var iss: String?
    var iat: Int64?
    var exp: Int64?
    var aud: String?
    var sub: String?
    var scope: String?

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

extension Push {
    /// A message of a test, for ten minutes.
    static func sample(
        to address: PushAddress,
        _ content: PushContent = .alert(.sample),
        collapseKey: String? = nil,
        at now: Timestamp
    ) -> Push {
        Push(
            id: UUID(),
            address: address,
            content: content,
            collapseKey: collapseKey,
            expiresAt: Date(timeIntervalSince1970: Double(now.seconds + 600))
        )
    }
}

extension PushAlert {
    static let sample = PushAlert(
        title: "민지",
        body: "안녕 \"you\"",
        badge: 3,
        thread: "post-7",
        data: ["kind": "mention", "id": "7", "aps": "no", "from": "no"],
        isMutable: true,
        isUrgent: true,
        webPayload: Data(#"{"title":"민지"}"#.utf8)
    )
}

extension Duration {
    /// For what hangs for no other reason than that the machine is busy.
    static let patient = Duration.seconds(3600)
}

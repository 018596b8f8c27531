// SPDX-License-Identifier: Apache-2.0
// How an app says who it is at the token endpoint (RFC 6749, section 2.3.1).

import Domain
import Foundation
import HTTPTypes
import Web

/// The id and the secret of an app, from the Authorization header or from the parameters.
struct ClientCredentials: Sendable {
    let id: String
    let secret: String?

    init(_ request: Request, _ parameters: Parameters) throws {
        if let value = request.headers[.authorization], value.prefix(6).lowercased() == "basic " {
            guard let data = Data(base64Encoded: String(value.dropFirst(6)).trimmed),
                let text = String(bytes: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
            else { throw OAuthFailure.invalidClient }
            id = String(text[..<colon]).formDecoded
            secret = String(text[text.index(after: colon)...]).formDecoded
        } else {
            guard let id = try parameters.string("client_id"), !id.isEmpty else { throw OAuthFailure.invalidClient }
            self.id = id
            secret = try parameters.string("client_secret")
        }
    }

    /// The app, if the secret is its own. An app that cannot keep a secret is known by its id alone.
    func app(_ dependencies: Dependencies) async throws -> App {
        guard let app = try await AppStore.app(clientID: id, in: dependencies.database) else {
            throw OAuthFailure.invalidClient
        }
        if let hash = app.secretHash {
            guard let secret, Secret.equal(Secret.hash(secret), hash) else { throw OAuthFailure.invalidClient }
        }
        return app
    }
}

extension String {
    fileprivate var formDecoded: String {
        let spaced = String(map { $0 == "+" ? " " : $0 })
        return spaced.removingPercentEncoding ?? self
    }
}

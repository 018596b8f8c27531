// SPDX-License-Identifier: Apache-2.0
// The link by which somebody appeals who cannot sign in: auth signs it, posts believes it.

public import Domain
import Views

/// Says that whoever has it is the person whom a decision concerns. Nobody keeps it: it is in their letter alone.
public struct AppealToken: Hashable, Sendable {
    public let decisionID: DecisionID
    public let accountID: AccountID
    /// Until when the person may appeal.
    public let expires: Timestamp

    public init(decisionID: DecisionID, accountID: AccountID, expires: Timestamp) {
        self.decisionID = decisionID
        self.accountID = accountID
        self.expires = expires
    }

    /// So that no statement of another purpose is taken for one.
    fileprivate static let purpose = "appeal."
}

extension PrincipalSigner {
    /// Fits a URL as it is.
    public func sign(_ token: AppealToken) throws -> String {
        let json = JSONWriter.object(capacity: 128) { json in
            json.member("d", token.decisionID)
            json.member("a", token.accountID)
            json.member("e", token.expires.milliseconds)
        }
        return try sign(AppealToken.purpose + Base64.encoded(json, url: true))
    }
}

extension PrincipalVerifier {
    /// Nil when it is forged, broken or expired.
    public func appeal(_ text: String, at now: Timestamp) -> AppealToken? {
        guard let signed = verified(text), signed.hasPrefix(AppealToken.purpose),
            let payload = Base64.decoded(signed.dropFirst(AppealToken.purpose.count)),
            let parameters = try? JSONReader.parameters(payload),
            let decision: DecisionID = try? parameters.id("d"), let account: AccountID = try? parameters.id("a"),
            let expires = try? parameters.integer("e"), expires > now.milliseconds
        else { return nil }
        return AppealToken(
            decisionID: decision,
            accountID: account,
            expires: Timestamp(milliseconds: expires)
        )
    }
}

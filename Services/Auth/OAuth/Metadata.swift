// SPDX-License-Identifier: Apache-2.0
// GET /.well-known/oauth-authorization-server: what this authorization server can do (RFC 8414).

import Domain
import Views
import Web

/// Where the endpoints are and what they take.
enum Metadata {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(MetadataView(origin: dependencies.site.origin))
    }
}

private struct MetadataView: ObjectView {
    let origin: String

    func writeMembers(to json: inout JSONWriter) {
        json.member("issuer", origin)
        json.member("authorization_endpoint", "\(origin)/oauth/authorize")
        json.member("token_endpoint", "\(origin)/oauth/token")
        json.member("revocation_endpoint", "\(origin)/oauth/revoke")
        json.member("userinfo_endpoint", "\(origin)/oauth/userinfo")
        json.member("app_registration_endpoint", "\(origin)/api/v1/apps")
        json.member("scopes_supported", Scope.known.sorted())
        json.member("response_types_supported", ["code"])
        json.member("response_modes_supported", ["query"])
        json.member("grant_types_supported", ["authorization_code", "client_credentials", "refresh_token"])
        json.member(
            "token_endpoint_auth_methods_supported",
            ["client_secret_basic", "client_secret_post", "none"]
        )
        json.member("code_challenge_methods_supported", ["S256"])
        json.member("authorization_response_iss_parameter_supported", true)
        json.member("ui_locales_supported", Language.allCases.map(\.rawValue))
    }
}

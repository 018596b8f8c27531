// SPDX-License-Identifier: Apache-2.0
// The errors of OAuth 2 (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7009; RFC 7636).

import Domain
import HTTPTypes
import Web

/// What an app is told at the token endpoint, and a person at the authorization endpoint.
enum OAuthFailure: String, ProblemConvertible {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case accessDenied = "access_denied"
    case unauthorizedClient = "unauthorized_client"

    var problem: Problem {
        var detail: [Language: String] = [:]
        for language in Language.allCases { detail[language] = PageText.text(rawValue, language) }
        var problem = Problem(
            self == .invalidClient ? .unauthorized : self == .unauthorizedClient ? .forbidden : .badRequest,
            String(rawValue.map { $0 == "_" ? "-" : $0 }),
            detail: detail,
            oauthError: rawValue
        )
        problem.headers[.cacheControl] = "no-store"
        if self == .invalidClient { problem.headers[.wwwAuthenticate] = #"Basic realm="Madang""# }
        return problem
    }
}

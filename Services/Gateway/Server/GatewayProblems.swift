// SPDX-License-Identifier: Apache-2.0
// What a client is told when the gateway itself has to refuse.

import Domain
import HTTPTypes
import Surface
import Web

extension Problem {
    init(_ fault: RequestFault) {
        self =
            switch fault {
            case .malformed(let place): .badRequest("\(place)")
            case .targetTooLong: Problem(.uriTooLong, "uri-too-long")
            case .headersTooLarge: Problem(.requestHeaderFieldsTooLarge, "headers-too-large")
            case .bodyTooLarge: Problem(.contentTooLarge, "body-too-large")
            case .unsupportedExpectation: Problem(.expectationFailed, "expectation-failed")
            }
    }

    /// There is no room for somebody: those whom it is their own doing may wait a little longer.
    init(_ refusal: ConnectionBudget.Refusal) {
        switch refusal {
        case .full:
            self = .unavailable(cause: "no room for another connection")
            headers[.retryAfter] = "2"
        case .address, .account: self = .tooMany(retryAfter: .seconds(5))
        }
    }

    init(_ failure: UpstreamFailure, of service: ServiceName) {
        let cause = "\(service.rawValue): \(failure)"
        switch failure {
        case .refused(let retryAfter):
            self = .unavailable(cause: cause)
            headers[.retryAfter] = String(max(1, (retryAfter + 999) / 1000))
        case .unreachable:
            self = .unavailable(cause: cause)
            headers[.retryAfter] = "1"
        case .closed, .broken:
            self.init(.badGateway, "bad-gateway", headers: [.retryAfter: "1"], cause: cause)
        case .timedOut:
            self.init(.gatewayTimeout, "gateway-timeout", headers: [.retryAfter: "5"], cause: cause)
        }
    }

    static var invalidToken: Problem {
        Problem(
            .unauthorized,
            "invalid-token",
            detail: [
                .english: "The access token is invalid", .korean: "액세스 토큰이 올바르지 않습니다",
                .japanese: "アクセストークンが正しくありません",
            ],
            headers: [
                .wwwAuthenticate:
                    #"Bearer realm="Madang", error="invalid_token", error_description="The access token is invalid""#
            ]
        )
    }
}

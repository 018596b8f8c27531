// SPDX-License-Identifier: Apache-2.0
// What the gateway asks auth for.

/// What the gateway asks auth for.
public enum AuthCall: String, EndpointGroup {
    case exchangeToken, createKeptSession, joinByNickname, createKeptSessionByIssuer, refreshKeptSession, showIdentity,
        checkEmail, showDocuments

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .exchangeToken: .post("/internal/principal", .internal)
        case .createKeptSession: .post("/internal/kept_sessions", .internal)
        case .joinByNickname: .post("/internal/kept_sessions/join", .internal)
        case .createKeptSessionByIssuer: .post("/internal/kept_sessions/issuer", .internal)
        case .refreshKeptSession: .post("/internal/kept_sessions/refresh", .internal)
        case .showIdentity: .post("/internal/identity", .internal)
        case .checkEmail: .post("/internal/emails/check", .internal)
        case .showDocuments: .get("/internal/documents", .internal)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What may not be written here, and the texts that people agree to.

import Domain

/// What may not be written here, and the texts that people agree to. What begins with `/api/v1/admin` is for people with a role.
public enum RuleEndpoint: String, EndpointGroup {
    case listBlockedTerms, getBlockedTerm, blockTerm, changeBlockedTerm, unblockTerm
    case listMailDomains, getMailDomain, blockMailDomain, unblockMailDomain
    case listLinkDomains, getLinkDomain, blockLinkDomain, unblockLinkDomain
    case listDocuments, publishDocument
    case termsOfService, termsOfServiceOfDay
    case showAgreements, agree, showAgreementPage, submitAgreementPage

    public static var service: ServiceName? { .auth }

    public var endpoint: Endpoint {
        switch self {
        case .listBlockedTerms:
            .get("/api/v1/admin/blocked_terms", .account("admin:read"), answer: "[BlockedTerm]")
        case .getBlockedTerm:
            .get("/api/v1/admin/blocked_terms/:id", .account("admin:read"), answer: "BlockedTerm")
        case .blockTerm: .post("/api/v1/admin/blocked_terms", .account("admin:write"), answer: "BlockedTerm")
        case .changeBlockedTerm:
            .put("/api/v1/admin/blocked_terms/:id", .account("admin:write"), answer: "BlockedTerm")
        case .unblockTerm: .delete("/api/v1/admin/blocked_terms/:id", .account("admin:write"))
        case .listMailDomains:
            .get(
                "/api/v1/admin/email_domain_blocks",
                .account("admin:read:email_domain_blocks"),
                answer: "[EmailDomainBlock]"
            )
        case .getMailDomain:
            .get(
                "/api/v1/admin/email_domain_blocks/:id",
                .account("admin:read:email_domain_blocks"),
                answer: "EmailDomainBlock"
            )
        case .blockMailDomain:
            .post(
                "/api/v1/admin/email_domain_blocks",
                .account("admin:write:email_domain_blocks"),
                answer: "EmailDomainBlock"
            )
        case .unblockMailDomain:
            .delete("/api/v1/admin/email_domain_blocks/:id", .account("admin:write:email_domain_blocks"))
        case .listLinkDomains:
            .get("/api/v1/admin/domain_blocks", .account("admin:read:domain_blocks"), answer: "[DomainBlock]")
        case .getLinkDomain:
            .get("/api/v1/admin/domain_blocks/:id", .account("admin:read:domain_blocks"), answer: "DomainBlock")
        case .blockLinkDomain:
            .post("/api/v1/admin/domain_blocks", .account("admin:write:domain_blocks"), answer: "DomainBlock")
        case .unblockLinkDomain:
            .delete("/api/v1/admin/domain_blocks/:id", .account("admin:write:domain_blocks"))
        case .listDocuments: .get("/api/v1/admin/documents", .account("admin:read"), answer: "[Document]")
        case .publishDocument: .post("/api/v1/admin/documents", .account("admin:write"), answer: "Document")
        case .termsOfService: .get("/api/v1/instance/terms_of_service", .anyone, answer: "TermsOfService")
        case .termsOfServiceOfDay:
            .get("/api/v1/instance/terms_of_service/:date", .anyone, answer: "TermsOfService")
        case .showAgreements: .get("/api/v1/agreements", .account("read:accounts"), answer: "Agreements")
        case .agree: .post("/api/v1/agreements", .account("write:accounts"), answer: "Agreements")
        case .showAgreementPage: .get("/auth/agree", .anyone, isPage: true)
        case .submitAgreementPage: .post("/auth/agree", .anyone, isPage: true)
        }
    }
}

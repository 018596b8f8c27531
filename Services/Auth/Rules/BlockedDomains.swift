// SPDX-License-Identifier: Apache-2.0
// /api/v1/admin/email_domain_blocks and /domain_blocks: domains with which nobody signs up, and to which nothing links.

import Domain
import Events
import Serving
import Views
import Web

/// The Mastodon API's two lists; a domain may stand in both, under one id.
enum BlockedDomains {
    static func list(
        _ use: DomainUse,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        _ = try request.requireStaff()
        let parameters = try request.parameters()
        let domains = try await BlockedDomainStore.list(
            for: use,
            after: try parameters.cursor("min_id") ?? 0,
            limit: try parameters.limit(default: 100, maximum: 200),
            in: dependencies.database
        )
        return .json(array: domains.map { BlockedDomainView(domain: $0, use: use) })
    }

    static func show(
        _ use: DomainUse,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        _ = try request.requireStaff()
        let found = try await BlockedDomainStore.find(request.id(), in: dependencies.database).found()
        guard use == .mail ? found.domain.blocksMail : found.domain.blocksLinks else { throw Problem.notFound }
        return .json(BlockedDomainView(domain: found, use: use))
    }

    static func block(
        _ use: DomainUse,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        _ = try request.requireStaff()
        guard let domain = try request.parameters().string("domain") else { throw Problem.invalid("domain", "blank") }
        let id = try await Blocks(request, dependencies).block(domain, for: use).domainID
        let found = try await BlockedDomainStore.find(id, in: dependencies.database).found()
        return .json(BlockedDomainView(domain: found, use: use))
    }

    static func unblock(
        _ use: DomainUse,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        _ = try request.requireStaff()
        let id: BlockedDomainID = try request.id()
        let isGone = try await Blocks(request, dependencies).unblock(for: use) {
            try await BlockedDomainStore.find(id, in: $0)
        }
        guard isGone else { throw Problem.notFound }
        return .empty
    }
}

/// `Admin::EmailDomainBlock` and `Admin::DomainBlock` of the Mastodon API. There is no other server here: what is blocked of a
/// domain is all that there is of it.
private struct BlockedDomainView: ObjectView {
    let domain: BlockedDomain
    let use: DomainUse

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", domain.id)
        json.member("domain", domain.domain.name)
        json.member("created_at", domain.id.timestamp)
        switch use {
        case .mail: json.array("history") { _ in }
        case .links:
            json.member("digest", hexadecimal(Secret.hash(domain.domain.name)))
            json.member("severity", "suspend")
            json.member("reject_media", true)
            json.member("reject_reports", false)
            json.null("private_comment")
            json.null("public_comment")
            json.member("obfuscate", false)
        }
    }
}

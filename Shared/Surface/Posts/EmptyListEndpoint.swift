// SPDX-License-Identifier: Apache-2.0
// Lists that clients ask for at their start and that are empty on this server.

import Domain

/// Lists that clients ask for at their start and that are empty on this server.
public enum EmptyListEndpoint: String, EndpointGroup {
    case lists, accountsLists, filters, filtersV2, customEmojis, announcements, followedTags, endorsements,
        accountsEndorsements, domainBlocks, scheduledStatuses, featuredTags, accountsFeaturedTags, identityProofs

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .lists: .get("/api/v1/lists", .account("read:lists"), answer: "[any]")
        case .accountsLists: .get("/api/v1/accounts/:id/lists", .account("read:lists"), answer: "[any]")
        case .filters: .get("/api/v1/filters", .account("read:filters"), answer: "[any]")
        case .filtersV2: .get("/api/v2/filters", .account("read:filters"), answer: "[any]")
        case .customEmojis: .get("/api/v1/custom_emojis", .anyone, answer: "[any]")
        case .announcements: .get("/api/v1/announcements", .account(nil), answer: "[any]")
        case .followedTags: .get("/api/v1/followed_tags", .account("read:follows"), answer: "[any]")
        case .endorsements: .get("/api/v1/endorsements", .account("read:accounts"), answer: "[any]")
        case .accountsEndorsements: .get("/api/v1/accounts/:id/endorsements", .anyone, answer: "[any]")
        case .domainBlocks: .get("/api/v1/domain_blocks", .account("read:blocks"), answer: "[any]")
        case .scheduledStatuses: .get("/api/v1/scheduled_statuses", .account("read:statuses"), answer: "[any]")
        case .featuredTags: .get("/api/v1/featured_tags", .account("read:accounts"), answer: "[any]")
        case .accountsFeaturedTags: .get("/api/v1/accounts/:id/featured_tags", .anyone, answer: "[any]")
        case .identityProofs: .get("/api/v1/accounts/:id/identity_proofs", .anyone, answer: "[any]")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Lists that clients ask for at their start and that are empty on this server.

import Domain
import Web

extension Routes {
    /// Madang has none of these things: no lists, filters, emojis, announcements, followed tags, endorsements,
    /// blocked domains, scheduled posts, trends, suggestions or conversations. Clients ask for them at their start and
    /// take an error for a broken server, so the honest answer is an empty list. There is no route that would pretend
    /// to make one.
    static let emptyLists: [Route<Dependencies>] = [
        .get("/api/v1/lists", .account("read:lists")) { _, _ in none },
        .get("/api/v1/accounts/:id/lists", .account("read:lists")) { _, _ in none },
        .get("/api/v1/filters", .account("read:filters")) { _, _ in none },
        .get("/api/v2/filters", .account("read:filters")) { _, _ in none },
        .get("/api/v1/custom_emojis", .anyone) { _, _ in none },
        .get("/api/v1/announcements", .account(nil)) { _, _ in none },
        .get("/api/v1/followed_tags", .account("read:follows")) { _, _ in none },
        .get("/api/v1/endorsements", .account("read:accounts")) { _, _ in none },
        .get("/api/v1/accounts/:id/endorsements", .anyone) { _, _ in none },
        .get("/api/v1/domain_blocks", .account("read:blocks")) { _, _ in none },
        .get("/api/v1/scheduled_statuses", .account("read:statuses")) { _, _ in none },
        .get("/api/v1/featured_tags", .account("read:accounts")) { _, _ in none },
        .get("/api/v1/accounts/:id/featured_tags", .anyone) { _, _ in none },
        .get("/api/v1/trends", .anyone) { _, _ in none },
        .get("/api/v1/trends/tags", .anyone) { _, _ in none },
        .get("/api/v1/trends/statuses", .anyone) { _, _ in none },
        .get("/api/v1/trends/links", .anyone) { _, _ in none },
        .get("/api/v1/suggestions", .account("read")) { _, _ in none },
        .get("/api/v2/suggestions", .account("read")) { _, _ in none },
        .get("/api/v1/conversations", .account("read:statuses")) { _, _ in none },
    ]

    private static var none: Answer { .json(bytes: Array("[]".utf8)) }
}

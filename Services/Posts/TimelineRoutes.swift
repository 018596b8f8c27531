// SPDX-License-Identifier: Apache-2.0
// Routes about lists of posts.

import Domain
import Web

extension Routes {
    static let timelines: [Route<Dependencies>] = [
        .get("/api/v1/timelines/home", .account("read:statuses"), HomeTimeline.run),
        .get("/api/v1/timelines/public", .anyone, PublicTimeline.run),
        .get("/api/v1/timelines/tag/:hashtag", .anyone, TagTimeline.run),
        .get("/api/v1/accounts/:id/statuses", .anyone, AccountPosts.run),
        .get("/api/v1/favourites", .account("read:favourites"), Favourites.run),
        .get("/api/v1/bookmarks", .account("read:bookmarks"), Bookmarks.run),
    ]
}

// SPDX-License-Identifier: Apache-2.0
// What is used in public posts, so that it can be said what many use just now.

import Domain
import Events
import Views

/// What may be used. The numbers are kept.
enum Thing: Int, Sendable {
    case hashtag = 3
    case link = 11
}

/// That a public post holds a hashtag or a link. When is told by the post's id.
struct Use: Hashable, Sendable {
    let post: PostID
    let thing: Thing
    let id: Int64
    let account: AccountID

    static func all(in post: PostSnapshot, site: Site) -> [Use] {
        let tags = Set(post.tags.map(SearchDocument.id(ofTag:))).sorted()
        return tags.map { Use(post: post.id, thing: .hashtag, id: $0, account: post.accountID) }
            + Link.all(in: post, site: site).map {
                Use(post: post.id, thing: .link, id: $0.id, account: post.accountID)
            }
    }
}

/// An address outside of this server.
struct Link: Hashable, Sendable {
    let id: Int64
    let url: String
    /// The newest that has it.
    let post: PostID

    /// Each once, without the part of a page that is meant.
    static func all(in post: PostSnapshot, site: Site) -> [Link] {
        var seen: Set<Int64> = []
        return PostText.links(in: post.text).compactMap { address in
            let url = String(address.prefix { $0 != "#" })
            guard url.utf8.count <= 2000, url != site.origin, !url.hasPrefix(site.origin + "/") else { return nil }
            let id = stableNumber("link", url)
            return seen.insert(id).inserted ? Link(id: id, url: url, post: post.id) : nil
        }
    }
}

extension Sequence<Link> {
    /// Each once, in the order of their ids.
    var newest: [Link] {
        Dictionary(map { ($0.id, $0) }) { $0.post < $1.post ? $1 : $0 }.values.sorted { $0.id < $1.id }
    }
}

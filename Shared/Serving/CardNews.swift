// SPDX-License-Identifier: Apache-2.0
// What a service keeps of previews of links: the table `cards` of posts and of chat.

package import Domain
package import Events
package import Postgres

/// What was heard of a page: its card, or that there is none.
package struct CardNews: Sendable {
    /// How long a card stays that nothing shows.
    package static let afterlife = Duration.seconds(30 * 24 * 3600)
    /// For how long what shows a link is told of its card: what is older shows it when it is asked for.
    package static let told = Duration.seconds(24 * 3600)
    /// Of as many posts or messages with one link, the newest.
    package static let most = 100

    package let url: String
    package let link: LinkID
    package let version: Int64
    package let card: CardSnapshot?

    package init(_ news: LinkPreviewReady) {
        url = news.url
        link = news.linkID
        version = news.subjectVersion
        card = news.card
    }

    /// The key of a link in its canonical form; null for none.
    package static func hash(of url: String?) -> SQL { hash(ofColumn: "\(url)") }

    /// The same of a column, or of what is made of one.
    package static func hash(ofColumn url: SQL) -> SQL { "sha256(convert_to(\(url), 'UTF8'))" }
}

// SPDX-License-Identifier: Apache-2.0
// What a service keeps of previews of links: the table `cards` of posts and of chat.

public import Domain
public import Events
public import Postgres

/// What was heard of a page: its card, or that there is none.
public struct CardNews: Sendable {
    /// How long a card stays that nothing shows.
    public static let afterlife = Duration.seconds(30 * 24 * 3600)
    /// For how long what shows a link is told of its card: what is older shows it when it is asked for.
    public static let told = Duration.seconds(24 * 3600)
    /// Of as many posts or messages with one link, the newest.
    public static let most = 100

    public let url: String
    public let link: LinkID
    public let version: Int64
    public let card: CardSnapshot?

    public init(_ news: LinkPreviewReady) {
        url = news.url
        link = news.linkID
        version = news.subjectVersion
        card = news.card
    }

    /// The key of a link in its canonical form; null for none.
    public static func hash(of url: String?) -> SQL { hash(ofColumn: "\(url)") }

    /// The same of a column, or of what is made of one.
    public static func hash(ofColumn url: SQL) -> SQL { "sha256(convert_to(\(url), 'UTF8'))" }
}

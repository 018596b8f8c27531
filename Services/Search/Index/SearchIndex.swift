// SPDX-License-Identifier: Apache-2.0
// The seam between what is searched and the engine that searches.

package import Domain
package import Postgres
import TextAnalysis

/// An index of documents. PostgreSQL's is `PostgresIndex`; another engine is another type of this shape, fed the same analysis.
package protocol SearchIndex: Sendable {
    /// Keeps each document unless a newer version of it, or its end, is known. In any order, and twice: the same index.
    ///
    /// - Parameters:
    ///   - again: those that are told again: all that belongs to them is written anew, damaged or not.
    ///   - transaction: notes that what was told was handled. An engine of another kind writes what it is given beside it,
    ///     because to write it again changes nothing.
    /// - Returns: those that were new, and of those told again the ones than which nothing newer is known.
    @discardableResult
    func put(_ documents: [SearchDocument], again: Set<DocumentKey>, in transaction: Transaction) async throws
        -> Set<DocumentKey>
    /// Forgets documents, for good where `version` is newer than any that comes later.
    func remove(_ removals: [SearchRemoval], in transaction: Transaction) async throws
    /// Takes documents out without remembering that they were there: those that follow from others, which say when they come again.
    func forget(_ documents: [DocumentKey], in transaction: Transaction) async throws
    /// Keeps how popular documents are, those that are still to come as well, unless a newer word on it is known.
    func put(popularity: [SearchPopularity], in transaction: Transaction) async throws
    /// What matches, and nothing that the viewer may not see.
    func find(_ request: SearchRequest) async throws -> SearchPage
    /// Names and titles that begin so, hold a word that begins so, or nearly do. For completion while typing.
    func complete(_ request: NameRequest) async throws -> [DocumentKey]
}

/// Which document.
package struct DocumentKey: Hashable, Sendable {
    package let kind: SearchKind
    package let id: Int64
}

/// What is told of a document, in whatever order.
package protocol DocumentNews: Sendable {
    var kind: SearchKind { get }
    var id: Int64 { get }
    /// Rises with every change of what is told here.
    var version: Int64 { get }
}

extension DocumentNews {
    var key: DocumentKey { DocumentKey(kind: kind, id: id) }
}

extension Sequence where Element: DocumentNews {
    /// The newest of each document.
    var newest: [Element] {
        Array(Dictionary(map { ($0.key, $0) }) { $0.version < $1.version ? $1 : $0 }.values)
    }
}

/// What can be found. The numbers are kept: never another's.
package enum SearchKind: Int, Hashable, Sendable, CaseIterable {
    case account = 1, post, hashtag, playground, channel, message, project, book, reading, gif
}

/// Who may find a document. The numbers are kept.
package enum SearchAudience: Int, Hashable, Sendable, CaseIterable {
    /// Whatever the author allows: profiles, hashtags, open places.
    case everyone = 0
    /// Everybody, if the author allows it to be searched.
    case `public`
    /// The author and those it names, though others may see it.
    case unlisted
    /// Followers too.
    case followers
    case named
    /// Who is in its place now, and nobody else, not even the author.
    case members
}

package struct SearchDocument: DocumentNews, Hashable {
    package var kind: SearchKind
    package var id: Int64
    package var version: Int64
    /// Nil for what nobody wrote, such as a hashtag.
    package var author: AccountID?
    package var audience: SearchAudience
    /// The channel, or the playground of one.
    package var place: Int64?
    /// Whom it names.
    package var people: [AccountID]
    /// ISO 639.
    package var language: String?
    package var popularity: Int
    /// Of `popularity`, where that is told by itself as well.
    package var popularityVersion: Int64 = 0
    package var attachments: Set<SearchQuery.Attachment>
    /// Of a book; found as a whole only.
    package var isbn: ISBN?
    /// Names and titles, the first the one that is shown; found while typing and with slips.
    package var names: [String]
    /// Plain text, names included where they are to be found by words.
    package var text: String

    package init(
        kind: SearchKind,
        id: Int64,
        version: Int64,
        author: AccountID? = nil,
        audience: SearchAudience = .everyone,
        place: Int64? = nil,
        people: [AccountID] = [],
        language: String? = nil,
        popularity: Int = 0,
        attachments: Set<SearchQuery.Attachment> = [],
        names: [String] = [],
        text: String
    ) {
        self.kind = kind
        self.id = id
        self.version = version
        self.author = author
        self.audience = audience
        self.place = place
        self.people = people
        self.language = language
        self.popularity = popularity
        self.attachments = attachments
        self.names = names
        self.text = text
    }

    /// What is known of it besides its words, as terms of the index.
    var facts: Set<Term> {
        var facts: Set<Term> = [Term(fact: "kind", "\(kind.rawValue)")]
        if let author { facts.insert(.from(author)) }
        if let place { facts.insert(.inside(place)) }
        if let language { facts.insert(Term(fact: "lang", language)) }
        if let isbn { facts.insert(.isbn(isbn)) }
        for attachment in attachments {
            facts.insert(Term(fact: "has", attachment.rawValue))
            if [.image, .video, .audio].contains(attachment) { facts.insert(Term(fact: "has", "media")) }
        }
        return facts
    }
}

extension Term {
    static func from(_ author: AccountID) -> Term { Term(fact: "from", "\(author)") }
    static func inside(_ place: Int64) -> Term { Term(fact: "in", "\(place)") }
    static func isbn(_ isbn: ISBN) -> Term { Term(fact: "isbn", isbn.text13) }
}

package struct SearchRemoval: DocumentNews, Hashable {
    package let kind: SearchKind
    package let id: Int64
    package let version: Int64

    package init(kind: SearchKind, id: Int64, version: Int64) {
        self.kind = kind
        self.id = id
        self.version = version
    }
}

package struct SearchPopularity: DocumentNews, Hashable {
    package let kind: SearchKind
    package let id: Int64
    package let popularity: Int
    package let version: Int64

    package init(kind: SearchKind, id: Int64, popularity: Int, version: Int64) {
        self.kind = kind
        self.id = id
        self.popularity = popularity
        self.version = version
    }
}

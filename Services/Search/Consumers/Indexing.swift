// SPDX-License-Identifier: Apache-2.0
// The queue `search.index`: what others tell becomes what can be found.

import Domain
import Events
import Outbox
import Postgres

/// Reacts to a batch as a whole: of each thing the newest word is kept, in one statement a kind.
///
/// The tables end the same whatever the order in which events come, and however often. A favourite that is taken back has no
/// count: how popular a post is stays until the next event that shows it.
struct Indexing: Sendable {
    let index: any SearchIndex
    let site: Site
    let now: @Sendable () -> Timestamp
    let lag: IndexLag

    static let name = "search.index"

    var queue: EventQueue {
        EventQueue(
            Indexing.name,
            prefetch: 256,
            gathering: .milliseconds(100),
            prepare: apply,
            rebuild: .index,
            Indexing.types.map { seen($0) }
        )
    }

    /// All is done for the batch before; here it is seen how old what was applied is.
    private func seen<E: Event>(_: E.Type) -> Reaction {
        // What is told again happened long ago.
        Reaction(to: E.self) { envelope, _ in if envelope.retelling == nil { lag.see(envelope.time) } }
    }

    private static let types: [any Event.Type] = [
        AccountRegistered.self, ProfileUpdated.self, AccountFollowed.self, AccountUnfollowed.self, FollowRequested.self,
        FollowRequestClosed.self, AccountBlocked.self, AccountUnblocked.self, AccountMuted.self, AccountUnmuted.self,
        PostCreated.self, ReplyCreated.self, PostEdited.self, PostDeleted.self, PostLiked.self, PostReposted.self,
        ProjectDrafted.self, ProjectPublished.self, ProjectUpdated.self, ProjectClosed.self, ProjectFinished.self,
        ProjectDeleted.self, RecordPublished.self, RecordUpdated.self, RecordWithdrawn.self, PlaygroundCreated.self,
        PlaygroundUpdated.self, PlaygroundDeleted.self, ChannelCreated.self, ChannelUpdated.self, ChannelArchived.self,
        ChannelDeleted.self, ConversationOpened.self, MemberJoined.self, MemberLeft.self, MessageSent.self,
        MessageEdited.self, MessageDeleted.self,
    ]

    // MARK: A batch

    /// Whatever hangs on what is told again is written as it should be, also where nothing seems to have changed.
    @Sendable private func apply(_ arrivals: [Arrival], in transaction: Transaction) async throws {
        let news = News(arrivals.events)
        let again = Again(arrivals.filter(\.isRetold).events)
        // Two copies that wrote at once would not see which segments the other begins.
        TurnStore.take(in: transaction)
        if !news.registered.isEmpty { PeopleStore.keep(languages: news.registered, in: transaction) }
        if !news.ties.isEmpty { PeopleStore.keep(news.ties, in: transaction) }
        if !news.places.isEmpty { PlaceStore.keep(news.places, in: transaction) }
        if !news.memberships.isEmpty { PeopleStore.keep(news.memberships, in: transaction) }
        let profiles = try await changedProfiles(news.accounts, again, in: transaction)
        let shelves = try await ShelvedBooks.keep(news.shelved, in: transaction)
        let documents = news.documents + profiles + shelves.documents
        let kept = try await index.put(documents, again: again.documents, in: transaction)
        try await index.remove(news.removals, in: transaction)
        try await index.forget(shelves.gone, in: transaction)
        try await index.put(popularity: news.popularity, in: transaction)
        keepUses(news, kept, again, in: transaction)
    }

    /// What a batch tells again.
    private struct Again {
        let profiles: Set<AccountID>
        let documents: Set<DocumentKey>

        init(_ events: [any Event]) {
            profiles = Set(events.compactMap { ($0 as? ProfileUpdated)?.account.id })
            let news = News(events)
            documents = Set(news.documents.map(\.key)).union(news.shelved.map(\.key)).union(
                profiles.map { DocumentKey(kind: .account, id: $0.rawValue) }
            )
        }
    }

    /// Keeps what is known of people.
    ///
    /// - Returns: the profiles whose words are others than before. A snapshot is a new one with every post.
    private func changedProfiles(
        _ accounts: [AccountSnapshot],
        _ again: Again,
        in transaction: Transaction
    ) async throws -> [SearchDocument] {
        guard !accounts.isEmpty else { return [] }
        let known = try await PeopleStore.known(accounts.map(\.id), in: transaction)
        let newer = accounts.filter {
            known[$0.id].map(\.version) ?? -1 < $0.version || again.profiles.contains($0.id)
        }
        guard !newer.isEmpty else { return [] }
        PeopleStore.keep(newer.map(Person.init), in: transaction)
        let documents = newer.filter {
            known[$0.id]?.profile != Person($0).profile || again.profiles.contains($0.id)
        }.map(SearchDocument.init)
        let moved = newer.map(SearchDocument.init).filter {
            SearchPopularity.doubled(known[AccountID($0.id)]?.followers ?? 0) != $0.popularity
                || again.documents.contains($0.key)
        }
        try await index.put(
            popularity: moved.map {
                SearchPopularity(kind: .account, id: $0.id, popularity: $0.popularity, version: $0.version)
            },
            in: transaction
        )
        return documents
    }

    /// Counts nothing: what is counted is read from what is there.
    private func keepUses(_ news: News, _ kept: Set<DocumentKey>, _ again: Again, in transaction: Transaction) {
        let horizon = PostID((now() + (.zero - Trends.kept)).milliseconds << 16)
        let recent = news.posts.filter {
            $0.id > horizon && kept.contains(DocumentKey(kind: .post, id: $0.id.rawValue))
        }
        let rewritten =
            recent.filter {
                $0.editedAt != nil || again.documents.contains(DocumentKey(kind: .post, id: $0.id.rawValue))
            }.map(\.id) + news.deletedPosts
        if !rewritten.isEmpty { UseStore.forget(rewritten.sorted(), in: transaction) }
        let uses = recent.filter { $0.visibility == .public }.flatMap { Use.all(in: $0, site: site) }
        if !uses.isEmpty { UseStore.keep(uses, in: transaction) }
        let links = news.shown.filter { $0.id > horizon && $0.visibility == .public }.flatMap {
            Link.all(in: $0, site: site)
        }
        if !links.isEmpty { LinkStore.keep(links.newest, in: transaction) }
        let popular = news.popularity.filter { $0.kind == .post && $0.id > horizon.rawValue && $0.popularity > 0 }
        if !popular.isEmpty { PopularStore.keep(popular.newest, in: transaction) }
    }
}

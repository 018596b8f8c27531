// SPDX-License-Identifier: Apache-2.0
// What fan-out tells open connections.

import Domain
import Events
import Outbox
import Postgres
import Views

extension Fanout {
    /// Tells open connections of an entry: its author's first, with the streams that anybody may follow.
    ///
    /// - Parameter isFirst: whether only readers are left to be told.
    static func announce(
        _ event: String,
        _ status: StatusRow,
        to readers: [AccountID],
        isFirst: Bool = true,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let author = status.boost?.account.id ?? status.author.id
        let averse = try await FanoutStore.averse(to: [author, status.author.id], in: transaction).sorted()
        try announce(event, status, to: readers, averse: averse, isFirst: isFirst, dependencies, transaction)
    }

    /// - Parameter averse: accounts whose connections must not receive it, in the order of their ids.
    static func announce(
        _ event: String,
        _ status: StatusRow,
        to readers: [AccountID],
        averse: [AccountID],
        isFirst: Bool = true,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) throws {
        let author = status.boost?.account.id ?? status.author.id
        let unwilling = Set(averse)
        var own: [String] = []
        var shared: [String] = []
        if isFirst {
            own.append(LiveUpdate.user(author))
            let post = status.post
            switch post.visibility {
            case _ where status.boost != nil: break
            case .public:
                if post.inReplyToID == nil || post.inReplyToAccountID == post.accountID {
                    shared.append(LiveUpdate.publicTimeline)
                }
                shared += post.tags.map(LiveUpdate.hashtag)
            // Direct posts are told as conversations.
            case .unlisted, .private, .direct: break
            }
        }
        let people = [status.author] + (status.boost.map { [$0.account] } ?? [])
        let isHidden = people.contains(where: \.isHidden)
        if isHidden || status.author.restrictions.contains(.limited) { shared = [] }
        let others = readers.filter { $0 != author && !isHidden && !unwilling.contains($0) }.map(LiveUpdate.user)
        let payload = status.view(for: nil, site: dependencies.site).json()
        let news = News(event: event, payload: payload, post: status.entryID, version: status.post.version)
        // Who follows a shared stream is not known here: whom it must not reach is told with it, in one message if
        // there are no more than fit.
        if averse.count <= exceptionsInEvent {
            try tell(news, on: own + shared + others, except: shared.isEmpty ? [] : averse, transaction)
        } else {
            try tell(news, on: own + others, except: [], transaction)
            for part in parts(of: averse) {
                try tell(news, on: shared, except: part.averse, readers: part.readers, transaction)
            }
        }
    }

    /// People to be notified in one event: each gets a notification of their own in the transaction that handles it.
    static let recipientsInEvent = 100

    /// Has people notified of a post.
    static func notify(
        _ type: String,
        of id: PostID,
        _ recipients: [AccountID],
        _ transaction: Transaction
    ) async throws {
        guard let status = try await PostStore.entry(id, viewer: nil, in: transaction) else { return }
        try notify(type, status, recipients, transaction)
    }

    static func notify(
        _ type: String,
        _ status: StatusRow,
        _ recipients: [AccountID],
        _ transaction: Transaction
    ) throws {
        for start in stride(from: 0, to: recipients.count, by: recipientsInEvent) {
            let some = Array(recipients.dropFirst(start).prefix(recipientsInEvent))
            try transaction.record(
                PostAnnounced(type: type, author: status.author, post: status.post, recipients: some)
            )
        }
    }

    /// An event names at most this many streams, so that no message grows with the number of followers.
    private static let streamsInEvent = 2000
    /// An event names at most this many accounts that must not receive it.
    private static let exceptionsInEvent = 4000

    /// What is told to open connections.
    struct News {
        let event: String
        let payload: [UInt8]
        let post: PostID
        let version: Int64
    }

    static func tell(
        _ news: News,
        on streams: [String],
        except: [AccountID],
        readers: LiveUpdate.Readers? = nil,
        _ transaction: Transaction
    ) throws {
        for start in stride(from: 0, to: streams.count, by: streamsInEvent) {
            let update = LiveUpdate(
                streams: Array(streams.dropFirst(start).prefix(streamsInEvent)),
                event: news.event,
                payload: news.payload,
                except: except,
                readers: readers
            )
            try transaction.record(TimelineUpdated(postID: news.post, update: update, subjectVersion: news.version))
        }
    }

    /// Cuts a list of averse accounts, in the order of their ids, into parts that fit an event, each with the range of
    /// accounts for which it is the whole truth.
    static func parts(of averse: [AccountID]) -> [(readers: LiveUpdate.Readers, averse: [AccountID])] {
        var parts: [(readers: LiveUpdate.Readers, averse: [AccountID])] = []
        var first = AccountID(0)
        for start in stride(from: 0, to: averse.count, by: exceptionsInEvent) {
            let part = Array(averse.dropFirst(start).prefix(exceptionsInEvent))
            let isLast = start + exceptionsInEvent >= averse.count
            guard let end = part.last else { break }
            let last = isLast ? AccountID(Int64.max) : end
            parts.append((LiveUpdate.Readers(first: first, last: last), part))
            first = AccountID(end.rawValue &+ 1)
        }
        return parts
    }
}

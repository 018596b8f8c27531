// SPDX-License-Identifier: Apache-2.0
// A small world in which people act, telling the events that posts would tell.

public import Domain
import Events

extension ID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(value) }
}

/// People, what they posted and what they did, with the versions that posts would give.
struct World {
    /// Everything that happened, in order.
    private(set) var history: [Happening] = []
    private(set) var posts: [PostID: PostSnapshot] = [:]
    private var accounts: [AccountID: AccountSnapshot] = [:]
    private var pairs: [String: Int64] = [:]
    private var clock = Timestamp(rfc3339: "2026-01-02T03:04:05.678Z") ?? Timestamp(milliseconds: 0)

    init() {}

    /// A world that begins at a moment.
    init(at moment: Timestamp) { clock = moment }

    /// The people are numbered from 1.
    static func username(_ id: AccountID) -> Username {
        let names = ["zero", "minji", "haruto", "ada", "soo", "yuki", "tom"]
        let index = Int(id.rawValue)
        return Username(names.indices.contains(index) ? names[index] : "person\(id)")
            ?? Username("nobody").unsafelyUnwrapped
    }

    /// The account as it looks now.
    mutating func account(_ id: AccountID) -> AccountSnapshot {
        if let known = accounts[id] { return known }
        let new = AccountSnapshot(
            id: id,
            username: World.username(id),
            displayName: "Person \(id)",
            createdAt: Timestamp(rfc3339: "2026-01-01T00:00:00Z") ?? clock,
            version: 1
        )
        accounts[id] = new
        return new
    }

    private mutating func touch(_ id: AccountID) -> AccountSnapshot {
        var account = account(id)
        account.version += 1
        account.postsCount += 1
        accounts[id] = account
        return account
    }

    private mutating func touch(_ id: PostID, _ change: (inout PostSnapshot) -> Void = { _ in }) -> PostSnapshot? {
        guard var post = posts[id] else { return nil }
        post.version += 1
        change(&post)
        posts[id] = post
        return post
    }

    private mutating func next(_ kind: String, _ actor: AccountID, _ target: AccountID) -> Int64 {
        let key = "\(kind) \(actor) \(target)"
        let version = (pairs[key] ?? 0) + 1
        pairs[key] = version
        return version
    }

    @discardableResult
    private mutating func tell(_ event: some Event) -> Happening {
        let happening = Happening(event, at: clock, number: history.count + 1)
        history.append(happening)
        clock = clock + .seconds(1)
        return happening
    }

    /// The moment of the next event.
    var now: Timestamp { clock }

    @discardableResult
    mutating func changeProfile(_ id: AccountID) -> Happening { tell(ProfileUpdated(account: touch(id))) }

    @discardableResult
    mutating func post(
        _ id: PostID,
        by author: AccountID,
        _ text: String = "Hello",
        mentioning mentions: [AccountID] = [],
        answering answered: PostID? = nil,
        visibility: Visibility = .public
    ) -> Happening {
        let post = PostSnapshot(
            id: id,
            accountID: author,
            text: text,
            visibility: visibility,
            language: "en",
            inReplyToID: answered,
            inReplyToAccountID: answered.flatMap { posts[$0]?.accountID },
            mentions: mentions.map { MentionSnapshot(id: $0, username: World.username($0)) },
            createdAt: clock,
            version: 1
        )
        posts[id] = post
        let author = touch(author)
        return answered == nil
            ? tell(PostCreated(author: author, post: post)) : tell(ReplyCreated(author: author, post: post))
    }

    @discardableResult
    mutating func edit(_ id: PostID, _ text: String, mentioning mentions: [AccountID] = []) -> Happening? {
        let moment = clock
        let edited = touch(id) { post in
            post.text = text
            post.editedAt = moment
            post.mentions = mentions.map { MentionSnapshot(id: $0, username: World.username($0)) }
        }
        return edited.map { tell(PostEdited(author: account($0.accountID), post: $0)) }
    }

    /// Has some people notified of a post: `status`, or `update` after an edit.
    @discardableResult
    mutating func announce(_ type: String, _ id: PostID, to recipients: [AccountID]) -> Happening? {
        posts[id].map { post in
            tell(PostAnnounced(type: type, author: account(post.accountID), post: post, recipients: recipients))
        }
    }

    @discardableResult
    mutating func delete(_ id: PostID) -> Happening? {
        guard let post = touch(id) else { return nil }
        posts[id] = nil
        return tell(
            PostDeleted(postID: id, accountID: post.accountID, boostIDs: [], subjectVersion: post.version)
        )
    }

    /// Tells what the page of a link shows.
    mutating func look(at url: String, _ title: String?, version: Int64 = 1) -> Happening {
        let card = title.map { CardSnapshot(url: url, title: $0) }
        return tell(LinkPreviewReady(linkID: 1, url: url, card: card, subjectVersion: version))
    }

    @discardableResult
    mutating func like(_ id: PostID, by actor: AccountID) -> Happening? {
        guard let post = touch(id, { $0.favouritesCount += 1 }) else { return nil }
        return tell(PostLiked(actor: account(actor), post: post, author: account(post.accountID), likedAt: clock))
    }

    @discardableResult
    mutating func unlike(_ id: PostID, by actor: AccountID) -> Happening? {
        guard let post = touch(id, { $0.favouritesCount -= 1 }) else { return nil }
        return tell(PostUnliked(actorID: actor, postID: id, subjectVersion: post.version))
    }

    @discardableResult
    mutating func boost(_ id: PostID, by actor: AccountID) -> Happening? {
        guard let post = touch(id, { $0.boostsCount += 1 }) else { return nil }
        return tell(
            PostReposted(
                actor: account(actor),
                boostID: PostID(id.rawValue + 1_000_000 + actor.rawValue),
                post: post,
                author: account(post.accountID),
                visibility: .public,
                boostedAt: clock
            )
        )
    }

    @discardableResult
    mutating func unboost(_ id: PostID, by actor: AccountID) -> Happening? {
        guard let post = touch(id, { $0.boostsCount -= 1 }) else { return nil }
        let boost = PostID(id.rawValue + 1_000_000 + actor.rawValue)
        return tell(PostUnreposted(actorID: actor, boostID: boost, postID: id, subjectVersion: post.version))
    }

    @discardableResult
    mutating func follow(_ target: AccountID, by actor: AccountID) -> Happening {
        let version = next("follow", actor, target)
        return tell(
            AccountFollowed(actor: account(actor), targetID: target, followedAt: clock, subjectVersion: version)
        )
    }

    @discardableResult
    mutating func unfollow(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(AccountUnfollowed(actorID: actor, targetID: target, subjectVersion: next("follow", actor, target)))
    }

    @discardableResult
    mutating func requestToFollow(_ target: AccountID, by actor: AccountID) -> Happening {
        let version = next("follow", actor, target)
        return tell(
            FollowRequested(actor: account(actor), targetID: target, requestedAt: clock, subjectVersion: version)
        )
    }

    @discardableResult
    mutating func closeRequest(to target: AccountID, by actor: AccountID) -> Happening {
        tell(FollowRequestClosed(actorID: actor, targetID: target, subjectVersion: next("follow", actor, target)))
    }

    @discardableResult
    mutating func block(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(AccountBlocked(actorID: actor, targetID: target, subjectVersion: next("block", actor, target)))
    }

    @discardableResult
    mutating func unblock(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(AccountUnblocked(actorID: actor, targetID: target, subjectVersion: next("block", actor, target)))
    }

    @discardableResult
    mutating func mute(
        _ target: AccountID,
        by actor: AccountID,
        notifications: Bool = true,
        expires: Timestamp? = nil
    ) -> Happening {
        tell(
            AccountMuted(
                actorID: actor,
                targetID: target,
                notifications: notifications,
                expires: expires,
                subjectVersion: next("mute", actor, target)
            )
        )
    }

    @discardableResult
    mutating func unmute(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(AccountUnmuted(actorID: actor, targetID: target, subjectVersion: next("mute", actor, target)))
    }
}

// SPDX-License-Identifier: Apache-2.0
// One event of each type with every field, and one with only those that must be there.

import Domain
import Events

/// What fixtures and schemas are made from.
enum Samples {
    /// Every optional field filled.
    static let full: [any Event] = events(full: true)
    /// No optional field filled.
    static let bare: [any Event] = events(full: false)

    private static func events(full: Bool) -> [any Event] {
        let (author, actor, post) = (account(1, full), account(2, full), post(full))
        let (authorID, actorID) = (author.id, actor.id)
        let boost = PostID(110_000_000_000_000_009)
        let later = Timestamp(milliseconds: 1_767_323_106_789)
        let update = LiveUpdate(
            streams: ["user:\(authorID)", LiveUpdate.publicTimeline],
            event: "update",
            payload: #"{"id":"\#(post.id)"}"#,
            except: [actorID]
        )
        return [
            AccountRegistered(
                accountID: authorID,
                username: author.username,
                language: .korean,
                createdAt: author.createdAt
            ),
            SessionRevoked(sessionID: SessionID(110_000_000_000_000_011), accountID: full ? authorID : nil),
            ProfileUpdated(account: author),
            PostCreated(author: author, post: post),
            ReplyCreated(author: author, post: post),
            PostEdited(author: author, post: post),
            PostDeleted(postID: post.id, accountID: authorID, boostIDs: [boost], subjectVersion: 9),
            PostLiked(actor: actor, post: post, author: author, likedAt: later),
            PostUnliked(actorID: actorID, postID: post.id, subjectVersion: 9),
            PostReposted(
                actor: actor,
                boostID: boost,
                post: post,
                author: author,
                visibility: .unlisted,
                boostedAt: later
            ),
            PostUnreposted(actorID: actorID, boostID: boost, postID: post.id, subjectVersion: 9),
            AccountFollowed(actor: actor, targetID: authorID, followedAt: later, subjectVersion: 2),
            AccountUnfollowed(actorID: actorID, targetID: authorID, subjectVersion: 3),
            FollowRequested(actor: actor, targetID: authorID, requestedAt: later, subjectVersion: 4),
            FollowRequestClosed(actorID: actorID, targetID: authorID, subjectVersion: 5),
            AccountBlocked(actorID: actorID, targetID: authorID, subjectVersion: 6),
            AccountUnblocked(actorID: actorID, targetID: authorID, subjectVersion: 7),
            AccountMuted(
                actorID: actorID,
                targetID: authorID,
                notifications: true,
                expires: full ? later : nil,
                subjectVersion: 8
            ),
            AccountUnmuted(actorID: actorID, targetID: authorID, subjectVersion: 9),
            TimelineUpdated(postID: post.id, update: update, subjectVersion: 7),
            NotificationCreated(
                notificationID: NotificationID(110_000_000_000_000_013),
                accountID: authorID,
                type: "mention",
                update: update
            ),
        ]
    }

    private static func account(_ number: Int64, _ full: Bool) -> AccountSnapshot {
        AccountSnapshot(
            id: AccountID(110_000_000_000_000_000 + number),
            username: Username("mina\(number)") ?? placeholder,
            displayName: "미나 \(number)",
            note: "마당에서 만나요",
            fields: [ProfileField(name: "site", value: "https://mina.example")],
            locked: false,
            bot: false,
            discoverable: true,
            createdAt: Timestamp(milliseconds: 1_767_322_000_000),
            lastPostAt: full ? Timestamp(milliseconds: 1_767_323_045_678) : nil,
            postsCount: 3,
            followersCount: 5,
            followingCount: 8,
            version: 4
        )
    }

    private static func post(_ full: Bool) -> PostSnapshot {
        PostSnapshot(
            id: PostID(110_000_000_000_000_007),
            accountID: AccountID(110_000_000_000_000_001),
            text: "@mina2 안녕하세요 #마당",
            spoilerText: "인사",
            sensitive: true,
            visibility: .public,
            language: full ? "ko" : nil,
            inReplyToID: full ? PostID(110_000_000_000_000_005) : nil,
            inReplyToAccountID: full ? AccountID(110_000_000_000_000_002) : nil,
            mentions: [
                MentionSnapshot(id: AccountID(110_000_000_000_000_002), username: Username("mina2") ?? placeholder)
            ],
            tags: ["마당"],
            app: full ? AppSnapshot(name: "Yard", website: "https://yard.example") : nil,
            createdAt: Timestamp(milliseconds: 1_767_323_045_678),
            editedAt: full ? Timestamp(milliseconds: 1_767_323_100_000) : nil,
            repliesCount: 1,
            boostsCount: 2,
            favouritesCount: 3,
            version: 6
        )
    }

    /// For the compiler only: the names above are usernames.
    private static var placeholder: Username {
        guard let name = Username("a") else { preconditionFailure("a is a username") }
        return name
    }
}

extension Event {
    /// The event in an envelope that is always the same, as JSON with sorted keys.
    func enveloped() throws -> JSON {
        let envelope = Envelope(
            id: "019b7c3e-5a00-7000-8000-000000000001",
            time: Timestamp(milliseconds: 1_767_323_045_690),
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            data: self
        )
        return try JSON(encoding: envelope)
    }

    /// Decodes an envelope of this type and encodes it again.
    static func roundTrip(_ json: JSON) throws -> JSON {
        try JSON(encoding: json.decode(Envelope<Self>.self))
    }
}

// SPDX-License-Identifier: Apache-2.0
// What posts tells again to whoever rebuilds a projection of it.

import Domain
import Events
import Outbox

enum Tellers {
    static func all(now: @escaping @Sendable () -> Timestamp) -> [Teller] {
        [accounts, posts, favourites, boosts, projects, records, restrictions]
            + RetoldStore.Pairs.allCases.map { pairs in
                Teller(name(of: pairs), tells: [type(of: pairs)]) { place, transaction in
                    let rows = try await RetoldStore.pairs(pairs, after: place, at: now(), in: transaction)
                    return Teller.Step(
                        rows,
                        limit: place.limit,
                        key: { [$0.actor.id.rawValue, $0.target.rawValue] },
                        facts: { [fact(pairs, $0)] }
                    )
                }
            }
    }

    private static let accounts = Teller("accounts", tells: [ProfileUpdated.self]) { place, transaction in
        let rows = try await RetoldStore.accounts(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.id.rawValue] }) {
            [Teller.Fact(ProfileUpdated(account: $0), at: $0.createdAt)]
        }
    }

    private static let posts = Teller("posts", tells: [PostCreated.self, ReplyCreated.self]) { place, transaction in
        let rows = try await RetoldStore.posts(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.post.id.rawValue] }) { row in
            let moment = row.post.createdAt
            return row.post.inReplyToID == nil
                ? [Teller.Fact(PostCreated(author: row.author, post: row.post), at: moment)]
                : [Teller.Fact(ReplyCreated(author: row.author, post: row.post), at: moment)]
        }
    }

    private static let favourites = Teller("favourites", tells: [PostLiked.self]) { place, transaction in
        let rows = try await RetoldStore.favourites(after: place, in: transaction)
        return Teller.Step(
            rows,
            limit: place.limit,
            key: { [$0.actor.id.rawValue, $0.target.post.id.rawValue] }
        ) { row in
            let moment = row.number.timestamp
            let liked = PostLiked(
                actor: row.actor,
                post: row.target.post,
                author: row.target.author,
                likedAt: moment
            )
            return [Teller.Fact(liked, at: moment)]
        }
    }

    private static let boosts = Teller("boosts", tells: [PostReposted.self]) { place, transaction in
        let rows = try await RetoldStore.boosts(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.number.rawValue] }) { row in
            let boosted = PostReposted(
                actor: row.actor,
                boostID: row.number,
                post: row.target.post,
                author: row.target.author,
                visibility: row.visibility,
                boostedAt: row.number.timestamp
            )
            return [Teller.Fact(boosted, at: row.number.timestamp)]
        }
    }

    private static let projects = Teller(
        "projects",
        tells: [ProjectDrafted.self, ProjectPublished.self, ProjectClosed.self, ProjectFinished.self]
    ) { place, transaction in
        let rows = try await RetoldStore.projects(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.project.id.rawValue] }) { [fact($0)] }
    }

    private static let records = Teller("records", tells: [RecordPublished.self]) { place, transaction in
        let rows = try await RetoldStore.records(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.record.id.rawValue] }) { row in
            guard let shown = row.record.snapshot else { return [] }
            return [Teller.Fact(RecordPublished(reader: row.reader, record: shown), at: row.record.updatedAt)]
        }
    }

    private static let restrictions = Teller("restrictions", tells: [AccountRestricted.self]) { place, transaction in
        let rows = try await RestrictionStore.told(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.accountID.rawValue] }) {
            [Teller.Fact($0, at: $0.accountID.timestamp)]
        }
    }

    /// By the event after which it was as far as it is.
    private static func fact(_ row: RetoldProject) -> Teller.Fact {
        let (leader, project) = (row.leader, row.project.told)
        let moment = project.publishedAt ?? project.createdAt
        return switch project.state {
        case .draft: Teller.Fact(ProjectDrafted(leader: leader, project: project), at: moment)
        case .recruiting: Teller.Fact(ProjectPublished(leader: leader, project: project), at: moment)
        case .closed: Teller.Fact(ProjectClosed(leader: leader, project: project), at: moment)
        case .finished: Teller.Fact(ProjectFinished(leader: leader, project: project), at: moment)
        }
    }

    private static func name(of pairs: RetoldStore.Pairs) -> String {
        switch pairs {
        case .follows: "follows"
        case .requests: "requests"
        case .blocks: "blocks"
        case .mutes: "mutes"
        }
    }

    private static func type(of pairs: RetoldStore.Pairs) -> any Event.Type {
        switch pairs {
        case .follows: AccountFollowed.self
        case .requests: FollowRequested.self
        case .blocks: AccountBlocked.self
        case .mutes: AccountMuted.self
        }
    }

    private static func fact(_ pairs: RetoldStore.Pairs, _ row: RetoldPair) -> Teller.Fact {
        let (actor, target, version, moment) = (row.actor, row.target, row.version, row.number.timestamp)
        return switch pairs {
        case .follows:
            Teller.Fact(
                AccountFollowed(actor: actor, targetID: target, followedAt: moment, subjectVersion: version),
                at: moment
            )
        case .requests:
            Teller.Fact(
                FollowRequested(actor: actor, targetID: target, requestedAt: moment, subjectVersion: version),
                at: moment
            )
        case .blocks:
            Teller.Fact(AccountBlocked(actorID: actor.id, targetID: target, subjectVersion: version), at: moment)
        case .mutes:
            Teller.Fact(
                AccountMuted(
                    actorID: actor.id,
                    targetID: target,
                    notifications: row.hidesNotifications,
                    expires: row.expires,
                    subjectVersion: version
                ),
                at: moment
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Every statement of posts.

import Calls
import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

@Suite struct StatementTests {
    @Test func everyFunctionOfAStoreIsCalled() throws { try Self.catalogue.expectComplete() }

    @Test func everyStatementIsAsAgreedAndWalksAnIndex() async throws {
        try await Self.catalogue.expectStatements(
            migrations: PostsService.migrations,
            schema: "posts",
            // A few popular accounts; what waits to be told; those who moderate, and what they took away lately.
            small: ["popular_accounts", "fanouts", "outbox", "roles", "evidence"]
        )
    }

    private static let catalogue: StatementCatalogue = {
        var catalogue = StatementCatalogue("Posts")
        accounts(&catalogue)
        exported(&catalogue)
        graph(&catalogue)
        lists(&catalogue)
        posts(&catalogue)
        deletions(&catalogue)
        reactions(&catalogue)
        timelines(&catalogue)
        fanout(&catalogue)
        largeFanouts(&catalogue)
        media(&catalogue)
        conversations(&catalogue)
        shelves(&catalogue)
        records(&catalogue)
        goals(&catalogue)
        retold(&catalogue)
        projects(&catalogue)
        boards(&catalogue)
        applications(&catalogue)
        moderation(&catalogue)
        restrictions(&catalogue)
        erasures(&catalogue)
        rules(&catalogue)
        return catalogue
    }()

    // Somebody, whom they follow, and a post of that one, as the rows have them.
    private static let viewer = AccountID(7)
    private static let author = AccountID(8)
    private static let post = PostID(7)
    private static let stranger = AccountID(12)
    private static let blocked = AccountID(208)
    private static let muted = AccountID(308)
    private static let new = PostID(100_000)
    private static let now = Timestamp.now()

    /// Both directions of a list.
    private static let pages = [
        ("newest", Page(limit: 20)), ("forwards", Page(after: 1, limit: 20)),
    ]

    private static func restrictions(_ call: inout StatementCatalogue) {
        let restricted = AccountID(5004)
        call("RestrictionStore.lock(_:in:)") { RestrictionStore.lock(viewer, in: $0) }
        call("RestrictionStore.put(_:on:until:_:at:in:)") {
            let cause = Restrict.Cause(actor: "operator")
            RestrictionStore.put(.suspended, on: viewer, until: nil, cause, at: now, in: $0)
        }
        call("RestrictionStore.remove(_:from:decision:in:)") {
            RestrictionStore.remove([.frozen], from: restricted, decision: nil, in: $0)
        }
        call("RestrictionStore.hear(_:in:)") {
            _ = try await RestrictionStore.hear(
                AccountLeaving(accountID: viewer, deletion: now, subjectVersion: 1),
                in: $0
            )
        }
        call("RestrictionStore.recount(_:at:in:)") {
            _ = try await RestrictionStore.recount(restricted, at: now, in: $0)
        }
        for (variant, kinds) in [("some", [Restriction.limited]), ("none", [])] {
            call("RestrictionStore.show(_:in:)", variant) {
                let event = AccountRestricted(accountID: viewer, restrictions: kinds, subjectVersion: 1)
                _ = try await RestrictionStore.show(event, in: $0)
            }
        }
        call("RestrictionStore.ended(before:in:)", walks: "restrictions_ending") {
            _ = try await RestrictionStore.ended(before: now, in: $0)
        }
        call("RestrictionStore.nextEnd(in:)", walks: "restrictions_ending") {
            _ = try await RestrictionStore.nextEnd(in: $0)
        }
        call("RestrictionStore.removeEnded(of:before:in:)") {
            RestrictionStore.removeEnded(of: restricted, before: now, in: $0)
        }
        call("RestrictionStore.told(after:in:)", walks: "restricted_accounts_pkey") {
            _ = try await RestrictionStore.told(after: Teller.Place(limit: 250), in: $0)
        }
    }

    private static func retold(_ call: inout StatementCatalogue) {
        let place = Teller.Place(limit: 250)
        call("RetoldStore.accounts(after:in:)", walks: "accounts_pkey") {
            _ = try await RetoldStore.accounts(after: place, in: $0)
        }
        call("RetoldStore.posts(after:in:)", walks: "posts_pkey") {
            _ = try await RetoldStore.posts(after: place, in: $0)
        }
        call("RetoldStore.favourites(after:in:)", walks: "favourites_pkey") {
            _ = try await RetoldStore.favourites(after: place, in: $0)
        }
        call("RetoldStore.boosts(after:in:)", walks: "posts_pkey") {
            _ = try await RetoldStore.boosts(after: place, in: $0)
        }
        call("RetoldStore.projects(after:in:)", walks: "projects_pkey") {
            _ = try await RetoldStore.projects(after: place, in: $0)
        }
        call("RetoldStore.records(after:in:)", walks: "reading_records_pkey") {
            _ = try await RetoldStore.records(after: place, in: $0)
        }
        for pairs in RetoldStore.Pairs.allCases {
            call("RetoldStore.pairs(_:after:at:in:)", "\(pairs)") {
                _ = try await RetoldStore.pairs(pairs, after: place, at: now, in: $0)
            }
        }
    }

    private static func rules(_ call: inout StatementCatalogue) {
        call("FollowStore.strangers(among:to:in:)") {
            _ = try await FollowStore.strangers(among: [author, stranger], to: viewer, in: $0)
        }
    }

    private static func accounts(_ call: inout StatementCatalogue) {
        call("AccountStore.exists(_:in:)", isKept: true) { _ = try await AccountStore.exists(viewer, in: $0) }
        call("AccountStore.existing(_:in:)") { _ = try await AccountStore.existing([viewer], in: $0) }
        call("AccountStore.showsCollections(_:to:in:)") {
            _ = try await AccountStore.showsCollections(author, to: viewer, in: $0)
        }
        call("AccountStore.showsFavourites(_:to:in:)") {
            _ = try await AccountStore.showsFavourites(author, to: viewer, in: $0)
        }
        call("AccountStore.ids(of:in:)") {
            _ = try await AccountStore.ids(of: [#require(Username("person7"))], in: $0)
        }
        call("AccountStore.insert(_:username:in:)") {
            _ = try await AccountStore.insert(AccountID(20_000), username: #require(Username("new")), in: $0)
        }
        call("AccountStore.account(_:in:)", "by id") { _ = try await AccountStore.account(viewer, in: $0) }
        call("AccountStore.account(_:in:)", "by name") {
            _ = try await AccountStore.account(#require(Username("person7")), in: $0)
        }
        call("AccountStore.accounts(_:in:)") { _ = try await AccountStore.accounts([viewer], in: $0) }
        for (variant, isFollowed) in [("everybody", false), ("followed", true)] {
            call("AccountStore.found(_:viewer:in:)", variant) {
                let found = FoundAccounts([author, stranger], name: Username("person8"), isFollowed: isFollowed)
                _ = try await AccountStore.found(found, viewer: viewer, in: $0)
            }
        }
        call("AccountStore.credentials(_:in:)") { _ = try await AccountStore.credentials(viewer, in: $0) }
        let picture = PictureSnapshot(id: MediaID(7), file: "7.jpg")
        call("PictureStore.hold(_:in:)", walks: "accounts_pkey") { PictureStore.hold(viewer, in: $0) }
        call("PictureStore.show(_:as:of:in:)", walks: "accounts_pkey") {
            _ = try await PictureStore.show(picture, as: .avatar, of: viewer, in: $0)
        }
        call("PictureStore.withdraw(_:as:of:in:)", walks: "accounts_pkey") {
            _ = try await PictureStore.withdraw(picture.id, as: .header, of: viewer, in: $0)
        }
        call("PictureStore.remove(_:of:in:)", walks: "accounts_pkey") {
            _ = try await PictureStore.remove(.avatar, of: viewer, in: $0)
        }
        call("AccountStore.update(_:with:in:)") {
            let draft = try ProfileDraft(
                Request(method: .patch, path: "/", query: "note=new").parameters(),
                limits: Limits()
            )
            _ = try await AccountStore.update(viewer, with: draft, in: $0)
        }
        call(
            "AccountStore.statistics(activeSince:in:)",
            scansBecause: "counts all accounts, for the page about the server"
        ) { _ = try await AccountStore.statistics(activeSince: now, in: $0) }
    }

    private static func graph(_ call: inout StatementCatalogue) {
        let pair = Pair(actor: viewer, target: stranger, targetIsLocked: false)
        let follow = Follow(follower: viewer, followee: author)
        let options = FollowOptions(notify: true)
        call("BlockStore.insertBlock(_:id:in:)") { _ = try await BlockStore.insertBlock(pair, id: 20_000, in: $0) }
        call("BlockStore.delete(_:_:in:)", "block") {
            let pair = Pair(actor: viewer, target: blocked, targetIsLocked: false)
            _ = try await BlockStore.delete(.blocks, pair, in: $0)
        }
        call("BlockStore.delete(_:_:in:)", "mute") {
            let pair = Pair(actor: viewer, target: muted, targetIsLocked: false)
            _ = try await BlockStore.delete(.mutes, pair, in: $0)
        }
        call("BlockStore.setMute(_:id:notifications:expires:in:)") {
            BlockStore.setMute(pair, id: 20_000, notifications: true, expires: nil, in: $0)
        }
        call("BlockStore.forgetMutes(before:in:)", walks: "mutes_expiry") {
            _ = try await BlockStore.forgetMutes(before: now, in: $0)
        }
        call("BlockStore.setNote(_:comment:in:)") { BlockStore.setNote(pair, comment: "new", in: $0) }
        call("BlockStore.deleteNote(_:in:)") {
            BlockStore.deleteNote(Pair(actor: viewer, target: AccountID(408), targetIsLocked: false), in: $0)
        }
        for (variant, table, followee) in [
            ("follow", FollowStore.Table.follows, author), ("request", .requests, AccountID(108)),
        ] {
            call("FollowStore.insert(_:into:id:options:in:)", variant) {
                let new = Follow(follower: viewer, followee: stranger)
                FollowStore.insert(new, into: table, id: 30_000, options: options, in: $0)
            }
            call("FollowStore.update(_:of:options:in:)", variant) {
                let known = Follow(follower: viewer, followee: followee)
                FollowStore.update(known, of: table, options: options, in: $0)
            }
            call("FollowStore.delete(_:from:in:)", variant) {
                let known = Follow(follower: viewer, followee: followee)
                _ = try await FollowStore.delete(known, from: table, in: $0)
            }
        }
        call("FollowStore.insert(_:in:)") {
            let new = Follow(follower: viewer, followee: stranger)
            FollowStore.insert([NewFollow(follow: new, id: 30_000, options: FollowOptions())], in: $0)
        }
        call("FollowStore.delete(_:in:)") { FollowStore.delete([follow], in: $0) }
        call("FollowStore.count(_:by:above:in:)") {
            _ = try await FollowStore.count([follow], by: 1, above: 1, in: $0)
        }
        call("PairStore.lock(_:in:)") { _ = try await PairStore.lock([follow], in: $0) }
        call("PairStore.ties(of:in:)") { _ = try await PairStore.ties(of: [follow], in: $0) }
        call("PairStore.nextVersion(of:above:in:)") {
            _ = try await PairStore.nextVersion(of: viewer, above: 1, in: $0)
        }
    }

    private static func lists(_ call: inout StatementCatalogue) {
        let lists: [(String, String, AccountList)] = [
            ("followers", "follows_followers", .followers(of: viewer)),
            ("following", "follows_following", .following(by: viewer)),
            ("requests", "follow_requests_incoming", .requests(to: AccountID(108))),
            ("blocks", "blocks_list", .blocks(by: viewer)),
            ("mutes", "mutes_list", .mutes(by: viewer, at: now)),
            ("favourites", "favourites_post", .favourites(of: post, viewer: viewer)),
            ("boosts", "posts_boosts_list", .boosts(of: post, viewer: viewer)),
        ]
        for (name, index, list) in lists {
            for (direction, page) in pages {
                call("AccountListStore.page(_:of:in:)", "\(name), \(direction)", walks: index) {
                    _ = try await AccountListStore.page(page, of: list, in: $0)
                }
            }
        }
        call("AccountListStore.familiarFollowers(of:viewer:limit:in:)") {
            _ = try await AccountListStore.familiarFollowers(of: [AccountID(9)], viewer: viewer, limit: 40, in: $0)
        }
        call("RelationshipStore.relationships(of:now:in:)", walks: "follows_pkey", shuns: "follows_followers") {
            let pair = Follow(follower: viewer, followee: author)
            _ = try await RelationshipStore.relationships(of: [pair], now: now, in: $0)
        }
    }

    private static func posts(_ call: inout StatementCatalogue) {
        call("PostStore.status(_:viewer:in:)") { _ = try await PostStore.status(post, viewer: viewer, in: $0) }
        call("PostStore.entry(_:viewer:in:)") { _ = try await PostStore.entry(PostID(30_007), viewer: viewer, in: $0) }
        call("PostStore.statuses(_:in:)") {
            _ = try await PostStore.statuses([Sight(of: post, by: viewer)], in: $0)
        }
        call("PostStore.entries(_:in:)") {
            _ = try await PostStore.entries([Sight(of: PostID(30_007), by: viewer)], in: $0)
        }
        call("PostStore.statuses(_:viewer:in:)") { _ = try await PostStore.statuses([post], viewer: viewer, in: $0) }
        let forms: [(String, PostID?, [String], [AccountID])] = [
            ("post", nil, [], [viewer]), ("reply", post, ["new"], [viewer]), ("posts", nil, ["new"], [viewer, author]),
            ("replies", post, [], [viewer, author]),
        ]
        for (variant, parent, tags, authors) in forms {
            call("NewPostStore.insert(_:in:)", variant) {
                let draft = Post.Draft(
                    text: "new",
                    spoilerText: "",
                    sensitive: nil,
                    visibility: nil,
                    language: nil,
                    inReplyToID: parent
                )
                let made = authors.enumerated().map { number, author in
                    let id = PostID(new.rawValue + Int64(number))
                    return NewPost(id: id, author: author, draft: draft, mentions: [], tags: tags, app: nil)
                }
                _ = try await NewPostStore.insert(made, in: $0)
            }
        }
        call("PostStore.lock(_:of:in:)") { _ = try await PostStore.lock(post, of: author, in: $0) }
        call("PostStore.update(_:at:keeping:in:)") {
            let changed = PostSnapshot(
                id: post,
                accountID: author,
                text: "new",
                visibility: .public,
                tags: ["new"],
                createdAt: now,
                version: 1
            )
            try PostStore.update(changed, at: now, keeping: 20, in: $0)
        }
        call("PostStore.edits(of:viewer:limit:in:)") {
            _ = try await PostStore.edits(of: post, viewer: viewer, limit: 20, in: $0)
        }
        call("IdempotencyStore.claim(_:of:fingerprint:for:at:in:)") {
            _ = try await IdempotencyStore.claim("new", of: viewer, fingerprint: [1], for: post, at: now, in: $0)
        }
        call("IdempotencyStore.claimed(_:of:fingerprint:in:)") {
            _ = try await IdempotencyStore.claimed("key", of: viewer, fingerprint: [1], in: $0)
        }
        call("IdempotencyStore.aged", walks: "idempotency_keys_age") {
            _ = try await IdempotencyStore.aged.forget(before: now, in: $0)
        }
        call("ThreadStore.thread(_:viewer:bounds:in:)", walks: "posts_replies", isKept: true) {
            let bounds = ThreadStore.Bounds(ancestors: 40, descendants: 60, depth: 20)
            _ = try await ThreadStore.thread(post, viewer: viewer, bounds: bounds, in: $0)
        }
        call("ThreadStore.mute(conversationOf:by:in:)") {
            try await ThreadStore.mute(conversationOf: post, by: viewer, in: $0)
        }
        call("ThreadStore.unmute(conversationOf:by:in:)") {
            try await ThreadStore.unmute(conversationOf: post, by: author, in: $0)
        }
    }

    private static func deletions(_ call: inout StatementCatalogue) {
        call("PostStore.delete(_:at:in:)") { _ = try await PostStore.delete(post, at: now, in: $0) }
        call("PostStore.deleteBoosts(of:limit:at:in:)") {
            _ = try await PostStore.deleteBoosts(of: PostID(41_001), limit: 100, at: now, in: $0)
        }
        call("ErasureStore.deleted(before:in:)", walks: "posts_unerased") {
            _ = try await ErasureStore.deleted(before: now, in: $0)
        }
        for rows in ErasureStore.remains {
            call("ErasureStore.erase(from:in:)", rows.table.text) { _ = try await rows.erase(from: [post], in: $0) }
        }
        call("ErasureStore.deleteBoosts(_:in:)") {
            _ = try await ErasureStore.deleteBoosts([PostID(30_007)], in: $0)
        }
        call("ErasureStore.empty(_:at:in:)") { _ = try await ErasureStore.empty([PostID(40_001)], at: now, in: $0) }
        call(
            "ErasureStore.forgetEdits(keeping:in:)",
            scansBecause: "counts the forms of every post, once a day"
        ) { _ = try await ErasureStore.forgetEdits(keeping: 20, in: $0) }
    }

    private static func reactions(_ call: inout StatementCatalogue) {
        call("ReactionStore.add(_:in:)") {
            _ = try await ReactionStore.add([Favourite(entry: post, viewer: viewer, place: new)], in: $0)
        }
        call("ReactionStore.addBookmark(_:by:as:in:)") {
            _ = try await ReactionStore.addBookmark(post, by: viewer, as: new, in: $0)
        }
        call("ReactionStore.deleteBookmark(_:by:in:)") {
            try await ReactionStore.deleteBookmark(post, by: author, in: $0)
        }
        call("ReactionStore.delete(_:in:)") {
            _ = try await ReactionStore.delete([FavouriteEnd(entry: post, viewer: author)], in: $0)
        }
        call("PinStore.lock(_:in:)") { try await PinStore.lock(author, in: $0) }
        call("PinStore.candidate(_:of:in:)", walks: "posts_pinned") {
            _ = try await PinStore.candidate(post, of: author, in: $0)
        }
        call("PinStore.pin(_:as:in:)") { PinStore.pin(post, as: new, in: $0) }
        call("PinStore.unpin(_:of:in:)") { try await PinStore.unpin(PostID(10_007), of: author, in: $0) }
        call("ReactionStore.boostTarget(_:by:in:)") {
            _ = try await ReactionStore.boostTarget(post, by: viewer, in: $0)
        }
        call("ReactionStore.boost(_:by:as:visibility:in:)") {
            _ = try await ReactionStore.boost(post, by: viewer, as: new, visibility: nil, in: $0)
        }
        call("ReactionStore.boost(of:by:in:)") { _ = try await ReactionStore.boost(of: post, by: author, in: $0) }
        call("ReactionStore.unboost(_:by:at:in:)") {
            _ = try await ReactionStore.unboost(post, by: author, at: now, in: $0)
        }
    }

    private static func timelines(_ call: inout StatementCatalogue) {
        let filter = PostListStore.Filter()
        let tags = [
            ("one tag", TagFilter(any: ["tag7"], all: [], none: [])),
            ("one of several tags", TagFilter(any: ["tag7", "tag8"], all: [], none: [])),
        ]
        for (direction, page) in pages {
            call("PostListStore.posts(of:filter:viewer:page:in:)", direction, walks: "posts_account", isKept: true) {
                _ = try await PostListStore.posts(of: author, filter: filter, viewer: viewer, page: page, in: $0)
            }
            call("PostListStore.marked(_:of:page:in:)", "favourites, \(direction)", walks: "favourites_list") {
                _ = try await PostListStore.marked(.favourites, of: author, page: page, in: $0)
            }
            call("PostListStore.favourites(of:viewer:page:in:)", direction, walks: "favourites_list") {
                _ = try await PostListStore.favourites(of: author, viewer: viewer, page: page, in: $0)
            }
            call("PostListStore.marked(_:of:page:in:)", "bookmarks, \(direction)", walks: "bookmarks_list") {
                _ = try await PostListStore.marked(.bookmarks, of: author, page: page, in: $0)
            }
            for (variant, filter) in tags {
                call("TagStore.choose(_:viewer:page:in:)", "\(variant), \(direction)", walks: "post_tags_pkey") {
                    _ = try await TagStore.choose(filter, viewer: viewer, page: page, in: $0)
                }
            }
            for (variant, isAnybody) in [(direction, true), ("nobody popular, \(direction)", false)] {
                call("TimelineStore.home(of:anybodyIsPopular:page:in:)", variant, walks: "timeline_pkey", isKept: true)
                {
                    _ = try await TimelineStore.home(of: viewer, anybodyIsPopular: isAnybody, page: page, in: $0)
                }
            }
            call("TimelineStore.everyones(viewer:onlyMedia:page:in:)", direction, walks: "posts_public") {
                _ = try await TimelineStore.everyones(viewer: viewer, page: page, in: $0)
            }
        }
        call("TimelineStore.popularAccounts(followedBy:in:)", isKept: true) {
            _ = try await TimelineStore.popularAccounts(followedBy: viewer, in: $0)
        }
        call("TimelineStore.anybodyIsPopular(in:)") { _ = try await TimelineStore.anybodyIsPopular(in: $0) }
        call("PostStore.entries(of:in:)", walks: "posts_pkey", isKept: true) {
            _ = try await PostStore.entries(of: [PostID(10), PostID(11)], in: $0)
        }
        call("PostListStore.pinned(of:viewer:page:in:)", walks: "posts_pinned", isKept: true) {
            _ = try await PostListStore.pinned(of: author, viewer: viewer, page: Page(limit: 20), in: $0)
        }
        // Somebody who has posted more than one request looks at.
        for (direction, page) in pages {
            call("PostListStore.end(of:onlyMedia:page:in:)", direction, walks: "posts_account", isKept: true) {
                _ = try await PostListStore.end(of: AccountID(1), page: page, in: $0)
            }
        }
    }

    private static func fanout(_ call: inout StatementCatalogue) {
        let step = FanoutStore.Step(after: 0, limit: 500)
        for (variant, boosts) in [("nobody's boosts", []), ("boosts", [post])] {
            call("FanoutStore.hold(sharing:alone:andAuthorsOf:in:)", variant) {
                FanoutStore.hold(sharing: [author], alone: [viewer], andAuthorsOf: boosts, in: $0)
            }
        }
        for (variant, kinds): (String, SpreadStore.Kinds) in [
            ("plain", []), ("boosts", .boosts), ("replies", .replies), ("direct", .direct),
            ("all", .all),
        ] {
            call("SpreadStore.spread(_:_:room:limit:largeAccount:in:)", variant, walks: "follows_followers") {
                let entries = [SpreadStore.Entry(id: post, author: author, version: 1)]
                _ = try await SpreadStore.spread(entries, kinds, limit: 500, largeAccount: 5000, in: $0)
            }
        }
        call("SpreadStore.spread(_:_:room:limit:largeAccount:in:)", "within", walks: "follows_followers") {
            let entries = [SpreadStore.Entry(id: post, author: author, version: 1)]
            _ = try await SpreadStore.spread(entries, .replies, room: 1 << 40, limit: 500, largeAccount: 5000, in: $0)
        }
        call("FanoutStore.readers(of:by:_:in:)", walks: "follows_followers") {
            _ = try await FanoutStore.readers(of: post, by: author, step, in: $0)
        }
        call("FanoutStore.averse(to:in:)") { _ = try await FanoutStore.averse(to: [blocked], in: $0) }
        call("FanoutStore.withdraw(_:limit:in:)") { _ = try await FanoutStore.withdraw([post], limit: 500, in: $0) }
        call("FanoutStore.withdraw(_:by:_:in:)", walks: "timeline_post") {
            _ = try await FanoutStore.withdraw(post, by: author, step, in: $0)
        }
        call("FanoutStore.tombstone(_:in:)") { _ = try await FanoutStore.tombstone(post, in: $0) }
        call("HomeStore.backfill(_:in:)") {
            HomeStore.backfill([Follow(follower: viewer, followee: author)], in: $0)
        }
        call("HomeStore.clear(_:in:)") { HomeStore.clear([Follow(follower: viewer, followee: stranger)], in: $0) }
        call("HomeStore.clearHidden(_:from:in:)") { HomeStore.clearHidden(blocked, from: viewer, in: $0) }
        call("HomeStore.trim(after:to:in:)", walks: "timeline_pkey") {
            _ = try await HomeStore.trim(after: nil, to: 2, in: $0)
        }
    }

    private static func largeFanouts(_ call: inout StatementCatalogue) {
        call("LargeFanoutStore.goOn(_:_:by:after:in:)") {
            LargeFanoutStore.goOn(.spread, PostID(20), by: author, after: 1, in: $0)
        }
        call("LargeFanoutStore.withdrawRest(of:version:in:)") {
            _ = try await LargeFanoutStore.withdrawRest(of: [post], version: 1, in: $0)
        }
        call("LargeFanoutStore.boosters(of:_:in:)", walks: "posts_boosts_list") {
            _ = try await LargeFanoutStore.boosters(of: post, FanoutStore.Step(after: 0, limit: 500), in: $0)
        }
        call("LargeFanoutStore.next(in:)") { _ = try await LargeFanoutStore.next(in: $0) }
        let fanout = LargeFanout(id: PostID(7), author: author, kind: .spread, after: 0, version: 0, attempts: 0)
        call("LargeFanoutStore.advance(_:to:in:)") { LargeFanoutStore.advance(fanout, to: 1, in: $0) }
        call("LargeFanoutStore.finish(_:in:)") { LargeFanoutStore.finish(fanout, in: $0) }
        call("LargeFanoutStore.putOff(_:reason:in:)") {
            try await LargeFanoutStore.putOff(fanout, reason: "slow", in: $0)
        }
        call("LargeFanoutStore.backlog(failures:in:)") {
            _ = try await LargeFanoutStore.backlog(failures: 5, in: $0)
        }
    }

    private static func media(_ call: inout StatementCatalogue) {
        let free = MediaID(7)
        for repairing in [false, true] {
            call("MediaStore.keep(_:repairing:in:)", repairing ? "repairing" : "") {
                let failure = MediaFailed(mediaID: free, ownerID: viewer, reason: "damaged", subjectVersion: 9)
                _ = try await MediaStore.keep(MediaNews(failure), repairing: repairing, in: $0)
            }
        }
        call("MediaStore.post(of:in:)", walks: "media_pkey") {
            _ = try await MediaStore.post(of: MediaID(10_007), in: $0)
        }
        call("MediaStore.show(_:in:_:)", walks: "posts_pkey") { try MediaStore.show([], in: post, $0) }
        call("MediaStore.restore(_:of:by:in:)", "post", walks: "posts_account_media") {
            MediaStore.restore(.post, of: MediaID(9000), by: AccountID(1), in: $0)
        }
        call("MediaStore.files(_:in:)") { _ = try await MediaStore.files([free], in: $0) }
        call("MediaStore.hold(_:of:in:)") { _ = try await MediaStore.hold([free], of: viewer, in: $0) }
        call("MediaStore.attach(_:to:in:)") { MediaStore.attach([free], to: post, in: $0) }
        call("MediaStore.release(from:except:at:in:)", walks: "media_post") {
            MediaStore.release(from: post, except: [], at: now, in: $0)
        }
        call("MediaStore.aged", walks: "media_free") {
            _ = try await MediaStore.aged.forget(before: now, in: $0)
        }
        let card = CardNews(
            LinkPreviewReady(
                linkID: LinkID(1),
                url: "https://a.example/7",
                card: CardSnapshot(url: "https://a.example/7", title: "a"),
                subjectVersion: 9
            )
        )
        for repairing in [false, true] {
            call("CardStore.keep(_:at:repairing:in:)", repairing ? "repairing" : "") {
                _ = try await CardStore.keep(card, at: now, repairing: repairing, in: $0)
            }
        }
        call("CardStore.tell(of:from:most:in:)", walks: "posts_link") {
            CardStore.tell(of: "https://a.example/7", from: PostID(1), most: 100, in: $0)
        }
        call("CardStore.forget(before:at:unless:in:)", walks: "cards_touched") {
            _ = try await CardStore.forget(before: now, at: now, unless: CardStore.isShown, in: $0)
        }
        call("PostListStore.posts(of:filter:viewer:page:in:)", "with files", walks: "posts_account_media", isKept: true)
        {
            let filter = PostListStore.Filter(onlyMedia: true)
            let page = Page(limit: 20)
            _ = try await PostListStore.posts(of: author, filter: filter, viewer: viewer, page: page, in: $0)
        }
        call("PostListStore.end(of:onlyMedia:page:in:)", "with files", walks: "posts_account_media", isKept: true) {
            _ = try await PostListStore.end(of: AccountID(1), onlyMedia: true, page: Page(limit: 20), in: $0)
        }
        call("TimelineStore.everyones(viewer:onlyMedia:page:in:)", "with files", walks: "posts_public_media") {
            _ = try await TimelineStore.everyones(viewer: viewer, onlyMedia: true, page: Page(limit: 20), in: $0)
        }
        call("TagStore.choose(_:viewer:page:in:)", "with files", walks: "post_tags_pkey") {
            let filter = TagFilter(any: ["tag7"], all: [], none: [], onlyMedia: true)
            _ = try await TagStore.choose(filter, viewer: viewer, page: Page(limit: 20), in: $0)
        }
    }

    private static let book = ShelfBookID(7)
    private static let record = RecordID(7)
    private static let client = ClientID("00000000-0000-0000-0000-000000000007")

    private static func shelves(_ call: inout StatementCatalogue) {
        call("ShelfStore.hold(_:in:)") { _ = try await ShelfStore.hold(viewer, in: $0) }
        call("ShelfStore.advance(_:to:in:)") { ShelfStore.advance(viewer, to: 2, in: $0) }
        for (variant, start) in [("from nothing", Int64?.none), ("from a number", 1)] {
            call("ShelfStore.changes(of:after:start:limit:in:)", variant, walks: "reading_records_changes") {
                _ = try await ShelfStore.changes(of: viewer, after: 0, start: start, limit: 101, in: $0)
            }
        }
        call("ShelfStore.bury(_:_:client:of:version:at:in:)") {
            ShelfStore.bury(.record, 7, client: client, of: viewer, version: 900, at: now, in: $0)
        }
        call("ShelfStore.isGone(_:of:in:)", walks: "shelf_tombstones_client") {
            let client = try #require(ClientID("00000000-0000-0000-0001-000000000007"))
            _ = try await ShelfStore.isGone(client, of: viewer, in: $0)
        }
        call("ShelfStore.trim(_:keeping:in:)", walks: "shelf_tombstones_pkey") {
            ShelfStore.trim(viewer, keeping: 1, in: $0)
        }
        call("ShelfStore.forget(before:in:)", walks: "shelf_tombstones_age") {
            _ = try await ShelfStore.forget(before: now, in: $0)
        }
        call("ShelfWriteStore.taken(_:of:in:)") {
            _ = try await ShelfWriteStore.taken([#require(client)], of: viewer, in: $0)
        }
        call("ShelfWriteStore.remember(_:of:at:in:)") {
            let new = try #require(ClientID("00000000-0000-0000-0002-000000000007"))
            ShelfWriteStore.remember([new], of: viewer, at: now, in: $0)
        }
        call("ShelfWriteStore.aged", walks: "shelf_writes_age") {
            _ = try await ShelfWriteStore.aged.forget(before: now, in: $0)
        }
        call("ShelfBookStore.book(_:of:in:)", walks: "shelf_books_list") {
            _ = try await ShelfBookStore.book(book, of: viewer, in: $0)
        }
        call("ShelfBookStore.books(of:of:in:)", walks: "shelf_books_account_id_key_key") {
            _ = try await ShelfBookStore.books(of: [Array("book 7".utf8)], of: viewer, in: $0)
        }
        call("ShelfBookStore.books(_:of:in:)") {
            _ = try await ShelfBookStore.books([book], of: viewer, in: $0)
        }
        for (direction, page) in pages {
            for (variant, words) in [("all", []), ("found", ["book", "7%_"])] {
                call("ShelfBookStore.page(_:of:words:in:)", "\(variant), \(direction)", walks: "shelf_books_list") {
                    _ = try await ShelfBookStore.page(page, of: viewer, words: words, in: $0)
                }
            }
        }
        let data = BookData(title: "new", authors: ["a"])
        call("ShelfBookStore.insert(_:of:in:)") {
            ShelfBookStore.insert(ShelfBook(id: ID(900_000), version: 9, data: data), of: viewer, in: $0)
        }
        call("ShelfBookStore.update(_:in:)") {
            ShelfBookStore.update(ShelfBook(id: book, version: 9, data: data), in: $0)
        }
        call("ShelfBookStore.deleteUnread(_:in:)", walks: "reading_records_book") {
            _ = try await ShelfBookStore.deleteUnread(ID(20_007), in: $0)
        }
    }

    private static func records(_ call: inout StatementCatalogue) {
        for (variant, name) in [
            ("by id", RecordName.id(record)), ("by its app's", client.map { .client($0) } ?? .id(record)),
        ] {
            call("RecordStore.record(_:of:in:)", variant) { _ = try await RecordStore.record(name, of: viewer, in: $0) }
        }
        call("RecordStore.records(_:of:in:)") {
            _ = try await RecordStore.records([record], of: viewer, in: $0)
        }
        call("RecordStore.newest(of:in:)", walks: "reading_records_book") {
            _ = try await RecordStore.newest(of: [book], in: $0)
        }
        let lists: [(String, String, RecordList)] = [
            ("all", "reading_records_list", .all), ("to read next", "reading_records_states", .inState(.finished)),
            ("favourites", "reading_records_favourites", .favourites),
            ("of a book", "reading_records_book", .ofBook(book)),
            ("of a year", "reading_records_list", .ended(year: 2025, month: nil)),
            ("of a month", "reading_records_list", .ended(year: 2025, month: 1)),
        ]
        for (direction, page) in pages {
            for (name, index, list) in lists {
                call("RecordStore.page(_:of:of:in:)", "\(name), \(direction)", walks: index) {
                    _ = try await RecordStore.page(page, of: list, of: viewer, in: $0)
                }
            }
            call("RecordStore.shown(_:of:to:in:)", direction, walks: "reading_records_shown") {
                _ = try await RecordStore.shown(page, of: author, to: viewer, in: $0)
            }
        }
        call("RecordStore.shown(_:to:in:)", walks: "reading_records_pkey") {
            _ = try await RecordStore.shown(RecordID(8), to: viewer, in: $0)
        }
        call("RecordStore.found(_:to:in:)", walks: "reading_records_pkey") {
            _ = try await RecordStore.found([RecordID(8), record], to: viewer, in: $0)
        }
        call("RecordStore.shown(of:most:in:)", walks: "reading_records_book") {
            _ = try await RecordStore.shown(of: ShelfBookID(8), most: 100, in: $0)
        }
        call("RecordStore.count(of:in:)") { _ = try await RecordStore.count(of: viewer, in: $0) }
        call("RecordStore.readings(of:in:)", walks: "reading_records_book") {
            _ = try await RecordStore.readings(of: [book], in: $0)
        }
        @Sendable func row(_ id: RecordID) -> RecordRow {
            RecordRow(
                id: id,
                readerID: viewer,
                clientID: nil,
                version: 9,
                content: RecordContent(state: .finished, quotes: [Quote(text: "q")], endedOn: Day(now)),
                updatedAt: now,
                book: ShelfBook(id: book, version: 1, data: BookData(title: "a"))
            )
        }
        call("RecordStore.insert(_:in:)") { try RecordStore.insert(row(RecordID(900_000)), in: $0) }
        call("RecordStore.update(_:in:)", walks: "reading_records_pkey") { try RecordStore.update(row(record), in: $0) }
        call("RecordStore.delete(_:in:)", walks: "reading_records_pkey") { RecordStore.delete(record, in: $0) }
        call("ProgressStore.progress(of:in:)", walks: "reading_progress_pkey") {
            _ = try await ProgressStore.progress(of: [record], in: $0)
        }
        call("ProgressStore.put(_:of:by:in:)") {
            let days = [Progress(day: Day(now), page: 3, percent: nil)]
            ProgressStore.put(days, of: record, by: viewer, in: $0)
        }
        call("ProgressStore.delete(_:of:in:)", walks: "reading_progress_pkey") {
            ProgressStore.delete([Day("2025-01-07")].compactMap { $0 }, of: record, in: $0)
        }
        call("EarlierTextStore.keep(_:of:keeping:in:)", walks: "earlier_texts_record") {
            let texts = [(id: RecordID(900_000), text: EarlierText(field: .review, text: "before"))]
            EarlierTextStore.keep(texts, of: record, keeping: 2, in: $0)
        }
        call("EarlierTextStore.texts(of:limit:in:)", walks: "earlier_texts_record") {
            _ = try await EarlierTextStore.texts(of: record, limit: 20, in: $0)
        }
    }

    private static func goals(_ call: inout StatementCatalogue) {
        let period = GoalPeriod(year: 2025, month: 0)
        for (variant, year) in [("all", Int?.none), ("of a year", 2025)] {
            call("GoalStore.goals(of:year:in:)", variant, walks: "reading_goals_pkey") {
                _ = try await GoalStore.goals(of: viewer, year: year, in: $0)
            }
        }
        call("GoalStore.goals(_:of:in:)", walks: "reading_goals_pkey") {
            _ = try await GoalStore.goals([period], of: viewer, in: $0)
        }
        call("GoalStore.count(of:in:)") { _ = try await GoalStore.count(of: viewer, in: $0) }
        call("GoalStore.put(_:books:of:version:in:)") {
            GoalStore.put(period, books: 7, of: viewer, version: 9, in: $0)
        }
        call("GoalStore.delete(_:of:in:)") { GoalStore.delete(period, of: viewer, in: $0) }
        call("GoalStore.reached(in:of:in:)", walks: "reading_goals_pkey") {
            _ = try await GoalStore.reached(in: [2025], of: viewer, in: $0)
        }
        call("GoalStore.reach(_:of:at:version:in:)") {
            GoalStore.reach(period, of: viewer, at: now, version: 9, in: $0)
        }
        call("ReadingStatisticsStore.day(of:in:in:)") {
            _ = try await ReadingStatisticsStore.day(of: now, in: "Asia/Seoul", in: $0)
        }
        let finished = "reading_records_finished"
        call("ReadingStatisticsStore.months(of:of:in:)", walks: finished) {
            _ = try await ReadingStatisticsStore.months(of: 2025, of: viewer, in: $0)
        }
        call("ReadingStatisticsStore.years(of:in:)", walks: finished) {
            _ = try await ReadingStatisticsStore.years(of: viewer, in: $0)
        }
        call("ReadingStatisticsStore.days(of:of:in:)", walks: "reading_progress_days") {
            _ = try await ReadingStatisticsStore.days(of: 2025, of: viewer, in: $0)
        }
        call("ReadingStatisticsStore.streaks(of:until:in:)", walks: "reading_progress_days") {
            _ = try await ReadingStatisticsStore.streaks(of: viewer, until: Day(now), in: $0)
        }
        for sharing in ReadingStatisticsStore.Sharing.allCases {
            call("ReadingStatisticsStore.shares(_:of:of:limit:in:)", "\(sharing)", walks: finished) {
                _ = try await ReadingStatisticsStore.shares(sharing, of: 2025, of: viewer, limit: 20, in: $0)
            }
        }
    }

    private static func conversations(_ call: inout StatementCatalogue) {
        let one = ConversationID(7)
        call("ConversationStore.follow(_:in:)") { _ = try await ConversationStore.follow(PostID(66_007), in: $0) }
        call("ConversationStore.leave(_:in:)") { _ = try await ConversationStore.leave(PostID(65_500), in: $0) }
        call("ConversationStore.conversations(_:in:)") { _ = try await ConversationStore.conversations([one], in: $0) }
        for (direction, page) in pages {
            call("ConversationStore.page(_:of:in:)", direction, walks: "conversations_list") {
                _ = try await ConversationStore.page(page, of: viewer, in: $0)
            }
        }
        call("ConversationStore.mark(_:of:unread:in:)") {
            _ = try await ConversationStore.mark(one, of: viewer, unread: false, in: $0)
        }
        call("ConversationStore.clear(_:of:in:)") { _ = try await ConversationStore.clear(one, of: viewer, in: $0) }
        call("ConversationStore.forget(of:with:in:)", walks: "conversations_list") {
            ConversationStore.forget(of: viewer, with: author, in: $0)
        }
        call("ConversationStore.trim(after:to:in:)", walks: "conversations_list") {
            _ = try await ConversationStore.trim(after: nil, to: 1, in: $0)
        }
    }

    private static func exported(_ call: inout StatementCatalogue) {
        let place = ExportPlace(of: viewer, limit: 100)
        let site = "madang.example"
        call("ExportedStore.profile(_:in:)") { _ = try await ExportedStore.profile(viewer, in: $0) }
        call("ExportedStore.posts", walks: "posts_account") {
            _ = try await ExportedStore.posts(origin: site).texts(place, in: $0)
        }
        call("ExportedStore.boosts", walks: "posts_account") {
            _ = try await ExportedStore.boosts(origin: site).texts(place, in: $0)
        }
        call("ExportedStore.favourites") {
            _ = try await ExportedStore.favourites(origin: site).texts(place, in: $0)
        }
        call("ExportedStore.bookmarks") {
            _ = try await ExportedStore.bookmarks(origin: site).rows(place, in: $0)
        }
        call("ExportedStore.mutedConversations") {
            _ = try await ExportedStore.mutedConversations.texts(place, in: $0)
        }
        call("ExportedStore.following") {
            _ = try await ExportedStore.following(domain: site).rows(place, in: $0)
        }
        call("ExportedStore.followers") {
            _ = try await ExportedStore.followers(domain: site).rows(place, in: $0)
        }
        call("ExportedStore.blocks") {
            _ = try await ExportedStore.blocks(domain: site).rows(place, in: $0)
        }
        call("ExportedStore.mutes") {
            _ = try await ExportedStore.mutes(domain: site).rows(place, in: $0)
        }
        call("ExportedStore.followRequests") {
            _ = try await ExportedStore.followRequests(domain: site).rows(place, in: $0)
        }
        call("ExportedStore.notes") {
            _ = try await ExportedStore.notes(domain: site).rows(place, in: $0)
        }
        call("ExportedStore.projects", walks: "projects_leader") {
            _ = try await ExportedStore.projects.texts(place, in: $0)
        }
        call("ExportedStore.memberships") {
            _ = try await ExportedStore.memberships.texts(place, in: $0)
        }
        call("ExportedStore.applications") {
            _ = try await ExportedStore.applications.texts(place, in: $0)
        }
        call("ExportedStore.projectBookmarks") {
            _ = try await ExportedStore.projectBookmarks.texts(place, in: $0)
        }
        call("ExportedStore.earlierTexts") {
            _ = try await ExportedStore.earlierTexts.texts(place, in: $0)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What every command and query of posts works with.

import Domain
import Postgres
import ServiceKit
import Serving
import Views
import Web
import WebPages

/// Plain values, built once at the start and passed down.
struct Dependencies: Sendable {
    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let site: Site
    var limits: Limits
    let pages: Pages
    /// Verifies the links of letters by which people appeal who cannot sign in.
    var appealTokens: PrincipalVerifier?
    /// Accounts known to have a row.
    let known = KnownAccounts()
    let popularity = Popularity()
    let statuses = KeptStatuses()
    var answers = Dependencies.answers()
    /// Views of projects that are not written down yet.
    let views = ViewCounter()
    /// What may not be written here.
    var blocks = KeptBlockList()
    // Commands that come at the same time share a transaction.
    let posts = CommandLanes<CreatePost.Command, CreatePost.Outcome>()
    /// To one post each: only one is locked before their authors.
    let replies = CommandLanes<CreatePost.Command, CreatePost.Outcome>(patience: nil)
    let favourites = CommandLanes<Favourite, StatusRow?>()
    let follows = CommandLanes<FollowChange, RelationshipView?>()
    let unfollows = CommandLanes<FollowChange, RelationshipView?>()
    let unfavourites = CommandLanes<FavouriteEnd, StatusRow?>()
    /// There is a fan-out to go on with.
    let fanouts = Bell()
}

extension Dependencies {
    /// Nothing is kept yet.
    static func answers() -> KeptAnswers { KeptAnswers(ChangeLog(passed: BlockStore.mutesEnded(since:))) }
}

/// How much is allowed.
struct Limits: Sendable {
    /// Followers above which an account's posts are read at read time instead of fanned out.
    var largeAccount = 20_000
    /// How long nobody is taken to be so large after nobody was.
    var popularityPatience = Duration.seconds(1)
    /// Entries of a home timeline that are kept.
    var home = 1000
    /// Characters.
    var displayName = 30
    var note = 500
    /// Of what is said of a picture of a profile.
    var pictureDescription = 150
    var fields = 4
    /// Characters of a field's name and of its value.
    var field = 255
    var post = 500
    /// Of a profile's native and of its target languages.
    var languages = 10
    /// Of sites that may name an account as an author.
    var domains = 100
    /// Of a post however it is counted: what a URL counts says nothing of its length. Room for 500 syllables of
    /// decomposed Korean.
    var postScalars = 4000
    /// Of a post's text in JSON, where a control character takes six.
    var postBytes = 5000
    /// What a post was before its newest edits; older forms are forgotten.
    var edits = 20
    /// Boosts that go with a deleted post in one step.
    var boostsInStep = 100
    /// Followers who are reached in the transaction that stores posts, which others share; more are left to the fan-out.
    var followersInPosting = 250
    /// Followers whom a fan-out reaches in the transaction of its event, which others share.
    var followersAtOnce = 500
    /// Followers whom a fan-out reaches in each further transaction.
    var followersInStep = 2000
    /// Posts on top of a profile.
    var pins = 5
    /// Conversations of an account that are kept.
    var conversations = 1000
    /// People of a conversation who are shown.
    var peopleShown = 40
    /// People of a conversation who are told of it live: it is written out for each of them.
    var peopleTold = 20
    /// Files of one post.
    var media = 4
    /// Code points of a file's description.
    var mediaDescription = MediaLimits.description
    /// How long a request waits for a file that may become ready at any moment.
    var mediaPatience = Duration.seconds(2)
    /// Ids in one request.
    var ids = 100
    var library = LibraryLimits()
    var projects = ProjectLimits()
    var moderation = ModerationLimits()
    /// Who does less than others for a while; nobody where nothing is said.
    var newAccounts = NewAccounts()
}

// SPDX-License-Identifier: Apache-2.0
// Every event at its limits fits the outbox, and with it the broker.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct EventSizeTests {
    private static func account() throws -> AccountSnapshot {
        let limits = Limits()
        return AccountSnapshot(
            id: .largest,
            username: try .largest(),
            displayName: .wide(limits.displayName),
            note: .wide(limits.note),
            fields: (0..<limits.fields).map { _ in
                ProfileField(name: .wide(limits.field), value: .wide(limits.field))
            },
            createdAt: .largest,
            lastPostAt: .largest,
            postsCount: .max,
            followersCount: .max,
            followingCount: .max,
            version: .max,
            extras: ProfileExtras(
                indexable: false,
                hideCollections: false,
                showFavourites: false,
                nativeLanguages: Array(repeating: "zzz-Zzzz-ZZ", count: limits.languages),
                targetLanguages: Array(repeating: "zzz-Zzzz-ZZ", count: limits.languages),
                avatar: PictureSnapshot(id: .largest, file: String(repeating: "f", count: 38)),
                header: PictureSnapshot(id: .largest, file: String(repeating: "f", count: 38)),
                avatarDescription: .wide(limits.pictureDescription),
                headerDescription: .wide(limits.pictureDescription),
                restrictions: Restriction.allCases
            )
        )
    }

    /// The largest that `Post.check` lets through: its text in JSON, as many mentions and tags as fit, each the longer
    /// for being told again.
    private static func post() throws -> PostSnapshot {
        let limits = Limits()
        let short = try (0..<170).map { MentionSnapshot(id: .largest, username: try #require(Username("a\($0)"))) }
        return PostSnapshot(
            id: .largest,
            accountID: .largest,
            text: String(repeating: "\"", count: limits.postBytes / 2),
            language: "zh-Hant-TW",
            inReplyToID: .largest,
            inReplyToAccountID: .largest,
            mentions: short,
            tags: (0..<250).map { _ in "abcdefghijklmnopqr" },
            app: AppSnapshot(name: .wide(60), website: String(repeating: "w", count: 2000)),
            createdAt: .largest,
            editedAt: .largest,
            repliesCount: .max,
            boostsCount: .max,
            favouritesCount: .max,
            version: .max,
            media: (0..<limits.media).map { _ in MediaSnapshot(file(limits)) }
        )
    }

    private static func file(_ limits: Limits) -> MediaProcessed {
        let rendition = RenditionSnapshot(url: String(repeating: "f", count: 38), width: .max, height: .max)
        return MediaProcessed(
            mediaID: .largest,
            ownerID: .largest,
            type: .image,
            original: rendition,
            preview: rendition,
            mimeType: "image/jpeg",
            bytes: .max,
            blurhash: String(repeating: "b", count: 100),
            description: .wide(limits.mediaDescription),
            subjectVersion: .max,
            focus: FocusSnapshot(x: -1 / 3, y: -1 / 3),
            duration: 1e300
        )
    }

    private static func posts() throws -> [any Event] {
        let (account, post) = (try account(), try post())
        let id = account.id
        let boosts = Limits().boostsInStep
        let timeline = TimelineUpdated(postID: post.id, update: .largest("status.update"), subjectVersion: .max)
        return [
            ProfileUpdated(account: account),
            PostCreated(author: account, post: post),
            ReplyCreated(author: account, post: post),
            PostEdited(author: account, post: post),
            PostDeleted(postID: post.id, accountID: id, boostIDs: .largest(boosts), subjectVersion: .max),
            PostLiked(actor: account, post: post, author: account, likedAt: .largest),
            PostUnliked(actorID: id, postID: post.id, subjectVersion: .max),
            PostReposted(
                actor: account,
                boostID: .largest,
                post: post,
                author: account,
                visibility: .unlisted,
                boostedAt: .largest
            ),
            PostUnreposted(actorID: id, boostID: .largest, postID: post.id, subjectVersion: .max),
            AccountFollowed(actor: account, targetID: id, followedAt: .largest, subjectVersion: .max),
            AccountUnfollowed(actorID: id, targetID: id, subjectVersion: .max),
            FollowRequested(actor: account, targetID: id, requestedAt: .largest, subjectVersion: .max),
            FollowRequestClosed(actorID: id, targetID: id, subjectVersion: .max),
            AccountBlocked(actorID: id, targetID: id, subjectVersion: .max),
            AccountUnblocked(actorID: id, targetID: id, subjectVersion: .max),
            AccountMuted(actorID: id, targetID: id, notifications: true, expires: .largest, subjectVersion: .max),
            AccountUnmuted(actorID: id, targetID: id, subjectVersion: .max),
            PostAnnounced(type: "status", author: account, post: post, recipients: .largest(Fanout.recipientsInEvent)),
            timeline, Former(timeline),
        ]
    }

    private static func reading() throws -> [any Event] {
        let (account, limits) = (try account(), LibraryLimits())
        let record = RecordSnapshot(
            id: .largest,
            accountID: .largest,
            book: ShelfBookSnapshot(
                id: .largest,
                title: .wide(limits.title),
                authors: Array(repeating: .wide(limits.name), count: ShelfBook.toldAuthors),
                publisher: .wide(limits.publisher),
                isbn: ISBN("9788932917245"),
                // A stroke is escaped.
                coverURL: String(repeating: "/", count: limits.address)
            ),
            state: .abandoned,
            ratingHalves: 10,
            oneLine: .wide(limits.oneLine),
            review: .wide(limits.review),
            startedOn: Day(days: .max),
            endedOn: Day(days: .max),
            visibility: .followers,
            version: .max
        )
        return [
            RecordPublished(reader: account, record: record), RecordUpdated(reader: account, record: record),
            RecordWithdrawn(recordID: .largest, accountID: .largest, subjectVersion: .max),
            GoalReached(accountID: .largest, year: 9999, month: 12, subjectVersion: .max),
        ]
    }

    /// As `Project.Revision` and `ApplyToProject` let them through.
    private static func projects() throws -> [any Event] {
        let (account, limits) = (try account(), ProjectLimits())
        let project = ProjectSnapshot(
            id: .largest,
            leaderID: .largest,
            state: .recruiting,
            title: .wide(limits.title),
            summary: .wide(limits.summary),
            text: String(repeating: "\"", count: limits.textBytes / 2),
            mentions: [],
            category: .wide(limits.category),
            tags: (0..<limits.tags).map { _ in .wide(limits.tag) },
            roles: (0..<limits.roles).map { _ in
                ProjectRole(id: .largest, name: .wide(limits.roleName), wanted: limits.wanted)
            },
            place: .wide(limits.place),
            frequency: .wide(limits.frequency),
            startsOn: "9999-12-31",
            deadline: .largest,
            contactURL: String(repeating: "u", count: 2048),
            language: "zh-Hant-TW",
            media: (0..<limits.media).map { _ in MediaSnapshot(file(Limits())) },
            createdAt: .largest,
            publishedAt: .largest,
            editedAt: .largest,
            version: .max
        ).told
        let application = ApplicationSnapshot(
            id: .largest,
            projectID: .largest,
            accountID: .largest,
            roleID: .largest,
            roleName: .wide(limits.roleName),
            message: .wide(limits.message),
            state: .withdrawn,
            note: .wide(limits.note),
            createdAt: .largest,
            decidedAt: .largest,
            version: .max
        )
        func decided<Deed>(_: ApplicationEvent<Deed>.Type) -> any Event {
            ApplicationEvent<Deed>(
                actor: account,
                recipientID: account.id,
                project: project.brief,
                application: application
            )
        }
        let member = ProjectMemberSnapshot(accountID: account.id, username: account.username, since: .max)
        return [
            ProjectDrafted(leader: account, project: project),
            ProjectPublished(leader: account, project: project),
            ProjectUpdated(leader: account, project: project),
            ProjectClosed(leader: account, project: project),
            ProjectFinished(leader: account, project: project),
            ProjectDeleted(projectID: project.id, leaderID: account.id, subjectVersion: .max),
            ProjectAnnounced(
                type: "project_deadline",
                leader: account,
                project: project.brief,
                recipients: .largest(Fanout.recipientsInEvent)
            ),
            ProjectMentionsChanged(
                leader: account,
                project: project.brief,
                named: .largest(limits.mentions),
                unnamed: .largest(limits.mentions)
            ),
            decided(ApplicationReceived.self), decided(ApplicationAccepted.self), decided(ApplicationDeclined.self),
            decided(ApplicationWithdrawn.self),
            ProjectMembersChanged(
                projectID: project.id,
                title: project.title,
                language: project.language,
                leaderID: account.id,
                members: Array(repeating: member, count: limits.wanted + 1),
                subjectVersion: .max
            ),
            ProjectRoomChanged(
                projectID: project.id,
                playgroundID: .largest,
                channelID: .largest,
                subjectVersion: .max
            ),
            ProjectMemberLeft(projectID: project.id, accountID: account.id, since: .max, subjectVersion: .max),
        ]
    }

    private static func moderation() throws -> [any Event] {
        let (limits, account) = (Limits().moderation, try account())
        let thing = Thing(kind: .playground, id: String(repeating: "i", count: 64))
        return [
            AccountRestricted(accountID: .largest, restrictions: Restriction.allCases, subjectVersion: .max),
            DecisionMade(
                decisionID: .largest,
                accountID: .largest,
                action: .sensitive,
                thing: thing,
                reason: .wide(limits.reason),
                until: .largest,
                appealUntil: .largest,
                decidedAt: .largest,
                subjectVersion: .max,
                account: account
            ),
            ThingReported(
                reportID: .largest,
                reporterID: .largest,
                things: Array(repeating: thing, count: limits.things)
            ),
            ReportFiled(
                report: ReportSnapshot(
                    id: .largest,
                    category: "violation",
                    comment: .wide(limits.comment),
                    postIDs: .largest(limits.things),
                    ruleIDs: Array(repeating: String(Int64.max), count: limits.rules),
                    createdAt: .largest
                ),
                reporter: account,
                target: account
            ),
            AppealMade(decisionID: .largest, accountID: .largest, madeAt: .largest),
            AppealDecided(decisionID: .largest, accountID: .largest, isAccepted: false, decidedAt: .largest),
        ]
    }

    @Test func everyEventAtItsLimitsFits() throws {
        try expectFitting(Self.posts() + Self.reading() + Self.projects() + Self.moderation(), of: "posts")
    }

    /// The same by the routes: whatever is let in is told and fanned out.
    @Test func postsAtTheirLimitsSurvive() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            for person in [ann, bob] { try await world.post(profile: person) }
            _ = try await world.database.query(
                "INSERT INTO accounts (id, username, created_at) SELECT n, 'u' || n, now() FROM generate_series(1, 200) n"
            )
            let limits = world.dependencies.limits
            func repeated(_ piece: (Int) -> String) -> String {
                var text = ""
                for number in 1... {
                    let more = text + piece(number)
                    let draft = (try? Post.check(text: more, spoilerText: "", hasFiles: false, limits: limits)) != nil
                    guard draft, number < 6000 else { break }
                    text = more
                }
                return text
            }
            let texts = [
                "https://a.example/?" + String(repeating: "&", count: limits.postScalars - 20),
                repeated { "@u\($0) " }, repeated { "#t\($0) " }, repeated { _ in "\"" }, repeated { _ in "\u{1}" },
                repeated { _ in "&" }, repeated { _ in "👍🏽" }, repeated { "https://a.example/\($0)?&&&&&&&&&&&& " },
                repeated { _ in "İ#İ" }, repeated { _ in "<\n" },
            ]
            for text in texts {
                let answer = try await world.publish(text, as: ann, ["language": "zh-Hant-TW"])
                #expect(answer.code == 200, "\(text.prefix(20)): \(answer.text.prefix(300))")
                guard let id = try answer.string("id") else { continue }
                #expect(answer.body.count < 100_000, "\(text.prefix(20)): \(answer.body.count)")
                for (action, person) in [("reblog", bob), ("favourite", bob), ("favourite", ann)] {
                    #expect(try await world.act(action, on: id, as: person).code == 200, "\(text.prefix(20)) \(action)")
                }
                let edit = try JSONSerialization.data(withJSONObject: ["status": text, "sensitive": true])
                let path = "/api/v1/statuses/\(id)"
                let body = String(decoding: edit, as: UTF8.self)
                let edited = try await world.send(.put, path, as: ann, type: "application/json", body: body)
                #expect(edited.code == 200)
            }
            try await world.fanOut()
            // Bob's boosts are of what his home shows.
            #expect(try await world.home(bob, "?limit=40").count == texts.count)
            let rows = try await world.number("SELECT count(*) FROM timeline WHERE account_id = \(bob.id)")
            #expect(rows == texts.count * 2)
        }
    }
}

extension GraphWorld {
    /// Fills a profile as far as it goes.
    fileprivate func post(profile person: Person) async throws {
        let wide = String(repeating: "𝔐", count: 255)
        let body: [String: Any] = [
            "display_name": String(repeating: "𝔐", count: 30), "note": String(repeating: "𝔐", count: 500),
            "fields_attributes": (0..<4).map { _ in ["name": wide, "value": wide] },
        ]
        let answer = try await send(
            .patch,
            "/api/v1/accounts/update_credentials",
            as: person,
            type: "application/json",
            body: String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        )
        #expect(answer.code == 200, "\(answer.text)")
    }
}

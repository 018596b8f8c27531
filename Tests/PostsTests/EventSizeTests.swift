// SPDX-License-Identifier: Apache-2.0
// Every event at its limits fits the outbox, and with it the broker.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Surface
import Testing
import Web

@testable import Outbox
@testable import PostsService

@Suite struct EventSizeTests {
    private static let largest = Int64.max - 7
    private static let moment = Timestamp(milliseconds: 253_402_300_799_999)
    private static func ids<Kind>(_ count: Int) -> [ID<Kind>] { (0..<count).map { ID(largest - Int64($0)) } }
    private static let name = Username(String(repeating: "n", count: 30))

    /// A text whose every scalar takes four bytes, which no escape in JSON exceeds once controls are gone.
    private static func wide(_ scalars: Int) -> String { String(repeating: "𝔐", count: scalars) }

    private static func account() throws -> AccountSnapshot {
        let limits = Limits()
        return AccountSnapshot(
            id: ID(largest),
            username: try #require(name),
            displayName: wide(limits.displayName),
            note: wide(limits.note),
            fields: (0..<limits.fields).map { _ in
                ProfileField(name: wide(limits.field), value: wide(limits.field))
            },
            createdAt: moment,
            lastPostAt: moment,
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
                avatar: PictureSnapshot(id: ID(largest), file: String(repeating: "f", count: 38)),
                header: PictureSnapshot(id: ID(largest), file: String(repeating: "f", count: 38)),
                avatarDescription: wide(limits.pictureDescription),
                headerDescription: wide(limits.pictureDescription)
            )
        )
    }

    /// The largest that `Post.check` lets through: its text in JSON, as many mentions and tags as fit, each the longer
    /// for being told again.
    private static func post() throws -> PostSnapshot {
        let limits = Limits()
        let short = try (0..<170).map { MentionSnapshot(id: ID(largest), username: try #require(Username("a\($0)"))) }
        return PostSnapshot(
            id: ID(largest),
            accountID: ID(largest),
            text: String(repeating: "\"", count: limits.postBytes / 2),
            language: "zh-Hant-TW",
            inReplyToID: ID(largest),
            inReplyToAccountID: ID(largest),
            mentions: short,
            tags: (0..<250).map { _ in "abcdefghijklmnopqr" },
            app: AppSnapshot(name: wide(60), website: String(repeating: "w", count: 2000)),
            createdAt: moment,
            editedAt: moment,
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
            mediaID: ID(largest),
            ownerID: ID(largest),
            type: .image,
            original: rendition,
            preview: rendition,
            mimeType: "image/jpeg",
            bytes: .max,
            blurhash: String(repeating: "b", count: 100),
            description: wide(limits.mediaDescription),
            subjectVersion: .max,
            focus: FocusSnapshot(x: -1 / 3, y: -1 / 3),
            duration: 1e300
        )
    }

    private static func live(_ event: String) throws -> LiveUpdate {
        let people: [AccountID] = ids(2000)
        return LiveUpdate(
            streams: people.map(LiveUpdate.user),
            event: event,
            payload: Array(String(repeating: "\"<a href=x>&amp;", count: 12_000).utf8),
            except: ids(4000),
            readers: LiveUpdate.Readers(first: ID(largest), last: ID(largest))
        )
    }

    private static func posts() throws -> [any Event] {
        let (account, post) = (try account(), try post())
        let id = account.id
        let boosts = Limits().boostsInStep
        let timeline = TimelineUpdated(postID: post.id, update: try live("status.update"), subjectVersion: .max)
        let notification = NotificationCreated(
            notificationID: ID(largest),
            accountID: id,
            type: "favourite",
            update: try live("notification")
        )
        return [
            AccountRegistered(accountID: id, username: account.username, language: .korean, createdAt: moment),
            SessionRevoked(sessionID: ID(largest), accountID: id),
            SessionEnded(sessionID: ID(largest), accountID: id),
            ProfileUpdated(account: account),
            PostCreated(author: account, post: post),
            ReplyCreated(author: account, post: post),
            PostEdited(author: account, post: post),
            PostDeleted(postID: post.id, accountID: id, boostIDs: ids(boosts), subjectVersion: .max),
            PostLiked(actor: account, post: post, author: account, likedAt: moment),
            PostUnliked(actorID: id, postID: post.id, subjectVersion: .max),
            PostReposted(
                actor: account,
                boostID: ID(largest),
                post: post,
                author: account,
                visibility: .unlisted,
                boostedAt: moment
            ),
            PostUnreposted(actorID: id, boostID: ID(largest), postID: post.id, subjectVersion: .max),
            AccountFollowed(actor: account, targetID: id, followedAt: moment, subjectVersion: .max),
            AccountUnfollowed(actorID: id, targetID: id, subjectVersion: .max),
            FollowRequested(actor: account, targetID: id, requestedAt: moment, subjectVersion: .max),
            FollowRequestClosed(actorID: id, targetID: id, subjectVersion: .max),
            AccountBlocked(actorID: id, targetID: id, subjectVersion: .max),
            AccountUnblocked(actorID: id, targetID: id, subjectVersion: .max),
            AccountMuted(actorID: id, targetID: id, notifications: true, expires: moment, subjectVersion: .max),
            AccountUnmuted(actorID: id, targetID: id, subjectVersion: .max),
            PostAnnounced(type: "status", author: account, post: post, recipients: ids(Fanout.recipientsInEvent)),
            timeline, notification, Former(timeline), Former(notification),
        ]
    }

    private static func reading() throws -> [any Event] {
        let (account, limits) = (try account(), LibraryLimits())
        let record = RecordSnapshot(
            id: ID(largest),
            accountID: ID(largest),
            book: ShelfBookSnapshot(
                id: ID(largest),
                title: wide(limits.title),
                authors: Array(repeating: wide(limits.name), count: ShelfBook.toldAuthors),
                publisher: wide(limits.publisher),
                isbn: ISBN("9788932917245"),
                // A stroke is escaped.
                coverURL: String(repeating: "/", count: limits.address)
            ),
            state: .abandoned,
            ratingHalves: 10,
            oneLine: wide(limits.oneLine),
            review: wide(limits.review),
            startedOn: Day(days: .max),
            endedOn: Day(days: .max),
            visibility: .followers,
            version: .max
        )
        return [
            RecordPublished(reader: account, record: record), RecordUpdated(reader: account, record: record),
            RecordWithdrawn(recordID: ID(largest), accountID: ID(largest), subjectVersion: .max),
            GoalReached(accountID: ID(largest), year: 9999, month: 12, subjectVersion: .max),
        ]
    }

    /// As `Project.Revision` and `ApplyToProject` let them through.
    private static func projects() throws -> [any Event] {
        let (account, limits) = (try account(), ProjectLimits())
        let project = ProjectSnapshot(
            id: ID(largest),
            leaderID: ID(largest),
            state: .recruiting,
            title: wide(limits.title),
            summary: wide(limits.summary),
            text: String(repeating: "\"", count: limits.textBytes / 2),
            mentions: [],
            category: wide(limits.category),
            tags: (0..<limits.tags).map { _ in wide(limits.tag) },
            roles: (0..<limits.roles).map { _ in
                ProjectRole(id: ID(largest), name: wide(limits.roleName), wanted: limits.wanted)
            },
            place: wide(limits.place),
            frequency: wide(limits.frequency),
            startsOn: "9999-12-31",
            deadline: moment,
            contactURL: String(repeating: "u", count: 2048),
            language: "zh-Hant-TW",
            media: (0..<limits.media).map { _ in MediaSnapshot(file(Limits())) },
            createdAt: moment,
            publishedAt: moment,
            editedAt: moment,
            version: .max
        ).told
        let application = ApplicationSnapshot(
            id: ID(largest),
            projectID: ID(largest),
            accountID: ID(largest),
            roleID: ID(largest),
            roleName: wide(limits.roleName),
            message: wide(limits.message),
            state: .withdrawn,
            note: wide(limits.note),
            createdAt: moment,
            decidedAt: moment,
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
                recipients: ids(Fanout.recipientsInEvent)
            ),
            ProjectMentionsChanged(
                leader: account,
                project: project.brief,
                named: ids(limits.mentions),
                unnamed: ids(limits.mentions)
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
                playgroundID: ID(largest),
                channelID: ID(largest),
                subjectVersion: .max
            ),
            ProjectMemberLeft(projectID: project.id, accountID: account.id, since: .max, subjectVersion: .max),
        ]
    }

    /// With the bounds of chat: names of 80 characters, descriptions of 1,000 in four bytes each, texts of 24,000 bytes, 1,000 channels.
    private static func chat() throws -> [any Event] {
        // Chat knows of people no more than this.
        let person = AccountSnapshot(
            id: ID(largest),
            username: try #require(name),
            displayName: wide(30),
            createdAt: moment,
            version: .max
        )
        let playground = PlaygroundSnapshot(
            id: ID(largest),
            name: wide(80),
            description: wide(1000),
            coverID: ID(largest),
            ownerID: ID(largest),
            createdAt: moment,
            version: .max
        )
        let channel = ChannelSnapshot(
            id: ID(largest),
            type: .private,
            playgroundID: ID(largest),
            name: wide(80),
            description: wide(1000),
            ownerID: ID(largest),
            archivedAt: moment,
            createdAt: moment,
            version: .max
        )
        let address = "https://" + String(repeating: "g", count: 2040)
        let message = MessageSnapshot(
            id: ID(largest),
            channelID: ID(largest),
            seq: .max,
            authorID: ID(largest),
            text: String(repeating: "t", count: 24_000),
            language: String(repeating: "l", count: 35),
            attachmentIDs: ids(10),
            gif: GifSnapshot(
                id: wide(25),
                url: address,
                previewURL: address,
                width: .max,
                height: .max,
                title: wide(75)
            ),
            replyToID: ID(largest),
            threadID: ID(largest),
            mentions: Array(repeating: MentionSnapshot(id: ID(largest), username: try #require(name)), count: 100),
            wideMention: .channel,
            createdAt: moment,
            editedAt: moment,
            deletedAt: moment,
            change: .max
        )
        let (id, place, room) = (person.id, playground.id, channel.id)
        let update = ChatUpdate(
            channelID: room,
            accountIDs: ids(5000),
            event: "message",
            payload: Array(String(repeating: "\"\\", count: 30_000).utf8),
            seq: .max,
            except: [id],
            joined: [],
            left: [],
            closed: ids(1000)
        )
        return [
            PlaygroundCreated(playground: playground), PlaygroundUpdated(playground: playground),
            PlaygroundDeleted(playgroundID: place, channelIDs: ids(1000), actorID: id, subjectVersion: .max),
            MemberJoined(
                playgroundID: place,
                channelID: room,
                account: person,
                role: .admin,
                joinedAt: moment,
                subjectVersion: .max
            ),
            MemberLeft(playgroundID: place, channelID: room, accountID: id, actorID: id, subjectVersion: .max),
            RoleChanged(
                playgroundID: place,
                channelID: room,
                accountID: id,
                role: .admin,
                actorID: id,
                subjectVersion: .max
            ),
            OwnershipTransferred(
                playgroundID: place,
                channelID: room,
                ownerID: id,
                formerOwnerID: id,
                subjectVersion: .max
            ),
            ChannelCreated(channel: channel), ChannelUpdated(channel: channel), ChannelArchived(channel: channel),
            ChannelDeleted(channelID: room, playgroundID: place, actorID: id, subjectVersion: .max),
            ConversationOpened(channel: channel, memberIDs: ids(20), requestedIDs: ids(20), actorID: id),
            MessageSent(message: message, author: person, channel: channel, recipientIDs: ids(20)),
            MessageEdited(message: message, author: person, channel: channel),
            MessageDeleted(
                messageID: message.id,
                channelID: room,
                seq: .max,
                authorID: id,
                actorID: id,
                subjectVersion: .max
            ),
            MessageReacted(
                messageID: message.id,
                channelID: room,
                authorID: id,
                actorID: id,
                emoji: wide(8),
                isAdded: true,
                subjectVersion: .max
            ),
            MessagePinned(messageID: message.id, channelID: room, actorID: id, isPinned: true, subjectVersion: .max),
            ConversationRead(channelID: room, accountID: id, lastReadSeq: .max, subjectVersion: .max),
            MentionRaised(
                message: message,
                author: person,
                channel: channel,
                mentionedIDs: ids(500),
                mentionedIfConnectedIDs: ids(500)
            ),
            ChatUpdated(update: update, subjectVersion: .max),
            Former(ChatUpdated(update: update, subjectVersion: .max)),
        ]
    }

    private static func others() -> [any Event] {
        let rendition = RenditionSnapshot(url: String(repeating: "u", count: 2048), width: .max, height: .max)
        return [
            MediaProcessed(
                mediaID: ID(largest),
                ownerID: ID(largest),
                type: .image,
                original: rendition,
                preview: rendition,
                mimeType: String(repeating: "m", count: 255),
                bytes: .max,
                blurhash: String(repeating: "b", count: 100),
                description: wide(800),
                subjectVersion: .max
            ),
            MediaFailed(
                mediaID: ID(largest),
                ownerID: ID(largest),
                reason: String(repeating: "r", count: 1000),
                subjectVersion: .max
            ),
            LinkPreviewReady(
                linkID: ID(largest),
                url: String(repeating: "u", count: 2048),
                card: CardSnapshot(
                    url: String(repeating: "u", count: 2048),
                    title: wide(300),
                    description: wide(500),
                    authorName: wide(100),
                    authorURL: String(repeating: "u", count: 2048),
                    providerName: wide(100),
                    providerURL: String(repeating: "u", count: 2048),
                    image: rendition,
                    blurhash: String(repeating: "b", count: 100),
                    imageDescription: wide(500),
                    language: "zzz",
                    publishedAt: moment
                ),
                subjectVersion: .max
            ),
            // A gateway with as many people as it holds, told to the others past any outbox.
            PresenceChanged(
                gatewayID: String(repeating: "g", count: 64),
                connected: ids(10_000),
                disconnected: ids(1),
                isWhole: true,
                subjectVersion: .max
            ),
            TypingStarted(channelID: ID(largest), accountID: ID(largest), subjectVersion: .max),
            // As many counts as a gateway tells at once.
            BudgetsSpent(
                gatewayID: String(repeating: "g", count: 16),
                spent: (0..<500).map { number in
                    BudgetsSpent.Spent(
                        gatewayID: String(repeating: "g", count: 16),
                        budget: "connections",
                        window: .max,
                        counts: [
                            BudgetsSpent.Count(key: "\(String(repeating: "f", count: 13))\(100 + number)", given: .max)
                        ]
                    )
                },
                asks: true,
                subjectVersion: .max
            ),
        ]
    }

    private static func bytes(_ event: some Event) throws -> Int {
        let envelope = Envelope(
            id: EventID.new(),
            time: moment,
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            data: event
        )
        return try envelope.message().count
    }

    /// Of a queue that reacts to everything there is.
    private static func rebuilding() -> [any Event] {
        let (queue, id) = (String(repeating: "q", count: 64), EventID.new())
        func advanced<Asker>(_: RebuildAdvanced<Asker>.Type) -> any Event {
            RebuildAdvanced<Asker>(
                queue: queue,
                rebuildID: id,
                types: Catalogue.all.map { $0.type },
                applied: ServiceName.allCases.map { RetoldCount(owner: $0.rawValue, events: .max) },
                isAbandoned: true,
                subjectVersion: .max
            )
        }
        func finished<Owner>(_: RetellingFinished<Owner>.Type) -> any Event {
            RetellingFinished<Owner>(queue: queue, rebuildID: id, told: .max)
        }
        return [
            advanced(RebuildAdvanced<RebuildAskers.Posts>.self), advanced(RebuildAdvanced<RebuildAskers.Chat>.self),
            advanced(RebuildAdvanced<RebuildAskers.Notifications>.self),
            advanced(RebuildAdvanced<RebuildAskers.Search>.self),
            finished(RetellingFinished<RetellingOwners.Auth>.self),
            finished(RetellingFinished<RetellingOwners.Posts>.self),
            finished(RetellingFinished<RetellingOwners.Chat>.self),
            finished(RetellingFinished<RetellingOwners.Media>.self),
        ]
    }

    private static func leaving() -> [any Event] {
        let account = AccountID(largest)
        return [
            AccountLeaving(accountID: account, deletion: moment, subjectVersion: .max),
            AccountDeleted(accountID: account),
        ] + Catalogue.erasing.map { $0.init(accountID: account) }
    }

    @Test func everyEventAtItsLimitsFits() throws {
        let events =
            try Self.posts() + Self.reading() + Self.projects() + Self.chat() + Self.others() + Self.rebuilding()
            + Self.leaving()
        for event in events {
            let kind = type(of: event)
            let size = try Self.bytes(event)
            #expect(size <= kind.audience.largestEnvelope, "\(kind.type): \(size) bytes")
        }
        let covered = Set(events.map { type(of: $0).type })
        let missing = Catalogue.all.map { $0.type }.filter { !covered.contains($0) }
        #expect(missing == [], "an event type without its largest form")
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

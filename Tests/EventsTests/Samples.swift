// SPDX-License-Identifier: Apache-2.0
// One event of each type with every field, and one with only those that must be there.

import Domain
import Events
import Support

/// What fixtures and schemas are made from.
enum Samples {
    /// Every optional field filled.
    static let full: [any Event] = withFormer(events(full: true)) + exporting(full: true)
    /// No optional field filled.
    static let bare: [any Event] = withFormer(events(full: false)) + exporting(full: false)

    /// The live events also in the form of the release before, in the order of `Catalogue.former`.
    private static func withFormer(_ events: [any Event]) -> [any Event] {
        events + rebuilding + erasing + events.compactMap { $0 as? TimelineUpdated }.map { Former($0) }
            + events.compactMap { $0 as? NotificationCreated }.map { Former($0) }
            + events.compactMap { $0 as? ChatUpdated }.map { Former($0) }
    }

    private static let rebuilding: [any Event] = [
        rebuild(RebuildAskers.Posts.self), rebuild(RebuildAskers.Chat.self), rebuild(RebuildAskers.Notifications.self),
        rebuild(RebuildAskers.Search.self), rebuild(RebuildAskers.Auth.self), rebuild(RebuildAskers.Media.self),
        retelling(RetellingOwners.Auth.self),
        retelling(RetellingOwners.Posts.self), retelling(RetellingOwners.Chat.self),
        retelling(RetellingOwners.Media.self),
    ]

    private static func rebuild<Asker>(_: Asker.Type) -> RebuildAdvanced<Asker> {
        RebuildAdvanced(
            queue: "\(Asker.name.prefix { $0 != "." }).projections",
            rebuildID: "019b7c3e-5a00-7000-8000-000000000002",
            types: ["auth.AccountRegistered.v1"],
            applied: [RetoldCount(owner: "auth", events: 2000)],
            isAbandoned: false,
            subjectVersion: 3
        )
    }

    private static func retelling<Owner>(_: Owner.Type) -> RetellingFinished<Owner> {
        RetellingFinished(
            queue: "notifications.activity",
            rebuildID: "019b7c3e-5a00-7000-8000-000000000002",
            told: 52_345
        )
    }

    private static func reading(_ full: Bool) -> [any Event] {
        let reader = account(1, full)
        let record = RecordSnapshot(
            id: RecordID(110_000_000_000_000_021),
            accountID: reader.id,
            book: ShelfBookSnapshot(
                id: ShelfBookID(110_000_000_000_000_020),
                title: "어린 왕자",
                authors: full ? ["생텍쥐페리"] : [],
                publisher: full ? "열린책들" : nil,
                isbn: full ? ISBN("9788932917245") : nil,
                coverURL: full ? "https://covers.example/1.jpg" : nil
            ),
            state: full ? .finished : .planned,
            ratingHalves: full ? 9 : nil,
            oneLine: full ? "다시 읽음" : nil,
            review: full ? "긴 글\n두 줄" : nil,
            startedOn: full ? Day("2024-02-29") : nil,
            endedOn: full ? Day("2024-03-31") : nil,
            visibility: .public,
            version: 7
        )
        return [
            RecordPublished(reader: reader, record: record),
            RecordUpdated(reader: reader, record: record),
            RecordWithdrawn(recordID: record.id, accountID: reader.id, subjectVersion: 8),
            GoalReached(accountID: reader.id, year: 2024, month: full ? 3 : nil, subjectVersion: 9),
        ]
    }

    private static func events(full: Bool) -> [any Event] {
        let (author, actor, post) = (account(1, full), account(2, full), post(full))
        let (authorID, actorID) = (author.id, actor.id)
        let boost = PostID(110_000_000_000_000_009)
        let later = Timestamp(milliseconds: 1_767_323_106_789)
        let update = LiveUpdate(
            streams: ["user:\(authorID)", LiveUpdate.publicTimeline],
            event: "update",
            payload: Array(#"{"id":"\#(post.id)"}"#.utf8),
            hasMedia: full ? false : nil,
            except: [actorID],
            readers: full ? LiveUpdate.Readers(first: authorID, last: actorID) : nil
        )
        return [
            AccountRegistered(
                accountID: authorID,
                username: author.username,
                language: .korean,
                createdAt: author.createdAt
            ),
            SessionRevoked(sessionID: SessionID(110_000_000_000_000_011), accountID: full ? authorID : nil),
            SessionEnded(sessionID: SessionID(110_000_000_000_000_011), accountID: authorID),
        ] + departures(of: authorID, full) + blocks(full) + [
            ProfileUpdated(account: full ? dressed(author) : author),
            PostCreated(author: author, post: post),
            ReplyCreated(author: author, post: post),
            PostEdited(author: author, post: post, quiet: full ? true : nil),
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
            PostAnnounced(type: "status", author: author, post: post, recipients: [actorID]),
            TimelineUpdated(postID: post.id, update: update, subjectVersion: 7),
        ] + reading(full) + people(author, actor, full) + media(owner: authorID, full) + [
            NotificationCreated(
                notificationID: NotificationID(110_000_000_000_000_013),
                accountID: authorID,
                type: "mention",
                update: update
            ),
            PresenceChanged(
                gatewayID: "3f0c",
                connected: [authorID],
                disconnected: [actorID],
                isWhole: false,
                subjectVersion: 12
            ),
            TypingStarted(channelID: ChannelID(110_000_000_000_000_022), accountID: actorID, subjectVersion: 13),
            BudgetsSpent(
                gatewayID: "3f0c",
                spent: [
                    BudgetsSpent.Spent(
                        gatewayID: "3f0c",
                        budget: "account",
                        window: 5_891_076,
                        counts: [BudgetsSpent.Count(key: "1f2e3d4c5b6a7988", given: 17)]
                    )
                ],
                asks: full ? true : nil,
                subjectVersion: 14
            ),
        ]
    }

    private static func chat(author: AccountSnapshot, actor: AccountSnapshot, _ full: Bool) -> [any Event] {
        let moment = Timestamp(milliseconds: 1_767_323_100_000)
        let (authorID, actorID) = (author.id, actor.id)
        let playground = PlaygroundSnapshot(
            id: PlaygroundID(110_000_000_000_000_021),
            name: "언어 교환",
            description: "서로의 말을 배워요",
            coverID: full ? MediaID(110_000_000_000_000_031) : nil,
            ownerID: authorID,
            createdAt: moment,
            version: 3,
            open: full ? true : nil
        )
        let channel = ChannelSnapshot(
            id: ChannelID(110_000_000_000_000_022),
            type: full ? .private : .group,
            playgroundID: full ? playground.id : nil,
            name: full ? "general" : "",
            description: full ? "모두의 이야기" : "",
            ownerID: full ? authorID : nil,
            archivedAt: full ? moment : nil,
            createdAt: moment,
            version: 4
        )
        let message = MessageSnapshot(
            id: MessageID(110_000_000_000_000_023),
            channelID: channel.id,
            seq: 7,
            authorID: authorID,
            text: "@mina2 안녕하세요 @channel",
            language: full ? "ko" : nil,
            attachmentIDs: full ? [MediaID(110_000_000_000_000_031)] : [],
            gif: full
                ? GifSnapshot(
                    id: "abc",
                    url: "https://gifs.example/abc.gif",
                    previewURL: "https://gifs.example/abc-s.gif",
                    width: 320,
                    height: 240,
                    title: "hello"
                ) : nil,
            replyToID: full ? MessageID(110_000_000_000_000_020) : nil,
            threadID: full ? MessageID(110_000_000_000_000_019) : nil,
            mentions: [MentionSnapshot(id: actorID, username: actor.username)],
            wideMention: full ? .channel : nil,
            createdAt: moment,
            editedAt: full ? moment : nil,
            deletedAt: full ? moment : nil,
            change: 9
        )
        let (playgroundID, channelID) = (full ? playground.id : nil, full ? channel.id : nil)
        return [
            PlaygroundCreated(playground: playground),
            PlaygroundUpdated(playground: playground),
            PlaygroundDeleted(
                playgroundID: playground.id,
                channelIDs: [channel.id],
                actorID: authorID,
                subjectVersion: 5
            ),
            MemberJoined(
                playgroundID: playgroundID,
                channelID: channelID,
                account: actor,
                role: .member,
                joinedAt: moment,
                subjectVersion: 6
            ),
            MemberLeft(
                playgroundID: playgroundID,
                channelID: channelID,
                accountID: actorID,
                actorID: authorID,
                subjectVersion: 7
            ),
            RoleChanged(
                playgroundID: playgroundID,
                channelID: channelID,
                accountID: actorID,
                role: .admin,
                actorID: authorID,
                subjectVersion: 8
            ),
            OwnershipTransferred(
                playgroundID: playgroundID,
                channelID: channelID,
                ownerID: actorID,
                formerOwnerID: authorID,
                subjectVersion: 9
            ),
            ChannelCreated(channel: channel),
            ChannelUpdated(channel: channel),
            ChannelArchived(channel: channel),
            ChannelDeleted(
                channelID: channel.id,
                playgroundID: playgroundID,
                actorID: authorID,
                subjectVersion: 10
            ),
            ConversationOpened(
                channel: channel,
                memberIDs: [authorID, actorID],
                requestedIDs: [actorID],
                actorID: authorID
            ),
            MessageSent(message: message, author: author, channel: channel, recipientIDs: [actorID]),
            MessageEdited(message: message, author: author, channel: channel),
            MessageDeleted(
                messageID: message.id,
                channelID: channel.id,
                seq: 7,
                authorID: authorID,
                actorID: actorID,
                subjectVersion: 10
            ),
            MessageReacted(
                messageID: message.id,
                channelID: channel.id,
                authorID: authorID,
                actorID: actorID,
                emoji: "👍",
                isAdded: true,
                subjectVersion: 11
            ),
            MessagePinned(
                messageID: message.id,
                channelID: channel.id,
                actorID: actorID,
                isPinned: true,
                subjectVersion: 12
            ),
            ConversationRead(channelID: channel.id, accountID: actorID, lastReadSeq: 7, subjectVersion: 13),
            MentionRaised(
                message: message,
                author: author,
                channel: channel,
                mentionedIDs: [actorID],
                mentionedIfConnectedIDs: []
            ),
            MessageAwaited(message: message, author: author, channel: channel, recipientIDs: [actorID]),
            ChatUpdated(
                update: ChatUpdate(
                    channelID: full ? channel.id : nil,
                    accountIDs: [actorID],
                    event: "message",
                    payload: Array(#"{"id":"110000000000000023"}"#.utf8),
                    seq: full ? 7 : nil,
                    change: full ? 9 : nil,
                    except: [authorID],
                    joined: [ChatUpdate.Membership(channelID: channel.id, accountID: actorID)],
                    left: [ChatUpdate.Membership(channelID: channel.id, accountID: actorID)],
                    closed: [channel.id]
                ),
                subjectVersion: 14
            ),
        ]
    }

    private static func people(_ author: AccountSnapshot, _ actor: AccountSnapshot, _ full: Bool) -> [any Event] {
        projects(leader: author, actor: actor, full) + decisions(about: author, full)
            + reports(by: actor, of: author, full) + chat(author: author, actor: actor, full)
            + rooms(actor: actor.id, full) + flags(of: author.id)
    }

    private static func projects(leader: AccountSnapshot, actor: AccountSnapshot, _ full: Bool) -> [any Event] {
        let (project, moment) = (project(full), Timestamp(milliseconds: 1_767_323_100_000))
        var application = ApplicationSnapshot(
            id: ApplicationID(110_000_000_000_000_053),
            projectID: project.id,
            accountID: actor.id,
            roleID: ProjectRoleID(110_000_000_000_000_052),
            roleName: "iOS",
            message: "같이 만들고 싶어요",
            createdAt: moment
        )
        let received = ApplicationReceived(
            actor: actor,
            recipientID: leader.id,
            project: project.brief,
            application: application
        )
        application.note = "반가워요"
        application.decidedAt = full ? moment : nil
        application.version = 2
        func decided<Deed>(_ state: ApplicationState, by somebody: AccountSnapshot) -> ApplicationEvent<Deed> {
            application.state = state
            return ApplicationEvent(
                actor: somebody,
                recipientID: somebody.id == actor.id ? leader.id : actor.id,
                project: project.brief,
                application: application
            )
        }
        let accepted: ApplicationAccepted = decided(.accepted, by: leader)
        let declined: ApplicationDeclined = decided(.declined, by: leader)
        let withdrawn: ApplicationWithdrawn = decided(.withdrawn, by: actor)
        return [
            ProjectDrafted(leader: leader, project: project),
            ProjectPublished(leader: leader, project: project),
            ProjectUpdated(leader: leader, project: project),
            ProjectClosed(leader: leader, project: project),
            ProjectFinished(leader: leader, project: project),
            ProjectDeleted(projectID: project.id, leaderID: leader.id, subjectVersion: 8),
            ProjectAnnounced(type: "project_update", leader: leader, project: project.brief, recipients: [actor.id]),
            ProjectMentionsChanged(
                leader: leader,
                project: project.brief,
                named: [actor.id],
                unnamed: [AccountID(110_000_000_000_000_003)]
            ),
            received, accepted, declined, withdrawn,
            ProjectMembersChanged(
                projectID: project.id,
                title: project.title,
                language: project.language,
                leaderID: leader.id,
                members: [
                    ProjectMemberSnapshot(accountID: leader.id, username: leader.username, since: 1),
                    ProjectMemberSnapshot(accountID: actor.id, username: actor.username, since: 7),
                ],
                subjectVersion: 7
            ),
        ]
    }

    private static func project(_ full: Bool) -> ProjectSnapshot {
        ProjectSnapshot(
            id: ProjectID(110_000_000_000_000_051),
            leaderID: AccountID(110_000_000_000_000_001),
            state: .recruiting,
            title: "마당 앱",
            summary: "함께 만들어요",
            text: "https://madang.example #swift",
            category: full ? "앱" : nil,
            tags: ["swift"],
            roles: [ProjectRole(id: ProjectRoleID(110_000_000_000_000_052), name: "iOS", wanted: 2)],
            place: full ? "online" : nil,
            frequency: full ? "주 1회" : nil,
            startsOn: full ? "2026-02-01" : nil,
            deadline: full ? Timestamp(milliseconds: 1_769_915_045_678) : nil,
            contactURL: full ? "https://open.example/madang" : nil,
            language: full ? "ko" : nil,
            media: full ? [picture] : [],
            createdAt: Timestamp(milliseconds: 1_767_323_045_678),
            publishedAt: full ? Timestamp(milliseconds: 1_767_323_045_678) : nil,
            editedAt: full ? Timestamp(milliseconds: 1_767_323_100_000) : nil,
            version: 6
        )
    }

    private static func rooms(actor: AccountID, _ full: Bool) -> [any Event] {
        let id = ProjectID(110_000_000_000_000_051)
        return [
            ProjectRoomChanged(
                projectID: id,
                playgroundID: full ? PlaygroundID(110_000_000_000_000_021) : nil,
                channelID: full ? ChannelID(110_000_000_000_000_022) : nil,
                subjectVersion: 15
            ),
            ProjectMemberLeft(projectID: id, accountID: actor, since: 7, subjectVersion: 16),
            toldThing(.message, of: actor, full) as ReportedThingTold<ThingKeepers.Chat>,
        ]
    }

    private static func media(owner: AccountID, _ full: Bool) -> [any Event] {
        let id = MediaID(110_000_000_000_000_031)
        return [
            MediaProcessed(
                mediaID: id,
                ownerID: owner,
                type: .image,
                original: RenditionSnapshot(url: "https://files.example/31.jpg", width: 1600, height: 1200),
                preview: full ? RenditionSnapshot(url: "https://files.example/31-s.jpg", width: 400, height: 300) : nil,
                mimeType: "image/jpeg",
                bytes: 345_678,
                blurhash: full ? "LEHV6nWB2yk8pyo0adR*.7kCMdnj" : nil,
                description: full ? "마당" : nil,
                subjectVersion: 2
            ),
            MediaFailed(mediaID: id, ownerID: owner, reason: "unsupported", subjectVersion: 3),
            LinkPreviewReady(
                linkID: LinkID(110_000_000_000_000_041),
                url: "https://news.example/madang",
                card: full ? card : nil,
                subjectVersion: 1_767_323_045_678
            ),
            toldThing(.gif, of: owner, full) as ReportedThingTold<ThingKeepers.Media>,
        ]
    }

    private static var card: CardSnapshot {
        CardSnapshot(
            url: "https://news.example/madang",
            title: "마당",
            description: "마당에서 만나요",
            type: .link,
            authorName: "미나",
            authorURL: "https://news.example/mina",
            providerName: "News",
            providerURL: "https://news.example/",
            image: RenditionSnapshot(url: "5891b5b522d5df086d0ff0b110fbd9d2.jpg", width: 640, height: 480),
            blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
            imageDescription: "마당",
            language: "ko",
            publishedAt: Timestamp(milliseconds: 1_767_322_000_000)
        )
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

    /// With everything that few people set of their profile.
    private static func dressed(_ account: AccountSnapshot) -> AccountSnapshot {
        var account = account
        account.extras = ProfileExtras(
            indexable: true,
            hideCollections: false,
            showFavourites: true,
            nativeLanguages: ["ko"],
            targetLanguages: ["en", "ja"],
            avatar: PictureSnapshot(id: MediaID(110_000_000_000_000_021), file: "0123456789abcdef0123456789abcdef.jpg"),
            header: PictureSnapshot(id: MediaID(110_000_000_000_000_022), file: "fedcba9876543210fedcba9876543210.png"),
            avatarDescription: "미나",
            headerDescription: "마당"
        )
        return account
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
            version: 6,
            media: full ? [picture] : nil
        )
    }

    private static var picture: MediaSnapshot {
        MediaSnapshot(
            MediaProcessed(
                mediaID: MediaID(110_000_000_000_000_031),
                ownerID: AccountID(110_000_000_000_000_001),
                type: .image,
                original: RenditionSnapshot(url: "0f343b0931126a20f133d67c2b018a3b.jpg", width: 1600, height: 1200),
                preview: RenditionSnapshot(url: "5891b5b522d5df086d0ff0b110fbd9d2.jpg", width: 640, height: 480),
                mimeType: "image/jpeg",
                bytes: 345_678,
                blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
                description: "마당",
                subjectVersion: 2,
                focus: FocusSnapshot(x: 0.5, y: -0.25)
            )
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

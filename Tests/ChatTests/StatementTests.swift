// SPDX-License-Identifier: Apache-2.0
// Every statement of chat: its text, its rows and its plan.

import Calls
import Domain
import Events
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import ChatService

@Suite struct StatementTests {
    @Test func everyFunctionOfAStoreIsCalled() throws { try Self.catalogue.expectComplete() }

    @Test func everyStatementIsAsAgreedAndWalksAnIndex() async throws {
        try await Self.catalogue.expectStatements(
            migrations: ChatService.migrations,
            schema: "chat",
            // Who names somebody or reacts changes the row of the message too.
            unnoted: ["message_mentions", "reactions"]
        )
    }

    // See StatementRows.sql.
    private static let owner = AccountID(1)
    private static let admin = AccountID(2)
    private static let outsider = AccountID(15_000)
    private static let playground = PlaygroundID(1)
    private static let everyone = ChannelID(1)
    private static let direct = ChannelID(20_001)
    /// Of accounts 2 and 3, of whom the second has yet to accept.
    private static let request = ChannelID(20_002)
    private static let message = MessageID(1_000_001)
    private static let site = Site(domain: "madang.example", origin: "https://madang.example")
    private static let stamp = Stamp(moment: moment, version: 2)
    private static let moment = Timestamp(milliseconds: 1_900_000_000_000)
    private static let page = Page(limit: 40)

    private static let catalogue: StatementCatalogue = {
        var all = StatementCatalogue("Chat")
        addAccounts(&all)
        exported(&all)
        addPlaygrounds(&all)
        addMembers(&all)
        addChannels(&all)
        addDirectChannels(&all)
        addMessages(&all)
        addHistory(&all)
        addReading(&all)
        addGateway(&all)
        addRetold(&all)
        addProjects(&all)
        addErasures(&all)
        return all
    }()

    private static func addProjects(_ all: inout StatementCatalogue) {
        let (project, ended, member) = (ProjectID(7), ProjectID(10_007), AccountID(1_007))
        all("ProjectRoomStore.claim(_:in:)") { ProjectRoomStore.claim([project], in: $0) }
        all("ProjectRoomStore.holdPlaygrounds(of:in:)", walks: "playgrounds_pkey") {
            ProjectRoomStore.holdPlaygrounds(of: [project], in: $0)
        }
        all("ProjectRoomStore.open(_:of:in:)") { ProjectRoomStore.open(ProjectID(30_000), of: owner, in: $0) }
        all("ProjectRoomStore.hold(_:in:)") { _ = try await ProjectRoomStore.hold(project, in: $0) }
        all("ProjectRoomStore.save(_:of:in:)") {
            let room = ProjectRoom(version: 2, leaderID: owner, playgroundID: nil, told: 2, hasEnded: false)
            ProjectRoomStore.save(room, of: project, in: $0)
        }
        all("ProjectRoomStore.members(of:in:)", walks: "project_room_members_pkey") {
            _ = try await ProjectRoomStore.members(of: project, in: $0)
        }
        all("ProjectRoomStore.keep(_:of:in:)") {
            ProjectRoomStore.keep(RoomMember(accountID: member, since: 3, isGone: false), of: project, in: $0)
        }
        all("ProjectRoomStore.forget(_:of:in:)") { ProjectRoomStore.forget(member, of: project, in: $0) }
        all("ProjectRoomStore.leave(_:from:in:)", walks: "project_rooms_playground") {
            _ = try await ProjectRoomStore.leave(member, from: PlaygroundID(7), in: $0)
        }
        all("ProjectRoomStore.leader(of:in:)", walks: "project_rooms_playground") {
            _ = try await ProjectRoomStore.leader(of: PlaygroundID(7), in: $0)
        }
        all("ProjectRoomStore.close(_:telling:in:)", walks: "project_rooms_playground") {
            _ = try await ProjectRoomStore.close(PlaygroundID(7), telling: 9, in: $0)
        }
        all("ProjectRoomStore.end(_:at:in:)") {
            let event = ProjectDeleted(projectID: ended, leaderID: owner, subjectVersion: 9)
            ProjectRoomStore.end(event, at: moment, in: $0)
        }
        all("ProjectRoomStore.aged", walks: "project_rooms_ended") {
            _ = try await ProjectRoomStore.aged.forget(before: moment, in: $0)
        }
    }

    private static func addRetold(_ all: inout StatementCatalogue) {
        let place = Teller.Place(limit: 250)
        all("RetoldStore.playgrounds(after:in:)", walks: "playgrounds_pkey") {
            _ = try await RetoldStore.playgrounds(after: place, in: $0)
        }
        all("RetoldStore.channels(after:in:)", walks: "channels_pkey") {
            _ = try await RetoldStore.channels(after: place, in: $0)
        }
        all("RetoldStore.playgroundMembers(after:in:)", walks: "playground_members_pkey") {
            _ = try await RetoldStore.playgroundMembers(after: place, in: $0)
        }
        all("RetoldStore.channelMembers(after:in:)", walks: "channel_members_pkey") {
            _ = try await RetoldStore.channelMembers(after: place, in: $0)
        }
        all("RetoldStore.messages(after:in:)", walks: "messages_pkey") {
            _ = try await RetoldStore.messages(after: place, in: $0)
        }
    }

    private static func addAccounts(_ all: inout StatementCatalogue) {
        for repairing in [false, true] {
            all("AccountStore.keep(_:repairing:in:)", repairing ? "repairing" : "") {
                let username = try #require(Username("ann"))
                let account = AccountSnapshot(id: owner, username: username, createdAt: moment, version: 9)
                try AccountStore.keep(account, repairing: repairing, in: $0)
            }
        }
        all("BlockStore.repair(_:_:version:at:in:)") {
            BlockStore.repair(owner, admin, version: 1, at: moment, in: $0)
        }
        all("AccountStore.existing(_:in:)") { _ = try await AccountStore.existing([owner, admin], in: $0) }
        all("AccountStore.snapshot(_:in:)") { _ = try await AccountStore.snapshot(owner, in: $0) }
        all("AccountStore.snapshots(_:in:)") { _ = try await AccountStore.snapshots([owner, admin], in: $0) }
        all("AccountStore.lock(_:in:)") { AccountStore.lock(owner, in: $0) }
        all("BlockStore.keep(_:_:active:version:at:in:)") {
            _ = try await BlockStore.keep(owner, admin, active: true, version: 1, at: moment, in: $0)
        }
        all("BlockStore.exists(between:_:in:)") {
            _ = try await BlockStore.exists(between: AccountID(103), AccountID(102), in: $0)
        }
        all("BlockStore.forgetEnded(before:in:)", walks: "blocks_ended") {
            _ = try await BlockStore.forgetEnded(before: moment, in: $0)
        }
        let media = MediaProcessed(
            mediaID: MediaID(5),
            ownerID: owner,
            type: .image,
            original: RenditionSnapshot(url: "https://files.example/5", width: 1, height: 1),
            mimeType: "image/png",
            bytes: 1,
            subjectVersion: 9
        )
        for repairing in [false, true] {
            all("MediaStore.keep(_:repairing:in:)", repairing ? "repairing" : "") {
                _ = try await MediaStore.keep(MediaNews(media), repairing: repairing, in: $0)
            }
        }
        all("MediaStore.messages(with:most:in:)", walks: "messages_attachments") {
            _ = try await MediaStore.messages(with: MediaID(20), most: 100, in: $0)
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
            all("CardStore.keep(_:at:repairing:in:)", repairing ? "repairing" : "") {
                _ = try await CardStore.keep(card, at: moment, repairing: repairing, in: $0)
            }
        }
        all("CardStore.messages(with:from:most:in:)", walks: "messages_link") {
            _ = try await CardStore.messages(with: "https://a.example/1000007", from: MessageID(1), most: 100, in: $0)
        }
        all("CardStore.forget(before:at:unless:in:)", walks: "cards_touched") {
            _ = try await CardStore.forget(before: moment, at: moment, unless: CardStore.isShown, in: $0)
        }
    }

    private static func addPlaygrounds(_ all: inout StatementCatalogue) {
        all("PlaygroundStore.seen(_:by:in:)") { _ = try await PlaygroundStore.seen(playground, by: admin, in: $0) }
        all("PlaygroundStore.found(_:by:in:)") { _ = try await PlaygroundStore.found([playground], by: admin, in: $0) }
        all("PlaygroundStore.hold(_:in:)") { PlaygroundStore.hold(playground, in: $0) }
        all("PlaygroundStore.share(_:in:)") { PlaygroundStore.share(playground, in: $0) }
        all("PlaygroundStore.share(of:in:)") { PlaygroundStore.share(of: everyone, in: $0) }
        all("PlaygroundStore.list(of:_:in:)", walks: "playground_members_account") {
            _ = try await PlaygroundStore.list(of: owner, page, in: $0)
        }
        all("PlaygroundStore.owned(by:in:)", walks: "playgrounds_owner") {
            _ = try await PlaygroundStore.owned(by: owner, in: $0)
        }
        all("PlaygroundStore.mayBeCover(_:of:in:)") {
            _ = try await PlaygroundStore.mayBeCover(MediaID(1), of: admin, in: $0)
        }
        let draft = PlaygroundDraft(name: "New", description: nil, isOpen: nil, cover: nil)
        all("PlaygroundStore.insert(_:_:owner:defaultChannel:at:in:)") {
            PlaygroundStore.insert(
                PlaygroundID(99_999),
                draft,
                owner: owner,
                defaultChannel: ChannelID(99_999),
                at: stamp,
                in: $0
            )
        }
        all("PlaygroundStore.update(_:_:at:in:)") {
            PlaygroundStore.update(playground, draft, at: stamp, in: $0)
        }
        for (name, place) in [("playground", Place.playground(playground)), ("channel", .channel(everyone))] {
            all("MemberStore.setOwner(_:of:at:in:)", name) {
                MemberStore.setOwner(admin, of: place, at: stamp, in: $0)
            }
        }
        all("PlaygroundStore.delete(_:in:)") { PlaygroundStore.delete(playground, in: $0) }
        let invite = Invite(
            code: "new",
            playgroundID: playground,
            creatorID: owner,
            createdAt: moment,
            expiresAt: nil,
            maxUses: nil,
            uses: 0,
            revokedAt: nil
        )
        all("InviteStore.invite(_:in:)") { _ = try await InviteStore.invite("code10000", in: $0) }
        all("InviteStore.good(for:at:limit:in:)", walks: "invites_playground") {
            _ = try await InviteStore.good(for: PlaygroundID(4), at: moment, limit: 100, in: $0)
        }
        all("InviteStore.goodCount(for:at:in:)", walks: "invites_playground") {
            _ = try await InviteStore.goodCount(for: PlaygroundID(4), at: moment, in: $0)
        }
        all("InviteStore.insert(_:in:)") { InviteStore.insert(invite, in: $0) }
        all("InviteStore.use(_:in:)") { InviteStore.use("code10000", in: $0) }
        all("InviteStore.revoke(_:of:at:in:)") { InviteStore.revoke("code10000", of: playground, at: moment, in: $0) }
        all("InviteStore.forget(before:in:)", walks: "invites_used_up") {
            _ = try await InviteStore.forget(before: moment, in: $0)
        }
        let banned = AccountID(5001)
        all("BanStore.exists(_:in:in:)") { _ = try await BanStore.exists(banned, in: playground, in: $0) }
        all("BanStore.insert(_:in:actor:reason:at:in:)") {
            BanStore.insert(outsider, in: playground, actor: owner, reason: "", at: moment, in: $0)
        }
        all("BanStore.delete(_:in:in:)") { BanStore.delete(banned, in: playground, in: $0) }
        all("BanStore.list(of:_:site:in:)") { _ = try await BanStore.list(of: playground, page, site: site, in: $0) }
        all("BanStore.ban(_:in:site:in:)") { _ = try await BanStore.ban(banned, in: playground, site: site, in: $0) }
    }

    private static func addMembers(_ all: inout StatementCatalogue) {
        for (name, place) in [("playground", Place.playground(playground)), ("channel", .channel(everyone))] {
            all("MemberStore.role(of:in:in:)", name) { _ = try await MemberStore.role(of: admin, in: place, in: $0) }
            all("MemberStore.insert(_:into:role:at:in:)", name) {
                _ = try await MemberStore.insert(outsider, into: place, role: .member, at: stamp, in: $0)
            }
            all("MemberStore.setRole(_:of:in:version:in:)", name) {
                MemberStore.setRole(.member, of: admin, in: place, version: 2, in: $0)
            }
            all("MemberStore.delete(_:from:in:)", name) { MemberStore.delete(admin, from: place, in: $0) }
            all("MemberStore.found(_:named:of:in:)", name) {
                _ = try await MemberStore.found([admin], named: Username("name2"), of: place, in: $0)
            }
            all("MemberStore.list(of:text:_:in:)", name) {
                _ = try await MemberStore.list(of: place, text: "name", page, in: $0)
            }
        }
        all("MemberStore.members(among:of:in:)") {
            _ = try await MemberStore.members(among: [admin, outsider], of: playground, in: $0)
        }
        all("MemberStore.setNotifications(_:isChosen:mutedUntil:of:in:version:in:)") {
            MemberStore.setNotifications(
                .none,
                isChosen: true,
                mutedUntil: moment,
                of: admin,
                in: everyone,
                version: 2,
                in: $0
            )
        }
        all("MemberStore.deleteAll(of:in:in:)") {
            _ = try await MemberStore.deleteAll(of: admin, in: playground, in: $0)
        }
        all("MemberStore.successor(in:in:)") { _ = try await MemberStore.successor(in: everyone, in: $0) }
        all("MemberStore.accounts(in:in:)") { _ = try await MemberStore.accounts(in: everyone, in: $0) }
        all("MemberStore.outsiders(of:in:)") { _ = try await MemberStore.outsiders(of: everyone, in: $0) }
        all("MemberStore.shown(_:most:in:)") { _ = try await MemberStore.shown(admin, most: 500, in: $0) }
    }

    private static func addChannels(_ all: inout StatementCatalogue) {
        all("ChannelStore.seen(_:by:in:)") { _ = try await ChannelStore.seen(everyone, by: admin, in: $0) }
        all("ChannelStore.channel(_:in:)") { _ = try await ChannelStore.channel(direct, in: $0) }
        all("ChannelStore.access(to:of:in:)") { _ = try await ChannelStore.access(to: direct, of: owner, in: $0) }
        all("ChannelStore.hold(_:in:)") { ChannelStore.hold(everyone, in: $0) }
        all("ChannelStore.holdAll(of:in:in:)") { ChannelStore.holdAll(of: admin, in: playground, in: $0) }
        all("ChannelStore.holdAll(of:in:)", walks: "channels_playground") {
            _ = try await ChannelStore.holdAll(of: playground, in: $0)
        }
        all("ChannelStore.list(of:seenBy:limit:in:)", walks: "channels_playground") {
            _ = try await ChannelStore.list(of: playground, seenBy: admin, limit: 50, in: $0)
        }
        all("ChannelStore.found(_:named:in:seenBy:in:)") {
            _ = try await ChannelStore.found([everyone], named: "Room", in: playground, seenBy: admin, in: $0)
        }
        all("ChannelStore.count(of:in:)") { _ = try await ChannelStore.count(of: playground, in: $0) }
        all("PlaygroundStore.everyone(in:in:)") { _ = try await PlaygroundStore.everyone(in: playground, in: $0) }
        let draft = ChannelDraft(name: "new", type: .public)
        all("ChannelStore.insert(_:_:in:owner:at:in:)") {
            ChannelStore.insert(ChannelID(99_999), draft, in: playground, owner: owner, at: stamp, in: $0)
        }
        all("ChannelStore.update(_:_:at:in:)") {
            ChannelStore.update(everyone, draft, at: stamp, in: $0)
        }
        all("ChannelStore.setArchived(_:_:at:in:)") {
            ChannelStore.setArchived(everyone, moment, at: stamp, in: $0)
        }
        all("ChannelStore.delete(_:at:in:)") { ChannelStore.delete([everyone, direct], at: moment, in: $0) }
        all("MessageStore.forget(in:)", walks: "channels_deleted") {
            _ = try await MessageStore.forget(in: $0)
        }
        all("ChannelStore.forgetChannels(in:)", walks: "channels_deleted") {
            _ = try await ChannelStore.forgetChannels(in: $0)
        }
    }

    private static func addDirectChannels(_ all: inout StatementCatalogue) {
        func channel(_ people: [AccountID], id: ChannelID = ChannelID(99_999)) -> DirectChannelStore.NewChannel {
            DirectChannelStore.NewChannel(
                id: id,
                type: people.count == 2 ? .direct : .group,
                playground: nil,
                people: people,
                moment: moment,
                version: 2
            )
        }
        let new = channel([owner, admin, outsider])
        let old = channel([owner, admin])
        all("DirectChannelStore.relations(of:to:in:in:)") {
            _ = try await DirectChannelStore.relations(of: owner, to: [admin, outsider], in: playground, in: $0)
        }
        all("DirectChannelStore.insert(_:in:)") { _ = try await DirectChannelStore.insert(new, in: $0) }
        all("DirectChannelStore.find(_:in:)", walks: "channels_party") {
            _ = try await DirectChannelStore.find(old, in: $0)
        }
        let added = channel([owner, outsider], id: direct)
        all("DirectChannelStore.add(requested:to:in:)") {
            DirectChannelStore.add(requested: [outsider], to: added, in: $0)
        }
        all("DirectChannelStore.bringBack(_:requested:to:in:)") {
            _ = try await DirectChannelStore.bringBack(new, requested: [outsider], to: direct, in: $0)
        }
        all("DirectChannelStore.accept(_:by:version:in:)") {
            _ = try await DirectChannelStore.accept(request, by: AccountID(3), version: 2, in: $0)
        }
        all("DirectChannelStore.decline(_:by:at:in:)") {
            _ = try await DirectChannelStore.decline(request, by: AccountID(3), at: stamp, in: $0)
        }
        all("DirectChannelStore.list(of:requested:in:_:in:)", walks: "channel_members_account") {
            _ = try await DirectChannelStore.list(of: admin, requested: false, in: nil, page, in: $0)
        }
        all("DirectChannelStore.hold(_:_:version:in:)", walks: "channels_party") {
            DirectChannelStore.hold(admin, owner, version: 2, in: $0)
        }
        all("DirectChannelStore.dissolve(_:in:)") { DirectChannelStore.dissolve(direct, in: $0) }
        all("DirectChannelStore.between(_:_:in:)", walks: "channels_party") {
            _ = try await DirectChannelStore.between(owner, admin, in: $0)
        }
    }

    private static func addMessages(_ all: inout StatementCatalogue) {
        let names = Message.Names(in: "@name2 @channel", site: site)
        let draft = Message.Draft(
            text: "@name2 @channel",
            language: nil,
            attachmentIDs: [MediaID(20_000)],
            gif: nil,
            replyToID: message,
            threadID: message,
            clientID: "again"
        )
        let new = NewMessage(
            id: MessageID(99_999_999),
            channel: everyone,
            author: owner,
            draft: draft,
            names: names,
            moment: moment
        )
        let plain = NewMessage(
            id: MessageID(99_999_998),
            channel: direct,
            author: owner,
            draft: draft.plain,
            names: Message.Names(in: "", site: site),
            moment: moment
        )
        let messages: [(String, [NewMessage])] = [
            ("all that there is", [new]), ("plain", [plain]), ("in several channels", [new, plain]),
        ]
        for (name, messages) in messages {
            all("NewMessageStore.send(_:in:)", name, walks: "messages_client") {
                let sent = try await NewMessageStore.send(messages, in: $0)
                guard sent.allSatisfy({ $0?.message != nil }) else { throw Problem.notFound }
            }
        }
        all("MessageStore.seen(_:by:in:)") { _ = try await MessageStore.seen(message, by: admin, in: $0) }
        all("MessageStore.found(_:by:in:)") { _ = try await MessageStore.found([message], by: admin, in: $0) }
        all("MessageStore.entries(of:in:)", isKept: true) { _ = try await MessageStore.entries(of: [message], in: $0) }
        all("MessageStore.row(_:in:)") { _ = try await MessageStore.row(message, in: $0) }
        let revision = Message.Revision(text: "@name2", language: "en")
        let pinned = MessageID(1_000_003)
        let changes: [(String, MessageChange, MessageID)] = [
            ("edit", .edit(revision, names, at: moment), message), ("delete", .delete(at: moment), message),
            ("pin", .pin(by: owner, at: moment, most: 1000), message), ("unpin", .unpin, pinned),
            ("react", .react("🎉", by: AccountID(99), at: moment, most: 50), message),
            ("take back a reaction", .takeBackReaction("👍", by: owner), message),
            ("attachment changed", .attachmentChanged, message),
        ]
        for (name, change, id) in changes {
            all("MessageChangeStore.apply(_:to:in:)", name) {
                _ = try await MessageChangeStore.apply(change, to: id, in: $0)
            }
        }
        all("ReactionStore.exists(_:on:by:in:)") {
            _ = try await ReactionStore.exists("👍", on: message, by: owner, in: $0)
        }
        all("ReactionStore.list(_:viewer:most:in:)") {
            _ = try await ReactionStore.list(message, viewer: admin, most: 100, in: $0)
        }
    }

    private static func addHistory(_ all: inout StatementCatalogue) {
        let time = Timestamp(milliseconds: 1_767_400_000_000)
        let pages: [(String, HistoryBounds, String)] = [
            ("newest first", HistoryBounds(beforeSeq: 9000, limit: 50), "messages_channel_id_seq_key"),
            ("oldest first", HistoryBounds(afterSeq: 9000, limit: 50), "messages_channel_id_seq_key"),
            ("by change", HistoryBounds(afterChange: 9000, limit: 50), "messages_change"),
            ("newest first by time", HistoryBounds(before: time, limit: 50), "messages_time"),
            ("oldest first by time", HistoryBounds(after: time, limit: 50), "messages_time"),
        ]
        for (name, bounds, index) in pages {
            all("HistoryStore.page(_:viewer:_:in:)", name, walks: index) {
                _ = try await HistoryStore.page(everyone, viewer: admin, bounds, in: $0)
            }
        }
        all("HistoryStore.thread(_:viewer:above:limit:in:)", walks: "messages_thread") {
            _ = try await HistoryStore.thread(message, viewer: admin, above: 100, limit: 50, in: $0)
        }
        all("HistoryStore.pins(_:viewer:limit:in:)", walks: "messages_pinned") {
            _ = try await HistoryStore.pins(everyone, viewer: admin, limit: 100, in: $0)
        }
        all("HistoryStore.gap(_:after:limit:in:)", "number", walks: "messages_channel_id_seq_key") {
            _ = try await HistoryStore.gap(everyone, after: .seq(9000), limit: 50, in: $0)
        }
        all("HistoryStore.gap(_:after:limit:in:)", "change", walks: "messages_change") {
            _ = try await HistoryStore.gap(everyone, after: .change(9000), limit: 50, in: $0)
        }
    }

    private static func addReading(_ all: inout StatementCatalogue) {
        all("ReadingStore.hold(_:_:in:)") { ReadingStore.hold(everyone, admin, in: $0) }
        all("ReadingStore.move(_:of:in:version:in:)", "forward") {
            _ = try await ReadingStore.move(.forward(to: nil), of: admin, in: everyone, version: 2, in: $0)
        }
        all("ReadingStore.move(_:of:in:version:in:)", "before") {
            _ = try await ReadingStore.move(.before(9000), of: admin, in: everyone, version: 2, in: $0)
        }
        all("ReadingStore.count(_:_:after:in:)", "position", walks: "messages_author") {
            _ = try await ReadingStore.count(everyone, admin, in: $0)
        }
        all("ReadingStore.count(_:_:after:in:)", "moment", walks: "messages_time") {
            _ = try await ReadingStore.count(everyone, admin, after: moment, in: $0)
        }
        all("OverviewStore.channels(of:in:)", walks: "channel_members_account", isKept: true) {
            _ = try await OverviewStore.channels(of: owner, in: $0)
        }
        all("OverviewStore.conversations(_:of:in:)", isKept: true) {
            _ = try await OverviewStore.conversations([everyone, direct], of: owner, in: $0)
        }
        all("OverviewStore.playgrounds(of:in:)", walks: "playground_members_account", isKept: true) {
            _ = try await OverviewStore.playgrounds(of: owner, in: $0)
        }
    }

    private static func addGateway(_ all: inout StatementCatalogue) {
        all("GatewayStore.rooms(of:in:)", walks: "channel_members_account") {
            _ = try await GatewayStore.rooms(of: owner, in: $0)
        }
        let known = [
            KnownChannel(everyone, seq: 19_990, change: 19_980),
            KnownChannel(direct, seq: 1, change: nil),
        ]
        all("GatewayStore.missed(of:_:limit:whole:in:)", walks: "messages_change") {
            _ = try await GatewayStore.missed(of: owner, known, limit: 500, whole: 2000, in: $0)
        }
        all("GatewayStore.heads(_:in:)") { _ = try await GatewayStore.heads([everyone, direct], in: $0) }
    }

    private static func exported(_ call: inout StatementCatalogue) {
        let place = ExportPlace(of: owner, limit: 100)
        call("ExportedStore.playgrounds", walks: "playground_members_account") {
            _ = try await ExportedStore.playgrounds.texts(place, in: $0)
        }
        call("ExportedStore.channels", walks: "channel_members_account") {
            _ = try await ExportedStore.channels.texts(place, in: $0)
        }
        call("ExportedStore.messages", walks: "messages_of_author") {
            _ = try await ExportedStore.messages.texts(place, in: $0)
        }
        call("ExportedStore.reactions(_:in:)", walks: "reactions_account") {
            _ = try await ExportedStore.reactions(place, in: $0)
        }
    }
}

extension Message.Draft {
    /// The same text, without anything that it refers to.
    fileprivate var plain: Self {
        Self(
            text: text,
            language: nil,
            attachmentIDs: [],
            gif: nil,
            replyToID: nil,
            threadID: nil,
            clientID: clientID
        )
    }
}

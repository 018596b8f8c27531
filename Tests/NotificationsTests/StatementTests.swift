// SPDX-License-Identifier: Apache-2.0
// Every statement of notifications: its text, its rows and its plan.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import NotificationsService

@Suite struct StatementTests {
    @Test func everyFunctionOfAStoreIsCalled() throws { try Self.catalogue.expectComplete() }

    @Test func everyStatementIsAsAgreedAndWalksAnIndex() async throws {
        try await Self.catalogue.expectStatements(migrations: NotificationsService.migrations, schema: "notifications")
    }

    // See StatementRows.sql.
    private static let account = AccountID(1)
    private static let actor = AccountID(15_001)
    private static let channel = ChannelID(1)
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)
    private static let page = Page(limit: 40)
    private static let newID = NotificationID(900_000)

    private static let catalogue: StatementCatalogue = {
        var catalogue = StatementCatalogue("Notifications")
        projections(&catalogue)
        exported(&catalogue)
        channels(&catalogue)
        aging(&catalogue)
        lists(&catalogue)
        raising(&catalogue)
        withdrawing(&catalogue)
        rebuilding(&catalogue)
        projects(&catalogue)
        moderation(&catalogue)
        devices(&catalogue)
        deliveries(&catalogue)
        erasures(&catalogue)
        return catalogue
    }()

    private static func post(_ id: PostID, naming people: [AccountID] = []) throws -> PostSnapshot {
        let username = try #require(Username("name"))
        return PostSnapshot(
            id: id,
            accountID: actor,
            text: "post",
            mentions: people.map { MentionSnapshot(id: $0, username: username) },
            createdAt: now,
            version: 1
        )
    }

    private static func message(_ id: MessageID) -> MessageSnapshot {
        MessageSnapshot(id: id, channelID: channel, seq: 300, authorID: actor, text: "hello", createdAt: now, change: 9)
    }

    private static func favourite(by actor: AccountID, of post: PostID, _ version: Int64) -> Act {
        Act(.favourite, by: actor, of: post, version: version, at: now)
    }

    // Device i of account i and session i; on its way to it are deliveries i, an entry, and 60000 + i, the number.
    private static let device = DeviceID(1)
    private static let session = SessionID(1)

    private static func devices(_ call: inout StatementCatalogue) {
        let address = DeviceAddress(platform: .firebase, text: "token-2")
        call("DeviceStore.hold(_:in:)") { DeviceStore.hold(address, in: $0) }
        call("DeviceStore.displace(_:keeping:in:)", walks: "devices_address") {
            DeviceStore.displace(address, keeping: session, in: $0)
        }
        call("DeviceStore.register(_:as:of:_:_:at:in:)") {
            var parameters = Parameters()
            for (name, value) in [("platform", "firebase"), ("token", "new")] {
                try parameters.add(name, text: Array(value.utf8))
            }
            let draft = try DeviceDraft(parameters, of: Request(method: .post, path: "/"), topic: nil)
            _ = try await DeviceStore.register(
                draft,
                as: DeviceID(900_000),
                of: account,
                session,
                AppID(7),
                at: now,
                in: $0
            )
        }
        call("DeviceStore.trim(_:keeping:in:)", walks: "devices_account") {
            DeviceStore.trim(account, keeping: 0, in: $0)
        }
        let everything = DeviceScope(account: account, app: nil)
        let own = DeviceScope(account: account, app: AppID(7))
        let scopes = [("", everything), ("of an app", own)]
        let removals: [(String, DeviceRemoval)] = [
            ("one", .one(device, within: everything)), ("one of an app", .one(device, within: own)),
            ("session", .session(session)),
            ("subscription", .subscription(SessionID(20_001))),
            ("gone", .gone(Flight(device: device, number: 3), registeredAt: registered, since: registered)),
        ]
        for (name, removal) in removals {
            call("DeviceStore.remove(_:in:)", name) { _ = try await DeviceStore.remove(removal, in: $0) }
        }
        call("DeviceStore.keepEnd(of:at:in:)") { DeviceStore.keepEnd(of: session, at: now, in: $0) }
        call("DeviceStore.agedEnds", walks: "ended_sessions_at") {
            _ = try await DeviceStore.agedEnds.forget(before: now, in: $0)
        }
        for (name, scope) in scopes {
            call("DeviceStore.devices(within:in:)", name, walks: "devices_account") {
                _ = try await DeviceStore.devices(within: scope, in: $0)
            }
            call("DeviceStore.device(_:within:in:)", name, walks: "devices_account") {
                _ = try await DeviceStore.device(device, within: scope, in: $0)
            }
        }
        call("DeviceStore.device(of:_:in:)", walks: "devices_session") {
            _ = try await DeviceStore.device(of: session, .firebase, in: $0)
        }
        call("DeviceStore.change(_:of:in:)", walks: "devices_session") {
            _ = try await DeviceStore.change(SubscriptionWishes(Parameters()), of: SessionID(20_001), in: $0)
        }
        for (name, scope) in scopes {
            call("PreferenceStore.wishes(within:in:)", name, walks: "push_preferences_pkey") {
                _ = try await PreferenceStore.wishes(within: scope, in: $0)
            }
            call("PreferenceStore.clear(_:in:)", name, walks: "push_preferences_pkey") {
                PreferenceStore.clear(scope, in: $0)
            }
            call("PreferenceStore.keep(_:within:in:)", name) {
                try PreferenceStore.keep(
                    [PushWishes(scope: .app(AppID(9)), kinds: ["mention": false])],
                    within: scope,
                    in: $0
                )
            }
        }
        call("PreferenceStore.knows(zone:in:)") {
            _ = try await PreferenceStore.knows(zone: "Asia/Seoul", in: $0)
        }
    }

    /// When each device of the rows was registered.
    private static let registered = Timestamp(rfc3339: "2026-01-01T00:00:00Z") ?? now

    private static func deliveries(_ call: inout StatementCatalogue) {
        let flight = Flight(device: device, number: 3)
        let (delivery, later) = (DeliveryID(1), now + .seconds(60))
        call(
            "DeliveryStore.make(of:on:at:forThosePresent:notBefore:in:)",
            walks: "devices_account",
            shuns: "acts_actor"
        ) {
            let moment = Timestamp(rfc3339: "2026-01-05T00:00:00Z") ?? now
            DeliveryStore.make(
                of: [NotificationID(300_001)],
                on: Platform.allCases,
                at: moment,
                forThosePresent: [account],
                notBefore: moment + .seconds(60),
                in: $0
            )
        }
        call("DeliveryStore.makeBadges(of:after:on:at:in:)", "notifications", walks: "devices_account") {
            let read = Read.notifications(by: SessionID(2))
            DeliveryStore.makeBadges(of: account, after: read, on: [.firebase], at: now, in: $0)
        }
        call("DeliveryStore.makeBadges(of:after:on:at:in:)", "a channel", walks: "notifications_channel") {
            let read = Read.channel(channel, upTo: 50)
            DeliveryStore.makeBadges(of: account, after: read, on: [.firebase], at: now, in: $0)
        }
        call("DeliveryStore.forgetBadge(of:in:)", walks: "devices_session") {
            DeliveryStore.forgetBadge(of: session, in: $0)
        }
        call("DeliveryStore.claim(_:most:at:lease:in:)", walks: "deliveries_due") {
            _ = try await DeliveryStore.claim(.firebase, most: 32, at: now, lease: later, in: $0)
        }
        call("DeliveryStore.recipient(_:in:)", walks: "devices_pkey") {
            _ = try await DeliveryStore.recipient(flight, in: $0)
        }
        call("DeliveryStore.next(of:at:in:)", walks: "deliveries_waiting") {
            _ = try await DeliveryStore.next(of: device, at: now, in: $0)
        }
        call("DeliveryStore.begin(_:_:lease:in:)", walks: "deliveries_pkey") {
            _ = try await DeliveryStore.begin(delivery, flight, lease: later, in: $0)
        }
        call("DeliveryStore.end(_:_:_:at:in:)", walks: "deliveries_pkey") {
            DeliveryStore.end(delivery, .sent(name: "name"), flight, at: now, in: $0)
        }
        call("DeliveryStore.keep(badge:_:in:)", walks: "devices_pkey") {
            DeliveryStore.keep(badge: 3, flight, in: $0)
        }
        call("DeliveryStore.rest(_:until:at:in:)", walks: "devices_pkey") {
            DeliveryStore.rest(flight, until: later, at: now, in: $0)
        }
        call("DeliveryStore.note(_:of:until:in:)", walks: "deliveries_pkey") {
            DeliveryStore.note("later", of: delivery, until: later, in: $0)
        }
        call("DeliveryStore.land(_:at:in:)", walks: "devices_pkey") {
            let early = Timestamp(rfc3339: "2025-01-01T00:00:00Z") ?? now
            DeliveryStore.land(flight, at: early, in: $0)
        }
        call("DeliveryStore.hasten(_:at:in:)", walks: "deliveries_waiting") {
            DeliveryStore.hasten(device, at: now, in: $0)
        }
        call("DeliveryStore.page(_:of:in:)", walks: "deliveries_device") {
            _ = try await DeliveryStore.page(page, of: device, in: $0)
        }
        call("DeliveryStore.waiting(on:in:)", walks: "deliveries_due") {
            _ = try await DeliveryStore.waiting(on: .firebase, in: $0)
        }
        call("DeliveryStore.aged", walks: "deliveries_made") {
            _ = try await DeliveryStore.aged.forget(before: now, in: $0)
        }
        call("BadgeStore.number(of:at:in:)") {
            _ = try await BadgeStore.number(of: account, at: now, in: $0)
        }
    }

    private static func projects(_ call: inout StatementCatalogue) {
        let project = ProjectBrief(id: ProjectID(7), leaderID: actor, title: "new", state: .closed, version: 9)
        let application = ApplicationSnapshot(
            id: ApplicationID(7),
            projectID: project.id,
            accountID: account,
            roleID: ProjectRoleID(1),
            roleName: "iOS",
            state: .declined,
            createdAt: now,
            decidedAt: now,
            version: 2
        )
        call("ProjectStore.keep(_:at:in:)", "project") { try ProjectStore.keep(project, at: now, in: $0) }
        call("ProjectStore.keep(_:at:in:)", "application") {
            var newer = application
            newer.version = 3
            try ProjectStore.keep(newer, at: now, in: $0)
        }
        call("ProjectStore.bury(_:version:at:in:)") { ProjectStore.bury(project.id, version: 9, at: now, in: $0) }
        call("EntryStore.raise(_:on:again:in:)", "an application") {
            let cause = Cause.application(.projectDeclined, application, by: actor, for: account, at: now, newID)
            _ = try await EntryStore.raise([cause], on: cause.ground, in: $0)
        }
        call("EntryStore.raise(_:on:again:in:)", "a project") {
            let cause = Cause.project(.projectUpdate, project, at: now, [(id: newID, recipient: account)])
            _ = try await EntryStore.raise([cause], on: cause.ground, in: $0)
        }
        call("ProjectMentionStore.keep(_:areNamed:by:at:in:)") {
            ProjectMentionStore.keep([account, AccountID(2)], areNamed: true, by: project, at: now, in: $0)
        }
        call("EntryStore.raise(_:on:again:in:)", "a project that names somebody") {
            let brief = ProjectBrief(id: ProjectID(7), leaderID: actor, title: "new", state: .closed, version: 1)
            let cause = Cause.project(.projectMention, brief, at: now, [(id: newID, recipient: AccountID(8))])
            _ = try await EntryStore.raise([cause], on: cause.ground, in: $0)
        }
        call("EntryStore.withdraw(_:in:)", "mentioned", walks: "notifications_cause") {
            EntryStore.withdraw(.mentioned(project.id, [AccountID(9)], before: 9), in: $0)
        }
        call("EntryStore.withdraw(_:in:)", "superseded", walks: "notifications_cause") {
            EntryStore.withdraw(.superseded(application), in: $0)
        }
        call("EntryStore.withdraw(_:in:)", "project deleted", walks: "notifications_project") {
            EntryStore.withdraw(.projectDeleted(project.id), in: $0)
        }
    }

    private static func rebuilding(_ call: inout StatementCatalogue) {
        let snapshot = ChannelSnapshot(
            id: channel,
            type: .private,
            playgroundID: nil,
            ownerID: nil,
            createdAt: now,
            version: 9
        )
        call("ChannelStore.repair(_:in:)") { ChannelStore.repair(snapshot, in: $0) }
        let silence = Silence(
            .mute,
            of: AccountID(2001),
            for: AccountID(2000),
            hides: true,
            version: 9,
            at: now
        )
        call("SilenceStore.keepAgain(_:in:)") { SilenceStore.keepAgain(silence, in: $0) }
    }

    private static func projections(_ call: inout StatementCatalogue) {
        call("AccountStore.keep(_:repairing:in:)") {
            let username = try #require(Username("ann"))
            try AccountStore.keep(
                [AccountSnapshot(id: account, username: username, createdAt: now, version: 9)],
                repairing: [account],
                in: $0
            )
        }
        for repairing in [false, true] {
            call("PostStore.keep(_:repairing:at:in:)", repairing ? "repairing" : "") {
                let told = try [PostID(1), PostID(99_999)].map { ToldPost(post: try post($0), isNeeded: true) }
                try PostStore.keep(told, repairing: repairing, at: now, in: $0)
            }
        }
        for repairing in [false, true] {
            call("CardStore.keep(_:at:repairing:in:)", repairing ? "repairing" : "") {
                let card = CardSnapshot(url: "https://a.example/7", title: "a")
                let news = LinkPreviewReady(linkID: LinkID(1), url: card.url, card: card, subjectVersion: 9)
                try await CardStore.keep(CardNews(news), at: now, repairing: repairing, in: $0)
            }
        }
        call("CardStore.cards(of:in:)", walks: "cards_pkey") {
            _ = try await CardStore.cards(of: ["https://a.example/7", "https://a.example/8"], in: $0)
        }
        call("CardStore.forget(before:at:unless:in:)", walks: "cards_touched") {
            _ = try await CardStore.forget(before: now, at: now, unless: CardStore.isShown, in: $0)
        }
        call("PostStore.snapshots(of:in:)", walks: "posts_pkey", isKept: true) {
            _ = try await PostStore.snapshots(of: [PostID(1), PostID(2)], in: $0)
        }
        call("AccountStore.snapshots(of:in:)", walks: "accounts_pkey", isKept: true) {
            _ = try await AccountStore.snapshots(of: [account, actor], in: $0)
        }
        call("PostStore.bury(_:version:at:in:)") { PostStore.bury(PostID(1), version: 2, at: now, in: $0) }
        for repairing in [false, true] {
            call("ActStore.keep(_:repairing:in:)", repairing ? "repairing" : "") {
                let act = favourite(by: AccountID(3), of: PostID(1), 9)
                ActStore.keep([Word(act: act, isActive: false)], repairing: repairing, in: $0)
            }
        }
        call("ActStore.forget(_:in:)", walks: "acts_pkey") { ActStore.forget(PostID(1), in: $0) }
        let silence = Silence(
            .mute,
            of: AccountID(2001),
            for: AccountID(2000),
            hides: true,
            version: 9,
            at: now
        )
        call("SilenceStore.keep(_:in:)") { SilenceStore.keep(silence, in: $0) }
        call("SilenceStore.supersede(_:in:)", walks: "silences_pkey") { SilenceStore.supersede(silence, in: $0) }
        for repairing in [false, true] {
            call("MessageStore.keep(_:repairing:at:in:)", repairing ? "repairing" : "") {
                MessageStore.keep(message(MessageID(1000)), repairing: repairing, at: now, in: $0)
            }
        }
        call("MessageStore.bury(_:at:in:)") {
            let deletion = MessageDeleted(
                messageID: MessageID(1000),
                channelID: channel,
                seq: 1000,
                authorID: actor,
                actorID: actor,
                subjectVersion: 9
            )
            MessageStore.bury(deletion, at: now, in: $0)
        }
        call("LockStore.take(sharing:claiming:in:)") { LockStore.take(sharing: [1, 2], claiming: [3], in: $0) }
    }

    private static func channels(_ call: inout StatementCatalogue) {
        let snapshot = ChannelSnapshot(
            id: channel,
            type: .private,
            playgroundID: PlaygroundID(2),
            name: "new",
            description: "",
            ownerID: nil,
            archivedAt: nil,
            createdAt: now,
            version: 9
        )
        call("ChannelStore.keep(_:in:)") { ChannelStore.keep(snapshot, in: $0) }
        let readings = [account, actor].map { ChannelReading(channel: channel, account: $0, seq: 50, moment: now) }
        call("ChannelStore.keep(_:in:)", "readings") {
            ChannelStore.keep(readings, in: $0)
        }
        call("ChannelStore.keepDeparture(from:of:at:in:)") {
            ChannelStore.keepDeparture(from: .playground(PlaygroundID(2)), of: account, at: now, in: $0)
        }
        call("ChannelStore.keepEnd(of:at:in:)") { ChannelStore.keepEnd(of: [1, 2], at: now, in: $0) }
        for table in PlaceTable.allCases {
            call("ChannelStore.clear(_:of:in:)", "\(table)") { ChannelStore.clear(table, of: [1, 2], in: $0) }
        }
    }

    private static func moderation(_ call: inout StatementCatalogue) {
        let (reporter, target) = (
            AccountSnapshot(id: actor, username: Username("a").unsafelyUnwrapped, createdAt: now, version: 1),
            AccountSnapshot(id: account, username: Username("b").unsafelyUnwrapped, createdAt: now, version: 1)
        )
        @Sendable func filed(_ id: Int64) -> ReportFiled {
            let report = ReportSnapshot(
                id: ReportID(id),
                category: "spam",
                comment: "new",
                postIDs: [],
                ruleIDs: [],
                createdAt: now
            )
            return ReportFiled(report: report, reporter: reporter, target: target)
        }
        @Sendable func decided(_ version: Int64) -> DecisionMade {
            DecisionMade(
                decisionID: DecisionID(7),
                accountID: account,
                action: .warn,
                reason: "new",
                decidedAt: now,
                subjectVersion: version,
                account: target
            )
        }
        call("ModerationStore.keep(_:in:)") {
            ModerationStore.keep(RoleGiven(accountID: account, role: .moderator, subjectVersion: 9), in: $0)
        }
        call("ModerationStore.moderators(most:in:)", walks: "moderators_now") {
            _ = try await ModerationStore.moderators(most: 500, in: $0)
        }
        call("ModerationStore.keep(_:at:in:)", "report") { try ModerationStore.keep(filed(100_000), at: now, in: $0) }
        call("ModerationStore.keep(_:at:in:)", "decision") { try ModerationStore.keep(decided(9), at: now, in: $0) }
        call("EntryStore.raise(_:on:again:in:)", "a report") {
            let cause = Cause.report(filed(7).report, by: actor, [(id: newID, recipient: account)])
            _ = try await EntryStore.raise([cause], on: cause.ground, in: $0)
        }
        call("EntryStore.raise(_:on:again:in:)", "a decision") {
            _ = try await EntryStore.raise([.decision(decided(1), id: newID)], on: .decision, in: $0)
        }
    }

    private static func aging(_ call: inout StatementCatalogue) {
        let indexes = [
            "posts": "posts_touched", "acts": "acts_aged", "silences": "silences_spent", "messages": "messages_touched",
            "reads": "reads_touched", "departures": "departures_at", "gone_places": "gone_places_at",
            "projects": "projects_touched", "applications": "applications_touched",
            "project_mentions": "project_mentions_at", "reports": "reports_touched", "decisions": "decisions_touched",
        ]
        for rows in AgedStore.aged {
            call("AgedStore.aged", rows.name, walks: indexes[rows.name]) {
                _ = try await rows.forget(before: now, in: $0)
            }
        }
        call("AgedStore.notifications", walks: "notifications_pkey") {
            let oldest = NotificationID(now.milliseconds << 16)
            _ = try await AgedStore.notifications.forget(before: oldest, in: $0)
        }
        call("FloorStore.people(after:most:in:)", walks: "notifications_list") {
            _ = try await FloorStore.people(after: account, most: 500, in: $0)
        }
        let people = (2...500).map { AccountID($0) }
        call("FloorStore.forgetEntries(of:at:in:)", walks: "notifications_list") {
            _ = try await FloorStore.forgetEntries(of: people, at: now, in: $0)
        }
        call("FloorStore.raise(of:keeping:at:in:)", walks: "notifications_list") {
            try await FloorStore.raise(of: [account], keeping: 2000, at: now, in: $0)
        }
    }

    private static func lists(_ call: inout StatementCatalogue) {
        let filter = NotificationFilter()
        call("NotificationStore.page(_:of:_:in:)", walks: "notifications_list", shuns: "acts_actor", isKept: true) {
            _ = try await NotificationStore.page(page, of: account, filter, in: $0)
        }
        call(
            "NotificationStore.page(_:of:_:in:)",
            "forward",
            walks: "notifications_list",
            shuns: "acts_actor",
            isKept: true
        ) {
            let page = Page(after: 10, limit: 40)
            _ = try await NotificationStore.page(page, of: account, filter, in: $0)
        }
        call("NotificationStore.notification(_:of:in:)", walks: "notifications_list") {
            _ = try await NotificationStore.notification(NotificationID(100), of: account, in: $0)
        }
        call("NotificationStore.unread(of:_:limit:at:in:)", walks: "notifications_list") {
            _ = try await NotificationStore.unread(of: account, filter, limit: 100, at: now, in: $0)
        }
        call("NotificationStore.dismiss(_:of:in:)", walks: "notifications_list") {
            _ = try await NotificationStore.dismiss(NotificationID(100), of: account, in: $0)
        }
        call("NotificationStore.dismissAll(of:_:in:)") {
            try await NotificationStore.dismissAll(of: account, [.favourite], in: $0)
        }
        call("MarkerStore.markers(of:_:in:)", walks: "markers_pkey") {
            _ = try await MarkerStore.markers(of: account, [.home], in: $0)
        }
        call("MarkerStore.save(_:_:of:expected:now:in:)") {
            _ = try await MarkerStore.save(5, .home, of: account, expected: 1, now: now, in: $0)
        }
    }

    private static func raising(_ call: inout StatementCatalogue) {
        call("EntryStore.raise(_:on:again:in:)", "mentions", shuns: "acts_actor") {
            let post = try post(PostID(1), naming: [account])
            _ = try await EntryStore.raise([.mentions(of: post, ids: [newID])], on: .mention, in: $0)
        }
        call("EntryStore.raise(_:on:again:in:)", "mentions, again") {
            let post = try post(PostID(1), naming: [account])
            _ = try await EntryStore.raise([.mentions(of: post, ids: [newID])], on: .mention, again: true, in: $0)
        }
        call("EntryStore.raise(_:on:again:in:)", "act, again", shuns: "acts_actor") {
            let act = favourite(by: AccountID(8002 % 500 + 2), of: PostID(8002), 1)
            let cause = Cause.act(act, for: account, at: now, id: newID)
            _ = try await EntryStore.raise([cause], on: cause.ground, again: true, in: $0)
        }
        call("EntryStore.raise(_:on:again:in:)", "act", shuns: "acts_actor") {
            let act = favourite(by: AccountID(8002 % 500 + 2), of: PostID(8002), 1)
            let cause = Cause.act(act, for: account, at: now, id: newID)
            _ = try await EntryStore.raise([cause], on: cause.ground, in: $0)
        }
        for (name, kind) in [("new post", NotificationKind.status), ("edit", .update)] {
            call("EntryStore.raise(_:on:again:in:)", name) {
                let cause = Cause.announced(kind, try post(PostID(2)), [(id: newID, recipient: account)])
                _ = try await EntryStore.raise([cause], on: cause.ground, in: $0)
            }
        }
        call("EntryStore.raise(_:_:in:for:as:connected:in:)") {
            EntryStore.raise(
                .chatMention,
                message(MessageID(1000)),
                in: [1, 2],
                for: [account],
                as: [newID],
                connected: [account],
                in: $0
            )
        }
        call("EntryStore.followMentions(of:in:)", walks: "notifications_cause") {
            EntryStore.followMentions(of: MessageID(1000), in: $0)
        }
        call("EntryStore.trim(_:of:for:in:)", walks: "notifications_channel") {
            EntryStore.trim(.directMessage, of: channel, for: [account], in: $0)
        }
    }

    private static func withdrawing(_ call: inout StatementCatalogue) {
        let act = favourite(by: AccountID(3), of: PostID(1), 9)
        let withdrawals: [(String, Withdrawal, String?)] = [
            ("taken back", .takenBack([act]), "notifications_cause"),
            ("post deleted", .postDeleted(PostID(1)), "notifications_cause"),
            ("message deleted", .messageDeleted(MessageID(1)), "notifications_cause"),
            (
                "read", .read([ChannelReading(channel: channel, account: account, seq: 50, moment: now)]),
                "notifications_channel"
            ),
            ("left a channel", .left(.channel(channel), account, at: now), "notifications_channel"),
            ("left a playground", .left(.playground(PlaygroundID(2)), account, at: now), nil),
            ("silenced", .silenced(account, of: actor, since: now), "notifications_pair"),
        ]
        for (name, withdrawal, index) in withdrawals {
            call("EntryStore.withdraw(_:in:)", name, walks: index) { EntryStore.withdraw(withdrawal, in: $0) }
        }
        call("EntryStore.withdraw(_:in:)", "unnamed", walks: "notifications_cause") {
            var post = try post(PostID(1))
            post.accountID = AccountID(15_002)
            EntryStore.withdraw(.unnamed([post]), in: $0)
        }
    }

    private static func exported(_ call: inout StatementCatalogue) {
        let place = ExportPlace(of: account, limit: 100)
        call("ExportedStore.devices(of:in:)") { _ = try await ExportedStore.devices(of: account, in: $0) }
        call("ExportedStore.preferences(of:in:)") { _ = try await ExportedStore.preferences(of: account, in: $0) }
        call("ExportedStore.markers(of:in:)") { _ = try await ExportedStore.markers(of: account, in: $0) }
        call("ExportedStore.notifications", walks: "notifications_list") {
            _ = try await ExportedStore.notifications.texts(place, in: $0)
        }
    }
}

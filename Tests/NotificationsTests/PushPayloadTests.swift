// SPDX-License-Identifier: Apache-2.0
// What an app needs of every push to open what it is about.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct PushPayloadTests {
    private static let moment = Stage.soon - .seconds(60)

    /// What account 1 hears of, one of each kind at least.
    private static var happenings: [Happening] {
        var world = World()
        world.post(901, by: 1)
        world.like(901, by: 2)
        world.boost(901, by: 2)
        world.post(902, by: 2, mentioning: [1])
        world.post(903, by: 2)
        world.announce("status", 903, to: [1])
        world.edit(903, "Changed")
        world.announce("update", 903, to: [1])
        world.follow(1, by: 2)
        world.requestToFollow(1, by: 3)
        var chat = ChatWorld()
        chat.open(81, .public, "general", with: [1, 2])
        chat.open(82, .private, "quiet", with: [1, 2])
        chat.open(83, .direct, with: [1, 2])
        chat.say(801, in: 81, by: 2, naming: [1])
        chat.say(802, in: 82, by: 2, "tea", awaitedBy: [1])
        chat.say(803, in: 83, by: 2)
        var projects = ProjectWorld()
        projects.apply(711, to: 71, of: 1, by: 5)
        projects.apply(712, to: 71, of: 1, by: 6)
        projects.decide(712, .withdrawn, leader: 1)
        projects.apply(721, to: 72, of: 2, by: 1)
        projects.decide(721, .accepted, leader: 2)
        projects.apply(731, to: 73, of: 2, by: 1)
        projects.decide(731, .declined, leader: 2)
        projects.announce("project_deadline", 74, of: 2, to: [1])
        projects.announce("project_update", 75, of: 2, to: [1])
        projects.name([1], 76, of: 2)
        return world.history + chat.history + projects.history
    }

    private static func account(_ id: AccountID) -> AccountSnapshot {
        AccountSnapshot(id: id, username: World.username(id), createdAt: moment, version: 1)
    }

    private static func moderate(_ stage: Stage) async throws {
        let activity = ModerationActivity(
            ids: stage.dependencies.ids,
            site: Stage.site,
            retention: Retention(now: stage.dependencies.now),
            deliveries: stage.dependencies.deliveries
        )
        let report = ReportSnapshot(
            id: 61,
            category: "spam",
            comment: "look",
            postIDs: [7],
            ruleIDs: [],
            createdAt: moment
        )
        let decision = DecisionMade(
            decisionID: 62,
            accountID: 1,
            action: .warn,
            thing: nil,
            reason: "rude",
            appealUntil: moment + .seconds(60),
            decidedAt: moment,
            subjectVersion: 1,
            account: account(1)
        )
        func hear(_ event: some Event) async throws {
            let message = try Envelope(id: EventID.new(), time: moment, traceparent: nil, data: event).message()
            try await activity.queue.apply([message], in: stage.database)
        }
        try await hear(RoleGiven(accountID: 1, role: .moderator, subjectVersion: 1))
        try await hear(ReportFiled(report: report, reporter: account(2), target: account(3)))
        try await hear(decision)
    }

    /// Alerts of every kind, by the preview that the device wants.
    private static func alerts() async throws -> [Preview: [PushAlert]] {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            var form: [String] = []
            for (index, preview) in Preview.allCases.enumerated() {
                let id = try await stage.register(preview.rawValue, of: 1, SessionID(Int64(50 + index)))
                form.append("devices[\(index)][device_id]=\(id)&devices[\(index)][preview]=\(preview.rawValue)")
            }
            let saved = try await stage.respond(
                .put,
                "/api/v1/push/preferences",
                form: form.joined(separator: "&"),
                as: 1
            )
            #expect(saved.status == .ok)
            try await stage.apply(happenings)
            try await moderate(stage)
            try await stage.worker.finish()
        }
        return Dictionary(
            grouping: sender.pushes.compactMap { push in
                if case .firebase(let token) = push.address, let alert = push.alert { (token, alert) } else { nil }
            },
            by: { Preview(rawValue: $0.0) ?? .full }
        ).mapValues { $0.map(\.1) }
    }

    @Test func `every kind says what a tap opens, however little is to be seen`() async throws {
        let alerts = try await PushPayloadTests.alerts()
        for preview in Preview.allCases {
            let shown = alerts[preview] ?? []
            #expect(Set(shown.compactMap { $0.data["kind"] }) == Set(NotificationKind.allCases.map(\.rawValue)))
            for alert in shown {
                let data = alert.data
                #expect(data["id"].map { Int64($0) != nil } == true, "\(preview) \(data)")
                #expect(data["url"]?.hasPrefix(Stage.site.origin + "/") == true, "\(preview) \(data)")
                #expect(data["notification_id"].map { Int64($0) != nil } == true, "\(preview) \(data)")
                #expect((data["account_id"] == nil) == (preview == .none), "\(preview) \(data)")
            }
        }
    }

    @Test func `what is opened is what it is about`() async throws {
        let alerts = try await PushPayloadTests.alerts()
        func opened(_ kind: NotificationKind, _ preview: Preview) throws -> [String: String] {
            let found = alerts[preview]?.last { $0.data["kind"] == kind.rawValue }
            return try #require(found?.data, "\(kind) \(preview)")
        }
        let origin = Stage.site.origin
        for preview in Preview.allCases {
            let report = try opened(.adminReport, preview)
            #expect(report["id"] == "61" && report["url"] == "\(origin)/reports/61")
            let decision = try opened(.moderationWarning, preview)
            #expect(decision["id"] == "62" && decision["url"] == "\(origin)/decisions/62")
            let message = try opened(.channelMessage, preview)
            #expect(message["id"] == "82" && message["url"] == "\(origin)/channels/82")
            #expect(message["message_id"] == "802" && message["channel_type"] == "private")
        }
        let follow = try opened(.follow, .sender)
        #expect(follow["id"] == "2" && follow["url"] == Stage.site.profile(World.username(2)))
        let hidden = try opened(.follow, .none)
        #expect(hidden["id"] == hidden["notification_id"])
        #expect(hidden["url"] == "\(origin)/notifications/\(hidden["id"] ?? "")")
    }

    @Test func `a channel is named, and what was said there where all may be seen`() async throws {
        let alerts = try await PushPayloadTests.alerts()
        let texts = Preview.allCases.map { preview in
            alerts[preview]?.first { $0.data["kind"] == "channel_message" }.map { [$0.title, $0.body] }
        }
        #expect(
            texts == [
                ["Person 2 in #quiet", "tea"], ["Person 2 in #quiet", "wrote something"],
                [Stage.site.domain, "You have a new notification"],
            ]
        )
    }
}

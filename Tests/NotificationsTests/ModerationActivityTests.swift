// SPDX-License-Identifier: Apache-2.0
// What moderators hear of reports, and people of decisions about them.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct ModerationActivityTests {
    private static let moment = Stage.now - .seconds(60)

    private func hear(_ event: some Event, _ stage: Stage, at moment: Timestamp = moment) async throws {
        let message = try Envelope(id: EventID.new(), time: moment, traceparent: nil, data: event).message()
        let activity = ModerationActivity(
            ids: stage.dependencies.ids,
            site: Stage.site,
            retention: Retention(now: stage.dependencies.now),
            deliveries: stage.dependencies.deliveries
        )
        try await activity.queue.apply([message], in: stage.database)
    }

    private func account(_ id: AccountID) -> AccountSnapshot {
        AccountSnapshot(id: id, username: World.username(id), createdAt: Self.moment, version: 1)
    }

    private func filed(_ id: ReportID, by reporter: AccountID?, of target: AccountID) -> ReportFiled {
        let report = ReportSnapshot(
            id: id,
            category: "spam",
            comment: "look",
            postIDs: [7],
            ruleIDs: [],
            createdAt: Self.moment
        )
        return ReportFiled(report: report, reporter: reporter.map(account), target: account(target))
    }

    private func decided(_ action: DecisionAction, version: Int64) -> DecisionMade {
        DecisionMade(
            decisionID: 9,
            accountID: 1,
            action: action,
            thing: Thing(kind: .post, id: "7"),
            reason: "rude",
            appealUntil: Stage.now + .seconds(60),
            decidedAt: Self.moment + .seconds(version),
            subjectVersion: version,
            account: account(1)
        )
    }

    private func list(_ stage: Stage, _ account: AccountID) async throws -> [[String: Any]] {
        let answer = try await stage.respond(.get, "/api/v1/notifications", as: account)
        try #require(answer.status == .ok)
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
    }

    @Test func `those who moderate hear of a report, but not who filed it or is reported`() async throws {
        try await Stage.run { stage in
            for moderator in [AccountID(2), 3, 4, 5] {
                try await hear(RoleGiven(accountID: moderator, role: .moderator, subjectVersion: 1), stage)
            }
            try await hear(RoleGiven(accountID: 5, role: .user, subjectVersion: 2), stage)
            // An older word changes nothing.
            try await hear(RoleGiven(accountID: 5, role: .admin, subjectVersion: 1), stage)
            for _ in 0..<2 { try await hear(filed(8, by: 2, of: 3), stage) }
            for person in [AccountID(1), 2, 3, 5] { #expect(try await list(stage, person).isEmpty, "\(person)") }
            let heard = try await list(stage, 4)
            #expect(heard.count == 1 && heard.first?["type"] as? String == "admin.report")
            let report = try #require(heard.first?["report"] as? [String: Any])
            #expect(report["comment"] as? String == "look" && report["status_ids"] as? [String] == ["7"])
            #expect((report["target_account"] as? [String: Any])?["id"] as? String == "3")
            #expect((heard.first?["account"] as? [String: Any])?["id"] as? String == "2")
        }
    }

    @Test func `a report that this place makes comes from whom it is about`() async throws {
        try await Stage.run { stage in
            for moderator in [AccountID(3), 4] {
                try await hear(RoleGiven(accountID: moderator, role: .moderator, subjectVersion: 1), stage)
            }
            try await hear(filed(8, by: nil, of: 3), stage)
            #expect(try await list(stage, 3).isEmpty)
            let heard = try await list(stage, 4)
            #expect(heard.count == 1 && heard.first?["type"] as? String == "admin.report")
            #expect((heard.first?["account"] as? [String: Any])?["id"] as? String == "3")
        }
    }

    @Test func `the newest word on a decision is one entry`() async throws {
        try await Stage.run { stage in
            try await hear(decided(.remove, version: 1), stage)
            let first = try #require(try await list(stage, 1).first)
            let warning = try #require(first["moderation_warning"] as? [String: Any])
            #expect(first["type"] as? String == "moderation_warning")
            #expect(warning["action"] as? String == "delete_statuses" && warning["text"] as? String == "rude")
            #expect(warning["status_ids"] as? [String] == ["7"])
            try await hear(decided(.lift, version: 2), stage)
            try await hear(decided(.remove, version: 1), stage)
            let after = try await list(stage, 1)
            #expect(after.count == 1)
            #expect((after.first?["moderation_warning"] as? [String: Any])?["decision"] as? String == "lift")
            #expect(try await list(stage, 2).isEmpty)
        }
    }

    @Test func `what was decided long ago is told to nobody`() async throws {
        try await Stage.run { stage in
            let long = Stage.now - .seconds(200 * 86_400)
            try await hear(decided(.warn, version: 1), stage, at: long)
            #expect(try await list(stage, 1).isEmpty)
        }
    }
}

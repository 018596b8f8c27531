// SPDX-License-Identifier: Apache-2.0
// What people hear of projects and of applications.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Views
import Web

@testable import NotificationsService

/// Projects as posts would tell of them.
struct ProjectWorld {
    private(set) var history: [Happening] = []
    private var people = World()
    private var projects: [Int64: ProjectBrief] = [:]
    private var applications: [Int64: ApplicationSnapshot] = [:]
    private var named: [Int64: Set<AccountID>] = [:]
    /// Of which nothing is told any more.
    private var deleted: Set<Int64> = []
    private var clock = Timestamp(rfc3339: "2026-01-02T03:04:05.678Z") ?? Timestamp(milliseconds: 0)

    @discardableResult
    private mutating func tell(_ event: some Event) -> Happening {
        let happening = Happening(event, at: clock, number: 500_000 + history.count)
        history.append(happening)
        clock = clock + .seconds(1)
        return happening
    }

    /// A block or a mute, as `World` has it.
    mutating func silence(_ change: (inout World) -> Happening) { history.append(change(&people)) }

    /// The project, in a new version.
    private mutating func project(_ id: Int64, of leader: AccountID) -> ProjectBrief {
        let version = (projects[id]?.version ?? 0) + 1
        let project = ProjectBrief(
            id: ProjectID(id),
            leaderID: leader,
            title: "마당 \(version)",
            state: .recruiting,
            deadline: clock + .seconds(86_400),
            version: version
        )
        projects[id] = project
        return project
    }

    @discardableResult
    mutating func apply(_ id: Int64, to project: Int64, of leader: AccountID, by applicant: AccountID) -> Happening {
        let application = ApplicationSnapshot(
            id: ApplicationID(id),
            projectID: ProjectID(project),
            accountID: applicant,
            roleID: ProjectRoleID(3),
            roleName: "iOS",
            message: String(repeating: "저요", count: 200),
            createdAt: clock
        )
        applications[id] = application
        return tell(
            ApplicationReceived(
                actor: people.account(applicant),
                recipientID: leader,
                project: self.project(project, of: leader),
                application: application
            )
        )
    }

    @discardableResult
    mutating func decide(_ id: Int64, _ state: ApplicationState, leader: AccountID) -> Happening? {
        guard var application = applications[id], application.state == .open else { return nil }
        application.state = state
        application.note = "note"
        application.decidedAt = clock
        application.version = 2
        applications[id] = application
        let project = self.project(application.projectID.rawValue, of: leader)
        let actor = people.account(state == .withdrawn ? application.accountID : leader)
        let recipient = state == .withdrawn ? leader : application.accountID
        switch state {
        case .accepted:
            return tell(
                ApplicationAccepted(actor: actor, recipientID: recipient, project: project, application: application)
            )
        case .declined:
            return tell(
                ApplicationDeclined(actor: actor, recipientID: recipient, project: project, application: application)
            )
        case .open, .withdrawn:
            return tell(
                ApplicationWithdrawn(actor: actor, recipientID: recipient, project: project, application: application)
            )
        }
    }

    @discardableResult
    mutating func announce(_ type: String, _ id: Int64, of leader: AccountID, to recipients: [AccountID]) -> Happening {
        let project = project(id, of: leader)
        return tell(
            ProjectAnnounced(type: type, leader: people.account(leader), project: project, recipients: recipients)
        )
    }

    /// The project names these people from now on, and nobody else.
    @discardableResult
    mutating func name(_ people: Set<AccountID>, _ id: Int64, of leader: AccountID) -> Happening {
        let before = named[id] ?? []
        named[id] = people
        return tell(
            ProjectMentionsChanged(
                leader: self.people.account(leader),
                project: project(id, of: leader),
                named: people.subtracting(before).sorted(),
                unnamed: before.subtracting(people).sorted()
            )
        )
    }

    @discardableResult
    mutating func delete(_ id: Int64, of leader: AccountID) -> Happening {
        let version = project(id, of: leader).version
        deleted.insert(id)
        return tell(ProjectDeleted(projectID: ProjectID(id), leaderID: leader, subjectVersion: version))
    }

    /// Six people, of whom 1 and 2 lead projects 71 and 72.
    static func random(steps: Int, seed: UInt64) -> ProjectWorld {
        var (world, dice) = (ProjectWorld(), TestSeed(seed))
        var next: Int64 = 900
        for step in 0..<steps {
            let leader = AccountID(Int64.random(in: 1...2, using: &dice))
            let project = 70 + leader.rawValue
            let other = AccountID(Int64.random(in: 3...6, using: &dice))
            let known = Int64.random(in: 900...max(900, next), using: &dice)
            let kind = Int.random(in: 0..<15, using: &dice)
            if world.deleted.contains(project), !(5...7).contains(kind) { continue }
            switch kind {
            case 0...4:
                world.apply(next, to: project, of: leader, by: other)
                next += 1
            case 5...7:
                let states: [ApplicationState] = [.accepted, .declined, .withdrawn]
                let state = states.randomElement(using: &dice) ?? .declined
                guard let application = world.applications[known],
                    !world.deleted.contains(application.projectID.rawValue)
                else { continue }
                world.decide(known, state, leader: AccountID(application.projectID.rawValue - 70))
            case 8, 9:
                let type = Bool.random(using: &dice) ? "project_update" : "project_deadline"
                let people = (1...6).filter { _ in Bool.random(using: &dice) }.map { AccountID($0) }
                world.announce(type, project, of: leader, to: people)
            case 10...12:
                world.name(
                    Set((3...6).filter { _ in Bool.random(using: &dice) }.map { AccountID($0) }),
                    project,
                    of: leader
                )
            case 13:
                let isBlock = Bool.random(using: &dice)
                world.silence { isBlock ? $0.block(other, by: leader) : $0.mute(leader, by: other) }
            default:
                if step > steps * 3 / 4 { world.delete(project, of: leader) }
            }
        }
        return world
    }
}

@Suite(.serialized) struct ProjectActivityTests {
    private static let kinds =
        "types[]=" + NotificationKind.ofProjects.map(\.rawValue).joined(separator: "&types[]=")

    private func kinds(_ stage: Stage, _ account: AccountID) async throws -> [String] {
        try await stage.list(account, query: Self.kinds).map(\.type)
    }

    @Test func `an application is told to whom it concerns, and what became of it in its place`() async throws {
        try await Stage.run { stage in
            var world = ProjectWorld()
            try await stage.apply(world.apply(901, to: 71, of: 1, by: 2), world.apply(902, to: 71, of: 1, by: 3))
            let received = try await stage.list(1, query: Self.kinds)
            #expect(received.map(\.type) == ["project_application", "project_application"])
            #expect(received.map(\.account.id) == ["3", "2"])
            let first = try #require(received.last)
            #expect(first.application?.role.name == "iOS" && first.application?.state == "open")
            #expect(first.application?.message.count == MessageExcerpt.length + 1, "its beginning, and a mark")
            #expect(first.project?.title == "마당 2" && first.project?.state == "recruiting")
            let (accepted, withdrawn) = (
                world.decide(901, .accepted, leader: 1), world.decide(902, .withdrawn, leader: 1)
            )
            try await stage.apply(try #require(accepted), try #require(withdrawn))
            #expect(try await kinds(stage, 1) == ["project_withdrawn"])
            let told = try await stage.list(2, query: Self.kinds)
            #expect(told.map(\.type) == ["project_accepted"] && told.first?.application?.note == "note")
            #expect(try await stage.list(1).isEmpty, "a client that does not know the kinds never meets them")
            let id = try #require(told.first?.id)
            #expect(try await stage.respond(.get, "/api/v1/notifications/\(id)", as: 2).status == .ok)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 2).status == .ok)
            try await stage.apply(try #require(accepted))
            #expect(try await kinds(stage, 2).isEmpty)
        }
    }

    @Test func `open streams hear of it under an event of our own`() async throws {
        try await Stage.run { stage in
            var world = ProjectWorld()
            try await stage.apply(world.apply(901, to: 71, of: 1, by: 2))
            let told = try await stage.notified()
            #expect(told.map(\.type) == ["project_application"] && told.map(\.accountID) == [1])
            let update = try #require(told.first?.update)
            #expect(update.streams == ["user:1", "user:notification:1"] && update.event == "notification.project")
            let list = try await stage.respond(.get, "/api/v1/notifications", query: Self.kinds, as: 1)
            #expect("[\(update.text)]" == String(decoding: list.body, as: UTF8.self), "as the list shows it")
        }
    }

    @Test func `people hear of changes and of deadlines, their leader too`() async throws {
        try await Stage.run { stage in
            var world = ProjectWorld()
            try await stage.apply(
                world.announce("project_update", 71, of: 1, to: [1, 2, 3]),
                world.announce("project_deadline", 71, of: 1, to: [1, 2]),
                world.announce("project_update", 71, of: 1, to: [2]),
                // Of a later release.
                world.announce("project_party", 71, of: 1, to: [2])
            )
            #expect(try await kinds(stage, 1) == ["project_deadline", "project_update"])
            #expect(try await kinds(stage, 2) == ["project_update", "project_deadline"], "one entry, renewed")
            #expect(try await kinds(stage, 3) == ["project_update"])
            #expect(try await stage.notified().count == 6)
        }
    }

    @Test func `nobody hears of a project that is gone, nor of whom they do not want to`() async throws {
        try await Stage.run { stage in
            var (world, silences) = (ProjectWorld(), World())
            let first = world.apply(901, to: 71, of: 1, by: 2)
            try await stage.apply(first, world.announce("project_update", 71, of: 1, to: [2, 3]))
            try await stage.apply(world.delete(71, of: 1))
            for account in [1, 2, 3] as [AccountID] { #expect(try await kinds(stage, account).isEmpty) }
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(first)
            #expect(try await kinds(stage, 1).isEmpty, "late")
            try await stage.apply(silences.block(5, by: 1), silences.mute(1, by: 6))
            let before = try await stage.notified().count
            var later = ProjectWorld()
            for _ in 0..<3 { later.silence { $0.changeProfile(9) } }
            try await stage.apply(
                later.apply(911, to: 73, of: 1, by: 5),
                later.announce("project_update", 73, of: 1, to: [5, 6])
            )
            for account in [1, 5, 6] as [AccountID] { #expect(try await kinds(stage, account).isEmpty) }
            #expect(try await stage.notified().count == before)
        }
    }

    @Test func `whom a project names hears of it once, for as long as it does`() async throws {
        try await Stage.run { stage in
            var world = ProjectWorld()
            let first = world.name([1, 2, 3], 71, of: 1)
            try await stage.apply(first)
            let list = try await stage.list(2, query: Self.kinds)
            #expect(list.map(\.type) == ["project_mention"] && list.first?.account.id == "1")
            #expect(list.first?.project?.id == "71" && list.first?.application == nil)
            #expect(try await kinds(stage, 1).isEmpty, "nobody tells themselves")
            #expect(try await stage.list(2).isEmpty, "a client that does not know the kind never meets it")
            let told = try await stage.notified()
            #expect(
                told.map(\.accountID).sorted() == [2, 3]
                    && told.allSatisfy { $0.update.event == "notification.project" }
            )
            let live = try #require(told.first { $0.accountID == 2 }?.update.text)
            let answer = try await stage.respond(.get, "/api/v1/notifications", query: Self.kinds, as: 2)
            #expect("[\(live)]" == String(decoding: answer.body, as: UTF8.self), "as the list shows it")
            // Who put it away stays undisturbed by an edit, whoever leads by then.
            let id = try #require(list.first?.id)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 2).status == .ok)
            let second = world.name([2, 4], 71, of: 5)
            try await stage.apply(second)
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(first, second)
            #expect(try await kinds(stage, 2).isEmpty)
            #expect(try await kinds(stage, 3).isEmpty, "no longer named")
            #expect(try await stage.list(4, query: Self.kinds).map(\.account.id) == ["5"])
            #expect(try await stage.notified().map(\.accountID).sorted() == [2, 3, 4])
            try await stage.apply(world.name([2, 3, 4], 71, of: 5))
            #expect(try await stage.list(3, query: Self.kinds).map(\.account.id) == ["5"], "named anew")
            try await stage.apply(world.delete(71, of: 5))
            for account in [2, 3, 4] as [AccountID] { #expect(try await kinds(stage, account).isEmpty) }
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(second)
            #expect(try await kinds(stage, 4).isEmpty, "late")
        }
    }

    @Test func `who blocks or mutes the leader does not hear that a project names them`() async throws {
        try await Stage.run { stage in
            var (world, silences) = (ProjectWorld(), World())
            // Each way of a block, and a mute; the project comes later than these.
            try await stage.apply(silences.block(5, by: 1), silences.block(1, by: 4), silences.mute(1, by: 6))
            for _ in 0..<5 { world.name([], 72, of: 2) }
            try await stage.apply(world.name([3, 4, 5, 6], 71, of: 1))
            for account in [4, 5, 6] as [AccountID] { #expect(try await kinds(stage, account).isEmpty) }
            #expect(try await kinds(stage, 3) == ["project_mention"])
            #expect(try await stage.notified().map(\.accountID) == [3])
        }
    }

    /// What the tables hold after these events.
    private func outcome(_ happenings: [Happening]) async throws -> [String] {
        let box = Box<[String]>([])
        try await Stage.run { stage in
            try await stage.apply(happenings)
            box.value = try await stage.dump()
        }
        return box.value
    }

    @Test(arguments: TestSeed.list(21...23))
    func `the same tables in whatever order events of projects come`(seed: UInt64) async throws {
        let history = ProjectWorld.random(steps: 120, seed: seed).history
        let inOrder = try await outcome(history)
        #expect(inOrder.contains { $0.hasPrefix("application") } && inOrder.contains { $0.hasPrefix("named") })
        #expect(try await outcome(history + history) == inOrder)
        #expect(try await outcome(history.reversed()) == inOrder)
        for shuffle in [1, 2, 3] as [UInt64] {
            var dice = TestSeed(shuffle &+ seed)
            let shuffled = history.shuffled(using: &dice)
            #expect(try await outcome(shuffled) == inOrder, "history \(seed), shuffle \(shuffle)")
        }
    }

    @Test func `what nobody needs any more is forgotten`() async throws {
        try await Stage.run { stage in
            var world = ProjectWorld()
            try await stage.apply(world.apply(901, to: 71, of: 1, by: 2), world.name([3], 71, of: 1))
            stage.clock.value = stage.clock.value + .seconds(98 * 86_400)
            try await stage.sweep()
            #expect(try await stage.dump().allSatisfy { $0.hasPrefix("account") })
        }
    }
}

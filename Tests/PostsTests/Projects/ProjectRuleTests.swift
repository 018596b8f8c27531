// SPDX-License-Identifier: Apache-2.0
// The rules of projects, apart from any storage.

import Domain
import Events
import Postgres
import Testing
import Web

@testable import PostsService

@Suite struct ProjectRuleTests {
    private static let now = GraphWorld.start

    private static func revision(_ json: String) throws -> Project.Revision {
        try Project.Revision(Parameters(json: json.utf8), limits: ProjectLimits(), now: now)
    }

    @Test func whatIsNotSaidStaysAndWhatIsEmptyGoes() throws {
        var project = ProjectSnapshot(
            id: ProjectID(1),
            leaderID: AccountID(2),
            title: "a",
            createdAt: Self.now,
            version: 1
        )
        project.category = "앱"
        project.place = "서울"
        project.deadline = Self.now + .seconds(60)
        let same = try Self.revision("{}").applied(to: project)
        #expect(same == project)
        let nulls = try Self.revision(#"{"category":null,"place":null,"deadline":null}"#).applied(to: project)
        #expect(nulls == project, "null is what clients send of what they know nothing of")
        let cleared = try Self.revision(#"{"category":"","place":" ","deadline":""}"#).applied(to: project)
        #expect(cleared.category == nil && cleared.place == nil && cleared.deadline == nil)
    }

    @Test func linesAreOneLine() throws {
        let revision = try Self.revision(#"{"title":"  한\u0000글 "}"#.replacing("\\u0000", with: "\\n"))
        #expect(revision.title == "한 글")
        #expect(throws: Problem.self) { try Self.revision(#"{"title":"\u200b"}"#) }
        #expect(throws: Problem.self) { try Self.revision(#"{"title":"\#(String(repeating: "가", count: 81))"}"#) }
        #expect(try Self.revision(#"{"title":"\#(String(repeating: "가", count: 80))"}"#).title?.count == 80)
    }

    @Test func daysAndMomentsAreReal() throws {
        for day in ["2028-02-29", "2026-12-31", "1969-12-31"] {
            #expect(try Self.revision(#"{"starts_on":"\#(day)"}"#).startsOn == .some(day))
        }
        for day in ["2026-02-29", "2026-13-01", "2026-1-1", "0000-01-01", "2026-02-01T", "20260201"] {
            #expect(throws: Problem.self, "\(day)") { try Self.revision(#"{"starts_on":"\#(day)"}"#) }
        }
        let moment = try Self.revision(#"{"deadline":"2026-02-01T09:00:00+09:00"}"#).deadline
        #expect(moment == .some(Timestamp(rfc3339: "2026-02-01T00:00:00Z")))
        for moment in ["2026-01-02T03:04:05.678Z", "2025-01-01T00:00:00Z", "tomorrow", "2026-02-01"] {
            #expect(throws: Problem.self, "\(moment)") { try Self.revision(#"{"deadline":"\#(moment)"}"#) }
        }
    }

    @Test func onlyAddressesOfTheWebAreContacts() throws {
        let address = try Self.revision(#"{"contact_url":"HTTPS://Open.Example/마당"}"#).contactURL
        #expect(address == .some("https://open.example/%EB%A7%88%EB%8B%B9"))
        for text in ["javascript:alert(1)", "mailto:a@b.example", "https://", "https://a@b.example/", "open.example"] {
            #expect(throws: Problem.self, "\(text)") { try Self.revision(#"{"contact_url":"\#(text)"}"#) }
        }
    }

    @Test func tagsAreThoseOfPosts() throws {
        #expect(try Self.revision(##"{"tags":["#Swift","swift","서버"]}"##).labels == ["swift", "서버"])
        for tag in ["a b", "1", "#", "a#b", "-"] {
            #expect(throws: Problem.self, "\(tag)") { try Self.revision(#"{"tags":["\#(tag)"]}"#) }
        }
        let eleven = (0..<11).map { #""tag\#($0)""# }.joined(separator: ",")
        #expect(throws: Problem.self) { try Self.revision(#"{"tags":[\#(eleven)]}"#) }
        let limits = ProjectLimits()
        let text = (0..<30).map { "#t\($0)x" }.joined(separator: " ")
        let tags = Project.tags(labels: ["swift"], text: "#Swift \(text)", limits: limits)
        #expect(tags.first == "swift" && tags.count == limits.tags && Set(tags).count == tags.count)
    }

    @Test func rolesAreFewAndEachOfItsOwn() throws {
        let roles = try #require(try Self.revision(#"{"roles":[{"name":"iOS","wanted":2},{"name":"서버"}]}"#).roles)
        #expect(roles.map(\.name) == ["iOS", "서버"] && roles.map(\.wanted) == [2, 1])
        for roles in [
            #"[{"name":""}]"#, #"[{"wanted":1}]"#, #"[{"name":"a","wanted":0}]"#, #"[{"name":"a","wanted":100}]"#,
            #"[{"name":"iOS"},{"name":"ｉｏｓ"}]"#, #"[{"name":"a","wanted":50},{"name":"b","wanted":50}]"#,
            #"[{"id":"5","name":"a"},{"id":"5","name":"b"}]"#, #"["a"]"#, #""a""#,
        ] {
            #expect(throws: Problem.self, "\(roles)") { try Self.revision(#"{"roles":\#(roles)}"#) }
        }
    }

    @Test func rolesThatSomebodyHasStay() throws {
        let (ios, server) = (ProjectRoleID(1), ProjectRoleID(2))
        let present = [
            ProjectRole(id: ios, name: "iOS", wanted: 3), ProjectRole(id: server, name: "server", wanted: 1),
        ]
        func change(_ drafts: [Project.RoleDraft], taken: [ProjectRoleID] = [], appliedFor: Set<ProjectRoleID> = [])
            throws -> [ProjectRole]
        {
            try Project.roles(drafts, insteadOf: present, taken: taken, appliedFor: appliedFor) { ProjectRoleID(9) }
        }
        let fewer = Project.RoleDraft(id: ios, name: "app", wanted: 2)
        #expect(
            try change([fewer, Project.RoleDraft(id: nil, name: "new", wanted: 1)], taken: [ios, ios])
                == [
                    ProjectRole(id: ios, name: "app", wanted: 2),
                    ProjectRole(id: ProjectRoleID(9), name: "new", wanted: 1),
                ]
        )
        #expect(throws: Problem.self) { try change([fewer], taken: [ios, ios, ios]) }
        #expect(throws: Problem.self) { try change([fewer], taken: [server]) }
        #expect(throws: Problem.self) { try change([fewer], appliedFor: [server]) }
        #expect(throws: Problem.self) { try change([Project.RoleDraft(id: ProjectRoleID(7), name: "a", wanted: 1)]) }
        #expect(try change([]) == [])
    }

    @Test func theWayOfAProject() {
        let allowed: [Project.Step: [ProjectState: ProjectState]] = [
            .publish: [.draft: .recruiting, .recruiting: .recruiting],
            .close: [.recruiting: .closed, .closed: .closed],
            .reopen: [.closed: .recruiting, .recruiting: .recruiting],
            .finish: [.recruiting: .finished, .closed: .finished, .finished: .finished],
        ]
        for step in Project.Step.allCases {
            for state in ProjectState.allCases {
                #expect(step.state(after: state) == allowed[step]?[state], "\(step) of \(state)")
            }
        }
    }

    /// Who looks again is counted again when they were forgotten; what was counted is taken once.
    @Test func viewsAreCountedOnceForAWhile() {
        let counter = ViewCounter(capacity: 100)
        let (one, other) = (ProjectID(1), ProjectID(2))
        func look(_ project: ProjectID, _ viewer: Int64, after seconds: Int64) {
            counter.note(project, by: AccountID(viewer), at: Self.now + .seconds(seconds))
        }
        for _ in 0..<3 { look(one, 7, after: 0) }
        look(one, 8, after: 1)
        look(other, 7, after: 2)
        let first = counter.take()
        #expect(first.map(\.project) == [one, other] && first.map(\.count) == [2, 1])
        #expect(counter.take().isEmpty)
        look(one, 7, after: 1799)
        look(one, 7, after: 1801)
        #expect(counter.take().isEmpty, "of the time before, too")
        look(one, 7, after: 9000)
        let again = counter.take()
        #expect(again.map(\.count) == [1])
        counter.giveBack(again)
        #expect(counter.take().map(\.count) == [1])
    }

    @Test func viewersBeyondTheMemoryPushOthersOut() {
        let counter = ViewCounter(capacity: 10)
        for viewer in 0..<1000 { counter.note(ProjectID(1), by: AccountID(Int64(viewer)), at: Self.now) }
        #expect(counter.take().map(\.count) == [1000])
        counter.note(ProjectID(1), by: AccountID(0), at: Self.now)
        #expect(counter.take().map(\.count) == [1], "it was forgotten")
    }
}

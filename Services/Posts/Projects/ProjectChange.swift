// SPDX-License-Identifier: Apache-2.0
// What every change of a project has in common.

import Domain
import Events
import Outbox
import Postgres
import Web

/// A project that is being changed: held until the end of the transaction.
struct ProjectChange: Sendable {
    var held: HeldProject
    let dependencies: Dependencies
    let transaction: Transaction

    var project: ProjectSnapshot {
        get { held.project }
        set { held.project = newValue }
    }

    var limits: ProjectLimits { dependencies.limits.projects }

    init(_ held: HeldProject, _ dependencies: Dependencies, _ transaction: Transaction) {
        (self.held, self.dependencies, self.transaction) = (held, dependencies, transaction)
    }

    /// The leader as others see them.
    func leader() async throws -> AccountSnapshot {
        try await AccountStore.account(project.leaderID, in: transaction).found()
    }

    /// Keeps the project as it is now, in a new version, and where it is found.
    mutating func save() throws {
        // A reminder of a deadline that is nearer than it would come is too late.
        if let deadline = project.deadline, deadline <= dependencies.now() + limits.notice {
            held.remindedFor = deadline
        }
        project.version += 1
        try ProjectStore.save(held, in: transaction)
        BoardStore.list(held, in: transaction)
    }

    /// Tells other services how the project is now.
    func tell(_ deed: ProjectDeed) async throws {
        let (leader, told) = (try await leader(), project.told)
        switch deed {
        case .draft: try transaction.record(ProjectDrafted(leader: leader, project: told))
        case .publish: try transaction.record(ProjectPublished(leader: leader, project: told))
        case .update: try transaction.record(ProjectUpdated(leader: leader, project: told))
        case .close: try transaction.record(ProjectClosed(leader: leader, project: told))
        case .finish: try transaction.record(ProjectFinished(leader: leader, project: told))
        }
    }

    /// Has those whom the project concerns notified that it changed; its leader knows.
    func announceUpdate() async throws {
        let people = try await concerned(.people).filter { $0 != project.leaderID }
        try await announce("project_update", to: people)
    }

    /// Tells whom the project names now and did not, and whom it names no longer.
    ///
    /// - Parameter before: whom it named when others saw it last.
    func tellMentions(insteadOf before: [MentionSnapshot]) async throws {
        let (named, names) = (Set(before.map(\.id)), Set(project.mentions.map(\.id)))
        let added = names.subtracting(named).subtracting([project.leaderID]).sorted()
        let removed = named.subtracting(names).sorted()
        guard !added.isEmpty || !removed.isEmpty else { return }
        try transaction.record(
            ProjectMentionsChanged(
                leader: try await leader(),
                project: project.brief,
                named: added,
                unnamed: removed
            )
        )
    }

    /// Has people notified of something about the project, the first of many.
    func announce(_ type: String, to people: [AccountID]) async throws {
        guard !people.isEmpty else { return }
        let leader = try await leader()
        let people = Array(people.sorted().prefix(limits.told))
        for start in stride(from: 0, to: people.count, by: Fanout.recipientsInEvent) {
            let some = Array(people.dropFirst(start).prefix(Fanout.recipientsInEvent))
            try transaction.record(
                ProjectAnnounced(type: type, leader: leader, project: project.brief, recipients: some)
            )
        }
    }

    func concerned(_ concern: ProjectMemberStore.Concern) async throws -> [AccountID] {
        try await ProjectMemberStore.concerned(concern, by: project.id, limit: limits.told, in: transaction)
    }

    /// Tells other services who is in the project by now.
    func tellMembers() async throws {
        try transaction.record(
            ProjectMembersChanged(
                projectID: project.id,
                title: project.title,
                language: project.language,
                leaderID: project.leaderID,
                members: try await ProjectMemberStore.all(of: project.id, in: transaction),
                subjectVersion: project.version
            )
        )
    }

    /// Ends somebody's membership, and tells it.
    mutating func remove(_ member: AccountID) async throws {
        project.version += 1
        ProjectMemberStore.delete(member, from: project.id, in: transaction)
        ProjectStore.setVersion(project.version, of: project.id, in: transaction)
        try await tellMembers()
    }
}

/// After what a project is told as a whole.
enum ProjectDeed: Sendable {
    case draft, publish, update, close, finish
}

/// Runs a change of the project of the path by its leader.
enum ChangeProject {
    /// The project's row is locked while `change` runs: changes of one project wait for each other.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        _ change: @Sendable (inout ProjectChange) async throws -> Void
    ) async throws -> Answer {
        try await apply(request, dependencies, change)
        return try await VisibleProject.answer(request.id(), request, dependencies)
    }

    static func apply(
        _ request: Request,
        _ dependencies: Dependencies,
        _ change: @Sendable (inout ProjectChange) async throws -> Void
    ) async throws {
        let actor = try request.requireAccount().id
        let id: ProjectID = try request.id()
        try await dependencies.database.transaction { transaction in
            let held = try await ProjectStore.hold(id, in: transaction).found()
            guard held.project.leaderID == actor else {
                // Who may see it may know that it is another's.
                _ = try await ProjectStore.isLed(id, by: actor, in: transaction).found()
                throw Problem.forbidden
            }
            var current = ProjectChange(held, dependencies, transaction)
            try await change(&current)
        }
    }
}

/// A project that the viewer may see; the same problem whether it is not there or not for the viewer's eyes.
enum VisibleProject {
    static func require(_ id: ProjectID, _ request: Request, _ dependencies: Dependencies) async throws -> ProjectRow {
        try await ProjectStore.row(id, viewer: request.viewer, in: dependencies.database).found()
    }

    static func answer(_ id: ProjectID, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(try await require(id, request, dependencies).view(site: dependencies.site))
    }
}

// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/projects/:id: the leader changes what a project says of itself.

import Domain
import Events
import Postgres
import Views
import Web

/// Changes what the request names, and keeps in the history what others saw before; nothing is told when nothing is
/// different.
enum EditProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let now = dependencies.now()
        let revision = try Project.Revision(request.parameters(), limits: dependencies.limits.projects, now: now)
        try await Attachments.wait(for: revision.mediaIDs ?? [], dependencies)
        return try await ChangeProject.run(request, dependencies) { change in
            guard change.project.state != .finished else { throw Problem.projectState }
            let before = change.held
            let term = try await BlockedTerms.check(revision.texts, dependencies, in: change.transaction)
            let appliedFor =
                revision.roles == nil
                ? [] : try await ApplicationStore.appliedFor(of: before.project.id, in: change.transaction)
            try await apply(revision, to: &change, appliedFor: appliedFor)
            guard change.project != before.project || change.held.labels != before.labels else { return }
            try await FileFlag.run(term, on: KeptThing(change.project), dependencies, in: change.transaction)
            guard before.project.publishedAt != nil else {
                try change.save()
                return try await change.tell(.draft)
            }
            if change.project.state == .recruiting { try Project.requireComplete(change.project, at: now) }
            let last = before.project.editedAt ?? before.project.publishedAt ?? before.project.createdAt
            change.project.editedAt = max(now, last + .milliseconds(1))
            try ProjectStore.keep(before.project, keeping: change.limits.edits, in: change.transaction)
            try change.save()
            try await change.tell(.update)
            try await change.tellMentions(insteadOf: before.project.mentions)
            try await change.announceUpdate()
        }
    }

    /// The project with what is said of it, its files, its roles and whom its texts name.
    ///
    /// - Parameter appliedFor: the roles for which applications are open.
    static func apply(
        _ revision: Project.Revision,
        to change: inout ProjectChange,
        appliedFor: Set<ProjectRoleID>
    ) async throws {
        let (before, limits) = (change.project, change.limits)
        var project = revision.applied(to: before)
        if let labels = revision.labels { change.held.labels = labels }
        if project.text != before.text || project.summary != before.summary {
            let texts = "\(project.summary)\n\(project.text)"
            let mentions = try await MentionSnapshot.all(in: texts, change.dependencies)
            project.mentions = Array(mentions.prefix(limits.mentions))
        }
        project.tags = Project.tags(labels: change.held.labels, text: project.text, limits: limits)
        if let roles = revision.roles {
            project.roles = try Project.roles(
                roles,
                insteadOf: before.roles,
                taken: try await ProjectMemberStore.taken(of: project.id, in: change.transaction),
                appliedFor: appliedFor,
                newID: { try change.dependencies.ids.next() }
            )
        }
        project.media = try await media(revision, of: before, change)
        change.project = project
    }

    /// The pictures of the project from now on; what was said of them stays unless it is changed.
    private static func media(
        _ revision: Project.Revision,
        of before: ProjectSnapshot,
        _ change: ProjectChange
    ) async throws -> [MediaSnapshot] {
        var media = before.media
        if let ids = revision.mediaIDs, ids != media.map(\.id) {
            // Whoever led it before may have attached the others.
            let added = ids.filter { id in !before.media.contains { $0.id == id } }
            let place = PostID(before.id.rawValue)
            let taken = try await Attachments.take(
                added,
                for: place,
                by: before.leaderID,
                change.dependencies,
                change.transaction
            )
            media = ids.compactMap { id in (before.media + taken).first { $0.id == id } }
            guard media.allSatisfy({ $0.type == .image }) else { throw Problem.invalid("media_ids", "invalid") }
            if before.media.contains(where: { !ids.contains($0.id) }) {
                MediaStore.release(
                    from: place,
                    except: ids,
                    at: change.dependencies.now(),
                    in: change.transaction
                )
            }
        }
        return revision.attributes.reduce(media) { media, attributes in media.map(attributes.applied) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What may be said of a project, and what may become of it.

import Domain
import Events
import Views
import Web

/// The rules of projects, apart from any storage.
enum Project {
    /// What the leader says of a project: nil leaves a part as it is, and where there may be none, nil inside is none.
    struct Revision: Hashable, Sendable {
        let title: String?
        let summary: String?
        let text: String?
        let category: String??
        let labels: [String]?
        let roles: [RoleDraft]?
        let place: String??
        let frequency: String??
        let startsOn: String??
        let deadline: Timestamp??
        let contactURL: String??
        let language: String??
        let mediaIDs: [MediaID]?
        let attributes: [MediaAttributes]
    }

    /// A role as the leader gives it.
    struct RoleDraft: Hashable, Sendable {
        /// Nil for a new one.
        let id: ProjectRoleID?
        let name: String
        let wanted: Int
    }

    /// What the leader does with a project as a whole.
    enum Step: Sendable, CaseIterable {
        case publish, close, reopen, finish

        /// The state after it; nil where it cannot be done.
        func state(after state: ProjectState) -> ProjectState? {
            switch (self, state) {
            // Doing it again changes nothing.
            case (.publish, .draft), (.publish, .recruiting), (.reopen, .closed), (.reopen, .recruiting): .recruiting
            case (.close, .recruiting), (.close, .closed): .closed
            case (.finish, .recruiting), (.finish, .closed), (.finish, .finished): .finished
            case (.publish, .closed), (.publish, .finished), (.reopen, .draft), (.reopen, .finished),
                (.close, .draft), (.close, .finished), (.finish, .draft):
                nil
            }
        }
    }

    /// Throws unless people may apply to it from `now` on.
    static func requireComplete(_ project: ProjectSnapshot, at now: Timestamp) throws {
        guard !project.roles.isEmpty else { throw Problem.noRoles }
        if let deadline = project.deadline, deadline <= now { throw Problem.deadlinePassed }
    }

    /// Throws unless a text may be that of a project.
    static func check(text: String, limits: ProjectLimits) throws {
        guard !text.utf8.contains(0) else { throw Problem.invalid("text", "invalid") }
        // The cheap bounds first: counting characters costs more than reading bytes.
        let written = text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
        guard text.unicodeScalars.count <= limits.textScalars, written <= limits.textBytes,
            PostText.length(of: text) <= limits.text
        else { throw Problem.invalid("text", "too_long") }
    }

    /// The roles of a project from now on.
    ///
    /// - Parameters:
    ///   - present: those it has.
    ///   - taken: the role of each member who has one.
    ///   - wanted: the roles for which applications are open.
    static func roles(
        _ drafts: [RoleDraft],
        insteadOf present: [ProjectRole],
        taken: [ProjectRoleID],
        appliedFor: Set<ProjectRoleID>,
        newID: () throws -> ProjectRoleID
    ) throws -> [ProjectRole] {
        let roles = try drafts.map { draft in
            if let id = draft.id, !present.contains(where: { $0.id == id }) {
                throw Problem.invalid("roles", "invalid")
            }
            return ProjectRole(id: try draft.id ?? newID(), name: draft.name, wanted: draft.wanted)
        }
        for role in present {
            let new = roles.first { $0.id == role.id }
            let isInUse = taken.contains(role.id) || appliedFor.contains(role.id)
            guard new != nil || !isInUse, taken.count(where: { $0 == role.id }) <= new?.wanted ?? 0 else {
                throw Problem.roleInUse
            }
        }
        return roles
    }

    /// The tags of a project: those that its leader gave before those of its text.
    static func tags(labels: [String], text: String, limits: ProjectLimits) -> [String] {
        var seen: Set<String> = []
        let all = (labels + PostText.tags(in: text)).filter { tag in
            tag.unicodeScalars.count <= limits.tag && seen.insert(tag).inserted
        }
        return Array(all.prefix(limits.tags))
    }
}

extension Project.Revision {
    init(_ parameters: Parameters, limits: ProjectLimits, now: Timestamp) throws {
        func optional<Value>(_ name: String, _ read: (String) throws -> Value?) throws -> Value?? {
            parameters.contains(name) ? .some(try read(name)) : nil
        }
        func line(_ limit: Int) -> (String) throws -> String? {
            { name in try parameters.line(name, limit: limit) }
        }
        title = try parameters.line("title", limit: limits.title)
        if title == nil, parameters.contains("title") { throw Problem.invalid("title", "blank") }
        summary = try optional("summary", line(limits.summary)).map { $0 ?? "" }
        text = try parameters.string("text")
        if let text { try Project.check(text: text, limits: limits) }
        category = try optional("category", line(limits.category))
        labels = try parameters.labels(limits: limits)
        roles = try parameters.roles(limits: limits)
        place = try optional("place", line(limits.place))
        frequency = try optional("frequency", line(limits.frequency))
        startsOn = try optional("starts_on") { try parameters.clears($0) ? nil : parameters.day($0)?.description }
        deadline = try optional("deadline", parameters.moment)
        if case .some(.some(let moment)) = deadline, moment <= now { throw Problem.deadlinePassed }
        contactURL = try optional("contact_url") { try parameters.address($0, limit: limits.contact) }
        language = try optional("language") { name in
            guard let code = try parameters.string(name), !code.isEmpty else { return nil }
            guard let code = LanguageCode(code) else { throw Post.Rejection.unknownLanguage }
            return code.text
        }
        mediaIDs = try parameters.mediaIDs(most: limits.media)
        var posts = Limits()
        posts.media = limits.media
        attributes = try parameters.mediaAttributes(limits: posts)
    }

    /// The same bytes for the same wish, so that a repeated request is told from another one with its key.
    var fingerprint: [UInt8] {
        var json = JSONWriter()
        json.array { json in
            json.string("project")
            for text in [title, summary, text, category ?? nil, place ?? nil, frequency ?? nil, startsOn ?? nil] {
                json.string(text ?? "")
            }
            for text in [(deadline ?? nil)?.rfc3339, contactURL ?? nil, language ?? nil] { json.string(text ?? "") }
            json.array { json in for label in labels ?? [] { json.string(label) } }
            json.array { json in
                for role in roles ?? [] {
                    json.string(role.name)
                    json.integer(Int64(role.wanted))
                }
            }
            for id in mediaIDs ?? [] { json.string(id.description) }
        }
        return json.bytes
    }

    /// The project with what is said of it here, but for its files, its roles and whom its text names.
    func applied(to project: ProjectSnapshot) -> ProjectSnapshot {
        var project = project
        project.title = title ?? project.title
        project.summary = summary ?? project.summary
        project.text = text ?? project.text
        if let category { project.category = category }
        if let place { project.place = place }
        if let frequency { project.frequency = frequency }
        if let startsOn { project.startsOn = startsOn }
        if let deadline { project.deadline = deadline }
        if let contactURL { project.contactURL = contactURL }
        if let language { project.language = language }
        return project
    }
}

extension Parameters {
    /// `tags`: each once, in lower case; nil when the client says nothing of them.
    fileprivate func labels(limits: ProjectLimits) throws -> [String]? {
        // A form sends an empty text where there is none.
        guard let given = try strings("tags")?.filter({ !$0.isEmpty }) else { return nil }
        var labels: [String] = []
        for text in given {
            let name = text.hasPrefix("#") ? String(text.dropFirst()) : text
            guard name.unicodeScalars.count <= limits.tag else { throw Problem.invalid("tags", "too_long") }
            let tag = name.lowercased()
            guard PostText.tags(in: "#\(name)") == [tag], PostText.length(of: "#\(name)") == name.count + 1 else {
                throw Problem.invalid("tags", "invalid")
            }
            if !labels.contains(tag) { labels.append(tag) }
        }
        guard labels.count <= limits.labels else { throw Problem.invalid("tags", "too_many") }
        return labels
    }

    /// `roles`: a list of objects with `name`, `wanted` (1 when it is not said) and the `id` of one that is there; nil when
    /// the client says nothing of them.
    fileprivate func roles(limits: ProjectLimits) throws -> [Project.RoleDraft]? {
        guard let given = try list("roles") else { return nil }
        guard given.count <= limits.roles else { throw Problem.invalid("roles", "too_many") }
        var names: Set<String> = []
        var ids: Set<ProjectRoleID> = []
        let roles = try given.map { parameters in
            guard let name = try parameters.line("name", limit: limits.roleName) else {
                throw Problem.invalid("roles", "blank")
            }
            let wanted = try parameters.integer("wanted") ?? 1
            guard (1...Int64(limits.wanted)).contains(wanted) else { throw Problem.invalid("roles", "invalid") }
            let id: ProjectRoleID? = try parameters.id("id")
            guard names.insert(name.folded).inserted, id.map({ ids.insert($0).inserted }) ?? true else {
                throw Problem.invalid("roles", "taken")
            }
            return Project.RoleDraft(id: id, name: name, wanted: Int(wanted))
        }
        guard roles.reduce(0, { $0 + $1.wanted }) <= limits.wanted else { throw Problem.invalid("roles", "too_many") }
        return roles
    }
}

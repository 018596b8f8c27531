// SPDX-License-Identifier: Apache-2.0
// How projects and applications look at one moment, as events carry them and as every answer is built from them.

public import Domain

/// How far a project is.
public enum ProjectState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Only its leader sees it.
    case draft
    /// People may apply.
    case recruiting
    /// Nobody may apply any more, or for now.
    case closed
    /// It is over.
    case finished
}

/// Whom a project looks for.
public struct ProjectRole: Codable, Hashable, Sendable {
    public let id: ProjectRoleID
    /// In the leader's words: `iOS`, `디자이너`.
    public let name: String
    /// How many people, from 1.
    public let wanted: Int

    public init(id: ProjectRoleID, name: String, wanted: Int) {
        self.id = id
        self.name = name
        self.wanted = wanted
    }
}

/// A project as its leader wrote it: text, never markup.
public struct ProjectSnapshot: Codable, Hashable, Sendable {
    public var id: ProjectID
    public var leaderID: AccountID
    public var state: ProjectState
    /// One line.
    public var title: String
    /// One line.
    public var summary: String
    public var text: String
    /// The accounts that summary and text name, of many the first; none in an event.
    public var mentions: [MentionSnapshot]
    public var category: String?
    /// Those that the leader gave, and those of the text; without `#`, in lower case.
    public var tags: [String]
    public var roles: [ProjectRole]
    /// `online`, or a region.
    public var place: String?
    /// In the leader's words: `주 2회`.
    public var frequency: String?
    /// A day, `YYYY-MM-DD`.
    public var startsOn: String?
    /// Until when people may apply.
    public var deadline: Timestamp?
    /// `http` or `https`.
    public var contactURL: String?
    /// ISO 639, two or three letters, perhaps with a region.
    public var language: String?
    /// Its pictures in their order; without their descriptions in an event.
    public var media: [MediaSnapshot]
    public var createdAt: Timestamp
    /// When others saw it first.
    public var publishedAt: Timestamp?
    public var editedAt: Timestamp?
    /// Rises with every change of the project, of its members and of what is counted.
    public var version: Int64

    public init(
        id: ProjectID,
        leaderID: AccountID,
        state: ProjectState = .draft,
        title: String,
        summary: String = "",
        text: String = "",
        mentions: [MentionSnapshot] = [],
        category: String? = nil,
        tags: [String] = [],
        roles: [ProjectRole] = [],
        place: String? = nil,
        frequency: String? = nil,
        startsOn: String? = nil,
        deadline: Timestamp? = nil,
        contactURL: String? = nil,
        language: String? = nil,
        media: [MediaSnapshot] = [],
        createdAt: Timestamp,
        publishedAt: Timestamp? = nil,
        editedAt: Timestamp? = nil,
        version: Int64
    ) {
        self.id = id
        self.leaderID = leaderID
        self.state = state
        self.title = title
        self.summary = summary
        self.text = text
        self.mentions = mentions
        self.category = category
        self.tags = tags
        self.roles = roles
        self.place = place
        self.frequency = frequency
        self.startsOn = startsOn
        self.deadline = deadline
        self.contactURL = contactURL
        self.language = language
        self.media = media
        self.createdAt = createdAt
        self.publishedAt = publishedAt
        self.editedAt = editedAt
        self.version = version
    }

    /// As events carry it, so that the largest project fits one.
    public var told: ProjectSnapshot {
        var told = self
        told.mentions = []
        for index in told.media.indices { told.media[index].description = nil }
        return told
    }

    /// What is said of it where it is not the subject.
    public var brief: ProjectBrief {
        ProjectBrief(id: id, leaderID: leaderID, title: title, state: state, deadline: deadline, version: version)
    }

    enum CodingKeys: String, SnakeCased {
        case id, state, title, summary, text, mentions, category, tags, roles, place, frequency, deadline, language
        case media, version, leaderID, startsOn, contactURL, createdAt, publishedAt, editedAt
    }
}

/// As much of a project as an application or a notification shows.
public struct ProjectBrief: Codable, Hashable, Sendable {
    public let id: ProjectID
    public let leaderID: AccountID
    public let title: String
    public let state: ProjectState
    public let deadline: Timestamp?
    public let version: Int64

    public init(
        id: ProjectID,
        leaderID: AccountID,
        title: String,
        state: ProjectState,
        deadline: Timestamp? = nil,
        version: Int64
    ) {
        self.id = id
        self.leaderID = leaderID
        self.title = title
        self.state = state
        self.deadline = deadline
        self.version = version
    }

    enum CodingKeys: String, SnakeCased { case id, title, state, deadline, version, leaderID }
}

/// What became of an application.
public enum ApplicationState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nobody has decided.
    case open
    case accepted, declined
    /// By whoever made it.
    case withdrawn
}

/// Somebody's wish to be in a project.
public struct ApplicationSnapshot: Codable, Hashable, Sendable {
    public var id: ApplicationID
    public var projectID: ProjectID
    /// Who made it.
    public var accountID: AccountID
    public var roleID: ProjectRoleID
    /// What the role was called then.
    public var roleName: String
    /// To the leader; plain text.
    public var message: String
    public var state: ApplicationState
    /// The leader's answer; plain text, perhaps empty.
    public var note: String
    public var createdAt: Timestamp
    /// When it was accepted, declined or withdrawn.
    public var decidedAt: Timestamp?
    /// 1 while it is open.
    public var version: Int64

    public init(
        id: ApplicationID,
        projectID: ProjectID,
        accountID: AccountID,
        roleID: ProjectRoleID,
        roleName: String,
        message: String = "",
        state: ApplicationState = .open,
        note: String = "",
        createdAt: Timestamp,
        decidedAt: Timestamp? = nil,
        version: Int64 = 1
    ) {
        self.id = id
        self.projectID = projectID
        self.accountID = accountID
        self.roleID = roleID
        self.roleName = roleName
        self.message = message
        self.state = state
        self.note = note
        self.createdAt = createdAt
        self.decidedAt = decidedAt
        self.version = version
    }

    enum CodingKeys: String, SnakeCased {
        case id, message, state, note, version, projectID, accountID, roleID, roleName, createdAt, decidedAt
    }
}

/// Somebody in a project.
public struct ProjectMemberSnapshot: Codable, Hashable, Sendable {
    public let accountID: AccountID
    public let username: Username
    /// The project's version when they came in, which tells this membership from an earlier one of theirs.
    public let since: Int64

    public init(accountID: AccountID, username: Username, since: Int64) {
        self.accountID = accountID
        self.username = username
        self.since = since
    }

    enum CodingKeys: String, SnakeCased { case username, since, accountID }
}

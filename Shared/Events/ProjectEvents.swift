// SPDX-License-Identifier: Apache-2.0
// What posts tells of projects and the people in them, and what chat tells of their rooms.

public import Domain

/// Somebody began to write a project, which nobody else may see; or changed it before others could.
public typealias ProjectDrafted = ProjectEvent<ProjectDeeds.Draft>

/// A project looks for people from now on, for the first time or again.
public typealias ProjectPublished = ProjectEvent<ProjectDeeds.Publish>

/// A project that others see changed, or has another leader.
public typealias ProjectUpdated = ProjectEvent<ProjectDeeds.Update>

/// A project takes no more applications, by its leader's word or because its deadline has passed.
public typealias ProjectClosed = ProjectEvent<ProjectDeeds.Close>

/// A project is over.
public typealias ProjectFinished = ProjectEvent<ProjectDeeds.Finish>

/// Tells how a project is now, and its leader.
public struct ProjectEvent<Deed: EventName>: ShowingAccounts {
    public static var name: String { Deed.name }

    public let leader: AccountSnapshot
    public let project: ProjectSnapshot

    public var accounts: [AccountSnapshot] { [leader] }
    public var subject: String { project.id.description }
    public var subjectVersion: Int64 { project.version }

    public init(leader: AccountSnapshot, project: ProjectSnapshot) {
        self.leader = leader
        self.project = project
    }
}

/// An event that tells how a project is now.
public protocol TellingProject: Event {
    var leader: AccountSnapshot { get }
    var project: ProjectSnapshot { get }
}

extension ProjectEvent: TellingProject {}

/// The deeds after which a project is told as a whole.
public enum ProjectDeeds {
    public enum Draft: EventName { public static let name = "posts.ProjectDrafted" }
    public enum Publish: EventName { public static let name = "posts.ProjectPublished" }
    public enum Update: EventName { public static let name = "posts.ProjectUpdated" }
    public enum Close: EventName { public static let name = "posts.ProjectClosed" }
    public enum Finish: EventName { public static let name = "posts.ProjectFinished" }
}

/// The leader deleted a project; nothing of it may be shown any more.
public struct ProjectDeleted: Event {
    public static let name = "posts.ProjectDeleted"

    public let projectID: ProjectID
    public let leaderID: AccountID
    /// Higher than that of any earlier event of the project.
    public let subjectVersion: Int64

    public var subject: String { projectID.description }

    public init(projectID: ProjectID, leaderID: AccountID, subjectVersion: Int64) {
        self.projectID = projectID
        self.leaderID = leaderID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case projectID, leaderID, subjectVersion }
}

/// Some people are to hear what became of a project that is theirs in some way.
///
/// It comes several times for one change, each time for others.
public struct ProjectAnnounced: ShowingAccounts {
    public static let name = "posts.ProjectAnnounced"

    /// The type of the notification: `project_update`, or `project_deadline` a day before nobody may apply any more.
    public let type: String
    public let leader: AccountSnapshot
    public let project: ProjectBrief
    /// Who is to hear of it; 100 at most.
    public let recipients: [AccountID]

    public var accounts: [AccountSnapshot] { [leader] }
    public var subject: String { project.id.description }
    public var subjectVersion: Int64 { project.version }

    public init(type: String, leader: AccountSnapshot, project: ProjectBrief, recipients: [AccountID]) {
        self.type = type
        self.leader = leader
        self.project = project
        self.recipients = recipients
    }
}

/// The texts of a project that others see name other people than before.
///
/// Of everybody the newest word counts.
public struct ProjectMentionsChanged: ShowingAccounts {
    public static let name = "posts.ProjectMentionsChanged"

    public let leader: AccountSnapshot
    public let project: ProjectBrief
    /// Who was not named before; never the leader.
    public let named: [AccountID]
    /// Who was, and is not any more.
    public let unnamed: [AccountID]

    public var accounts: [AccountSnapshot] { [leader] }
    public var subject: String { project.id.description }
    public var subjectVersion: Int64 { project.version }

    public init(leader: AccountSnapshot, project: ProjectBrief, named: [AccountID], unnamed: [AccountID]) {
        self.leader = leader
        self.project = project
        self.named = named
        self.unnamed = unnamed
    }
}

/// Somebody wants to be in a project.
public typealias ApplicationReceived = ApplicationEvent<ApplicationDeeds.Receive>

/// The leader takes somebody into the project.
public typealias ApplicationAccepted = ApplicationEvent<ApplicationDeeds.Accept>

/// The leader does not, or the project is over.
public typealias ApplicationDeclined = ApplicationEvent<ApplicationDeeds.Decline>

/// Whoever applied does not want it any more.
public typealias ApplicationWithdrawn = ApplicationEvent<ApplicationDeeds.Withdraw>

/// Tells how an application is now.
public struct ApplicationEvent<Deed: EventName>: TellingApplication {
    public static var name: String { Deed.name }

    /// Who did it.
    public let actor: AccountSnapshot
    /// Whom it concerns: the leader, or whoever applied.
    public let recipientID: AccountID
    public let project: ProjectBrief
    public let application: ApplicationSnapshot

    public var accounts: [AccountSnapshot] { [actor] }
    public var subject: String { application.id.description }
    public var subjectVersion: Int64 { application.version }

    public init(
        actor: AccountSnapshot,
        recipientID: AccountID,
        project: ProjectBrief,
        application: ApplicationSnapshot
    ) {
        self.actor = actor
        self.recipientID = recipientID
        self.project = project
        self.application = application
    }

    enum CodingKeys: String, SnakeCased { case actor, project, application, recipientID }
}

/// An event that tells what became of an application.
public protocol TellingApplication: ShowingAccounts {
    var actor: AccountSnapshot { get }
    var recipientID: AccountID { get }
    var project: ProjectBrief { get }
    var application: ApplicationSnapshot { get }
}

/// What becomes of an application.
public enum ApplicationDeeds {
    public enum Receive: EventName { public static let name = "posts.ApplicationReceived" }
    public enum Accept: EventName { public static let name = "posts.ApplicationAccepted" }
    public enum Decline: EventName { public static let name = "posts.ApplicationDeclined" }
    public enum Withdraw: EventName { public static let name = "posts.ApplicationWithdrawn" }
}

/// Somebody came into a project or went out, or it has another leader: all who are in it by now.
///
/// Whoever knows an older list needs no other event to know what has changed.
public struct ProjectMembersChanged: Event {
    public static let name = "posts.ProjectMembersChanged"

    public let projectID: ProjectID
    public let title: String
    /// ISO 639, two or three letters, perhaps with a region.
    public let language: String?
    public let leaderID: AccountID
    /// The leader among them; 100 at most.
    public let members: [ProjectMemberSnapshot]
    public let subjectVersion: Int64

    public var subject: String { projectID.description }

    public init(
        projectID: ProjectID,
        title: String,
        language: String?,
        leaderID: AccountID,
        members: [ProjectMemberSnapshot],
        subjectVersion: Int64
    ) {
        self.projectID = projectID
        self.title = title
        self.language = language
        self.leaderID = leaderID
        self.members = members
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case title, language, members, projectID, leaderID, subjectVersion }
}

/// A project has a playground from now on, or has none any more.
public struct ProjectRoomChanged: Event {
    public static let name = "chat.ProjectRoomChanged"

    public let projectID: ProjectID
    /// Nil for none.
    public let playgroundID: PlaygroundID?
    /// The channel that everybody in the playground is in.
    public let channelID: ChannelID?
    public let subjectVersion: Int64

    public var subject: String { projectID.description }

    public init(projectID: ProjectID, playgroundID: PlaygroundID?, channelID: ChannelID?, subjectVersion: Int64) {
        self.projectID = projectID
        self.playgroundID = playgroundID
        self.channelID = channelID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case projectID, playgroundID, channelID, subjectVersion }
}

/// A member of a project went out of its playground, was sent out of it, or may not come into it.
public struct ProjectMemberLeft: Event {
    public static let name = "chat.ProjectMemberLeft"

    public let projectID: ProjectID
    public let accountID: AccountID
    /// Which membership of theirs it was.
    public let since: Int64
    public let subjectVersion: Int64

    public var subject: String { "\(projectID)-\(accountID)" }

    public init(projectID: ProjectID, accountID: AccountID, since: Int64, subjectVersion: Int64) {
        self.projectID = projectID
        self.accountID = accountID
        self.since = since
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case since, projectID, accountID, subjectVersion }
}

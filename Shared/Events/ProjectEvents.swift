// SPDX-License-Identifier: Apache-2.0
// What posts tells of projects and the people in them, and what chat tells of their rooms.

package import Domain

/// Somebody began to write a project, which nobody else may see; or changed it before others could.
package typealias ProjectDrafted = ProjectEvent<ProjectDeeds.Draft>

/// A project looks for people from now on, for the first time or again.
package typealias ProjectPublished = ProjectEvent<ProjectDeeds.Publish>

/// A project that others see changed, or has another leader.
package typealias ProjectUpdated = ProjectEvent<ProjectDeeds.Update>

/// A project takes no more applications, by its leader's word or because its deadline has passed.
package typealias ProjectClosed = ProjectEvent<ProjectDeeds.Close>

/// A project is over.
package typealias ProjectFinished = ProjectEvent<ProjectDeeds.Finish>

/// Tells how a project is now, and its leader.
package struct ProjectEvent<Deed: EventName>: ShowingAccounts {
    package static var name: String { Deed.name }

    package let leader: AccountSnapshot
    package let project: ProjectSnapshot

    package var accounts: [AccountSnapshot] { [leader] }
    package var subject: String { project.id.description }
    package var subjectVersion: Int64 { project.version }

    package init(leader: AccountSnapshot, project: ProjectSnapshot) {
        self.leader = leader
        self.project = project
    }
}

/// An event that tells how a project is now.
package protocol TellingProject: Event {
    var leader: AccountSnapshot { get }
    var project: ProjectSnapshot { get }
}

extension ProjectEvent: TellingProject {}

/// The deeds after which a project is told as a whole.
package enum ProjectDeeds {
    package enum Draft: EventName { package static let name = "posts.ProjectDrafted" }
    package enum Publish: EventName { package static let name = "posts.ProjectPublished" }
    package enum Update: EventName { package static let name = "posts.ProjectUpdated" }
    package enum Close: EventName { package static let name = "posts.ProjectClosed" }
    package enum Finish: EventName { package static let name = "posts.ProjectFinished" }
}

/// The leader deleted a project; nothing of it may be shown any more.
package struct ProjectDeleted: Event {
    package static let name = "posts.ProjectDeleted"

    package let projectID: ProjectID
    package let leaderID: AccountID
    /// Higher than that of any earlier event of the project.
    package let subjectVersion: Int64

    package var subject: String { projectID.description }

    package init(projectID: ProjectID, leaderID: AccountID, subjectVersion: Int64) {
        self.projectID = projectID
        self.leaderID = leaderID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case projectID, leaderID, subjectVersion }
}

/// Some people are to hear what became of a project that is theirs in some way.
///
/// It comes several times for one change, each time for others.
package struct ProjectAnnounced: ShowingAccounts {
    package static let name = "posts.ProjectAnnounced"

    /// The type of the notification: `project_update`, or `project_deadline` a day before nobody may apply any more.
    package let type: String
    package let leader: AccountSnapshot
    package let project: ProjectBrief
    /// Who is to hear of it; 100 at most.
    package let recipients: [AccountID]

    package var accounts: [AccountSnapshot] { [leader] }
    package var subject: String { project.id.description }
    package var subjectVersion: Int64 { project.version }

    package init(type: String, leader: AccountSnapshot, project: ProjectBrief, recipients: [AccountID]) {
        self.type = type
        self.leader = leader
        self.project = project
        self.recipients = recipients
    }
}

/// The texts of a project that others see name other people than before.
///
/// Of everybody the newest word counts.
package struct ProjectMentionsChanged: ShowingAccounts {
    package static let name = "posts.ProjectMentionsChanged"

    package let leader: AccountSnapshot
    package let project: ProjectBrief
    /// Who was not named before; never the leader.
    package let named: [AccountID]
    /// Who was, and is not any more.
    package let unnamed: [AccountID]

    package var accounts: [AccountSnapshot] { [leader] }
    package var subject: String { project.id.description }
    package var subjectVersion: Int64 { project.version }

    package init(leader: AccountSnapshot, project: ProjectBrief, named: [AccountID], unnamed: [AccountID]) {
        self.leader = leader
        self.project = project
        self.named = named
        self.unnamed = unnamed
    }
}

/// Somebody wants to be in a project.
package typealias ApplicationReceived = ApplicationEvent<ApplicationDeeds.Receive>

/// The leader takes somebody into the project.
package typealias ApplicationAccepted = ApplicationEvent<ApplicationDeeds.Accept>

/// The leader does not, or the project is over.
package typealias ApplicationDeclined = ApplicationEvent<ApplicationDeeds.Decline>

/// Whoever applied does not want it any more.
package typealias ApplicationWithdrawn = ApplicationEvent<ApplicationDeeds.Withdraw>

/// Tells how an application is now.
package struct ApplicationEvent<Deed: EventName>: TellingApplication {
    package static var name: String { Deed.name }

    /// Who did it.
    package let actor: AccountSnapshot
    /// Whom it concerns: the leader, or whoever applied.
    package let recipientID: AccountID
    package let project: ProjectBrief
    package let application: ApplicationSnapshot

    package var accounts: [AccountSnapshot] { [actor] }
    package var subject: String { application.id.description }
    package var subjectVersion: Int64 { application.version }

    package init(
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
package protocol TellingApplication: ShowingAccounts {
    var actor: AccountSnapshot { get }
    var recipientID: AccountID { get }
    var project: ProjectBrief { get }
    var application: ApplicationSnapshot { get }
}

/// What becomes of an application.
package enum ApplicationDeeds {
    package enum Receive: EventName { package static let name = "posts.ApplicationReceived" }
    package enum Accept: EventName { package static let name = "posts.ApplicationAccepted" }
    package enum Decline: EventName { package static let name = "posts.ApplicationDeclined" }
    package enum Withdraw: EventName { package static let name = "posts.ApplicationWithdrawn" }
}

/// Somebody came into a project or went out, or it has another leader: all who are in it by now.
///
/// Whoever knows an older list needs no other event to know what has changed.
package struct ProjectMembersChanged: Event {
    package static let name = "posts.ProjectMembersChanged"

    package let projectID: ProjectID
    package let title: String
    /// ISO 639, two or three letters, perhaps with a region.
    package let language: String?
    package let leaderID: AccountID
    /// The leader among them; 100 at most.
    package let members: [ProjectMemberSnapshot]
    package let subjectVersion: Int64

    package var subject: String { projectID.description }

    package init(
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
package struct ProjectRoomChanged: Event {
    package static let name = "chat.ProjectRoomChanged"

    package let projectID: ProjectID
    /// Nil for none.
    package let playgroundID: PlaygroundID?
    /// The channel that everybody in the playground is in.
    package let channelID: ChannelID?
    package let subjectVersion: Int64

    package var subject: String { projectID.description }

    package init(projectID: ProjectID, playgroundID: PlaygroundID?, channelID: ChannelID?, subjectVersion: Int64) {
        self.projectID = projectID
        self.playgroundID = playgroundID
        self.channelID = channelID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case projectID, playgroundID, channelID, subjectVersion }
}

/// A member of a project went out of its playground, was sent out of it, or may not come into it.
package struct ProjectMemberLeft: Event {
    package static let name = "chat.ProjectMemberLeft"

    package let projectID: ProjectID
    package let accountID: AccountID
    /// Which membership of theirs it was.
    package let since: Int64
    package let subjectVersion: Int64

    package var subject: String { "\(projectID)-\(accountID)" }

    package init(projectID: ProjectID, accountID: AccountID, since: Int64, subjectVersion: Int64) {
        self.projectID = projectID
        self.accountID = accountID
        self.since = since
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case since, projectID, accountID, subjectVersion }
}

// SPDX-License-Identifier: Apache-2.0
// A project on the board, as a client sees it.

package import Domain
package import Events

/// A project with who is in it and what the viewer has to do with it.
package struct ProjectView: ObjectView {
    /// What is counted of a project, and where its people talk.
    package struct Standing: Hashable, Sendable {
        package let membersCount: Int
        /// The role of each member who has one.
        package let taken: [ProjectRoleID]
        /// Applications that were not withdrawn.
        package let applicationsCount: Int
        package let viewsCount: Int
        package let playgroundID: PlaygroundID?
        package let channelID: ChannelID?

        package init(
            membersCount: Int,
            taken: [ProjectRoleID],
            applicationsCount: Int,
            viewsCount: Int,
            playgroundID: PlaygroundID?,
            channelID: ChannelID?
        ) {
            self.membersCount = membersCount
            self.taken = taken
            self.applicationsCount = applicationsCount
            self.viewsCount = viewsCount
            self.playgroundID = playgroundID
            self.channelID = channelID
        }

        /// How many are in a role.
        package func filled(_ role: ProjectRoleID) -> Int { taken.count { $0 == role } }
    }

    /// What the asking account has to do with a project.
    package struct Viewer: Hashable, Sendable {
        package let bookmarked: Bool
        package let isMember: Bool
        /// Their newest application.
        package let applicationID: ApplicationID?
        package let applicationState: ApplicationState?

        package init(
            bookmarked: Bool = false,
            isMember: Bool = false,
            applicationID: ApplicationID? = nil,
            applicationState: ApplicationState? = nil
        ) {
            self.bookmarked = bookmarked
            self.isMember = isMember
            self.applicationID = applicationID
            self.applicationState = applicationState
        }
    }

    package let project: ProjectSnapshot
    package let leader: AccountSnapshot
    /// The preview of the first link of its text.
    package let card: CardSnapshot?
    package let standing: Standing
    package let viewer: Viewer
    package let site: Site

    package init(
        _ project: ProjectSnapshot,
        leader: AccountSnapshot,
        card: CardSnapshot?,
        standing: Standing,
        viewer: Viewer,
        site: Site
    ) {
        self.project = project
        self.leader = leader
        self.card = card
        self.standing = standing
        self.viewer = viewer
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", project.id)
        json.member("state", project.state.rawValue)
        json.member("leader", AccountView(leader, site: site))
        json.writeContent(of: project, site: site)
        json.array("roles", project.roles) { json, role in
            json.member("id", role.id)
            json.member("name", role.name)
            json.member("wanted", role.wanted)
            json.member("filled", standing.filled(role.id))
        }
        json.member("card", card.map { CardView($0, site: site) })
        json.member("members_count", standing.membersCount)
        json.member("applications_count", standing.applicationsCount)
        json.member("views_count", standing.viewsCount)
        json.member("created_at", project.createdAt)
        json.member("published_at", project.publishedAt)
        json.member("edited_at", project.editedAt)
        // Where they talk is for those who are in it.
        json.member("playground_id", viewer.isMember ? standing.playgroundID : nil)
        json.member("channel_id", viewer.isMember ? standing.channelID : nil)
        json.member("bookmarked", viewer.bookmarked)
        json.member("member", viewer.isMember)
        if let id = viewer.applicationID, let state = viewer.applicationState {
            json.object("application") { json in
                json.member("id", id)
                json.member("state", state.rawValue)
            }
        } else {
            json.null("application")
        }
    }
}

/// What a project was before an edit, or is.
package struct ProjectFormView: ObjectView {
    package let project: ProjectSnapshot
    package let site: Site

    package init(_ project: ProjectSnapshot, site: Site) {
        self.project = project
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("created_at", project.editedAt ?? project.publishedAt ?? project.createdAt)
        json.writeContent(of: project, site: site)
        json.array("roles", project.roles) { json, role in
            json.member("id", role.id)
            json.member("name", role.name)
            json.member("wanted", role.wanted)
        }
    }
}

extension JSONWriter {
    /// What the leader wrote.
    fileprivate mutating func writeContent(of project: ProjectSnapshot, site: Site) {
        member("title", project.title)
        member("summary", project.summary)
        member("text", project.text)
        member("content", PostText.html(project.text, mentions: project.mentions, site: site))
        member("category", project.category)
        array("tags", project.tags) { json, tag in
            json.member("name", tag)
            json.member("url", site.tagURL(tag))
        }
        array("mentions", project.mentions) { json, mention in
            json.member("id", mention.id)
            json.member("username", mention.username.text)
            json.member("acct", mention.username.text)
            json.member("url", site.profile(mention.username))
        }
        member("media_attachments", MediaView.all(project.media, seenBy: .public, site: site))
        member("place", project.place)
        member("frequency", project.frequency)
        member("starts_on", project.startsOn)
        member("deadline", project.deadline)
        member("contact_url", project.contactURL)
        member("language", project.language)
    }
}

/// Somebody in a project.
package struct ProjectMemberView: ObjectView {
    package let account: AccountSnapshot
    package let isLeader: Bool
    /// Nil for somebody without one: whoever began the project.
    package let role: ProjectRole?
    package let joinedAt: Timestamp
    package let site: Site

    package init(account: AccountSnapshot, isLeader: Bool, role: ProjectRole?, joinedAt: Timestamp, site: Site) {
        self.account = account
        self.isLeader = isLeader
        self.role = role
        self.joinedAt = joinedAt
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("account", AccountView(account, site: site))
        json.member("leader", isLeader)
        json.member("role", role.map { RoleName(id: $0.id, name: $0.name) })
        json.member("joined_at", joinedAt)
    }
}

/// A role by its name.
struct RoleName: ObjectView {
    let id: ProjectRoleID
    let name: String

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("name", name)
    }
}

/// A project where it is not the subject.
package struct ProjectBriefView: ObjectView {
    package let project: ProjectBrief

    package init(_ project: ProjectBrief) { self.project = project }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", project.id)
        json.member("title", project.title)
        json.member("state", project.state.rawValue)
        json.member("deadline", project.deadline)
    }
}

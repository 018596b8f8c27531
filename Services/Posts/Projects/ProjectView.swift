// SPDX-License-Identifier: Apache-2.0
// A project on the board, as a client sees it.

import Domain
import Events
import Views

/// A project with who is in it and what the viewer has to do with it.
struct ProjectView: ObjectView {
    /// What is counted of a project, and where its people talk.
    struct Standing: Hashable, Sendable {
        let membersCount: Int
        /// The role of each member who has one.
        let taken: [ProjectRoleID]
        /// Applications that were not withdrawn.
        let applicationsCount: Int
        let viewsCount: Int
        let playgroundID: PlaygroundID?
        let channelID: ChannelID?

        /// How many are in a role.
        func filled(_ role: ProjectRoleID) -> Int { taken.count { $0 == role } }
    }

    /// What the asking account has to do with a project.
    struct Viewer: Hashable, Sendable {
        var bookmarked: Bool = false
        var isMember: Bool = false
        /// Their newest application.
        var applicationID: ApplicationID?
        var applicationState: ApplicationState?
    }

    let project: ProjectSnapshot
    let leader: AccountSnapshot
    /// The preview of the first link of its text.
    let card: CardSnapshot?
    let standing: Standing
    let viewer: Viewer
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
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
struct ProjectFormView: ObjectView {
    let project: ProjectSnapshot
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
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
struct ProjectMemberView: ObjectView {
    let account: AccountSnapshot
    let isLeader: Bool
    /// Nil for somebody without one: whoever began the project.
    let role: ProjectRole?
    let joinedAt: Timestamp
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("account", AccountView(account, site: site))
        json.member("leader", isLeader)
        json.member("role", role.map { RoleName(id: $0.id, name: $0.name) })
        json.member("joined_at", joinedAt)
    }
}

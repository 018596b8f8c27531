// SPDX-License-Identifier: Apache-2.0
// Somebody, as little of them as a message or a list of members shows.

import Domain
import Events
import Postgres
import Views

/// An account as others in chat see it.
struct Person: Hashable, Columned, Decodable {
    let id: AccountID
    let username: Username
    let displayName: String
    /// The name of a stored file.
    let avatar: String?
    /// Nobody else may see them: of what they say of themselves nothing is shown.
    let isHidden: Bool

    init(_ account: AccountSnapshot) {
        id = account.id
        username = account.username
        displayName = account.displayName
        avatar = account.extras?.avatar?.file
        isHidden = account.isHidden
    }

    /// The columns of `accounts a` that `init(columns:)` reads.
    static let columns: SQL = """
        a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot)
        """

    /// Whether a name of `accounts a` holds a text; every one holds an empty text.
    static func isNamed(_ text: String) -> SQL {
        """
        (\(text) = '' OR strpos(a.username, lower(\(text))) > 0
            OR strpos(lower(normalize(coalesce(a.snapshot->>'display_name', ''))), lower(\(text))) > 0)
        """
    }

    init(columns: inout Columns) throws {
        id = try columns.next()
        username = try columns.next()
        displayName = try columns.next(String?.self) ?? ""
        avatar = try columns.next()
        isHidden = try columns.next()
    }

    enum CodingKeys: String, SnakeCased { case id, username, avatar, displayName, isHidden }
}

/// A small account: never an e-mail address.
struct PersonView: ObjectView {
    let person: Person
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", person.id)
        json.member("username", person.username.text)
        json.member("acct", person.username.text)
        json.member("display_name", person.isHidden ? "" : person.displayName)
        json.member("avatar", site.avatar(person.isHidden ? nil : person.avatar))
        json.member("url", site.profile(person.username))
        if person.isHidden { json.member("suspended", true) }
    }
}

/// Somebody in a playground or in a channel.
struct Member: Sendable {
    let person: Person
    let role: ChatRole
    let joinedAt: Timestamp

    /// The columns of `accounts a` and of a `page` of members, in the order of the properties.
    static let columns: SQL = "\(Person.columns), page.role, page.joined_at"
}

/// A person with their role.
struct MemberView: ObjectView {
    let member: Member
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        PersonView(person: member.person, site: site).writeMembers(to: &json)
        json.member("role", member.role.rawValue)
        json.member("joined_at", member.joinedAt)
    }
}

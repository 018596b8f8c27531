// SPDX-License-Identifier: Apache-2.0
// The SQL on who is in a playground or in a channel.

import Domain
import Events
import Postgres

/// Where somebody is a member.
enum Place: Hashable, Sendable {
    case playground(PlaygroundID)
    case channel(ChannelID)

    fileprivate var id: Int64 {
        switch self {
        case .playground(let id): id.rawValue
        case .channel(let id): id.rawValue
        }
    }

    fileprivate var table: SQL {
        switch self {
        case .playground: "playgrounds"
        case .channel: "channels"
        }
    }

    /// The table of its members.
    fileprivate var members: SQL {
        switch self {
        case .playground: "playground_members"
        case .channel: "channel_members"
        }
    }

    /// The column of that table which names it.
    fileprivate var key: SQL {
        switch self {
        case .playground: "playground_id"
        case .channel: "channel_id"
        }
    }
}

/// A membership of a channel that came to its end.
struct EndedMembership: Sendable {
    let channel: ChannelID
    let type: ChannelType
    let role: ChatRole

    static let columns: SQL = "c.id, c.type, m.role"
}

/// Somebody among the people of a playground or of direct messages.
struct ShownMember: Sendable {
    let playground: PlaygroundID?
    /// Nil for a playground as a whole.
    let channel: ChannelID?
    /// Whose members see it.
    let room: ChannelID
    let role: ChatRole
}

/// Reads and writes memberships.
enum MemberStore {
    static func role(of account: AccountID, in place: Place, in database: some Querying) async throws -> ChatRole? {
        try await database.query(
            "SELECT role FROM \(place.members) WHERE \(place.key) = \(place.id) AND account_id = \(account)"
        ).one { try $0.next() }
    }

    /// Those of the accounts that are in the playground.
    static func members(
        among accounts: [AccountID],
        of playground: PlaygroundID,
        in database: some Querying
    ) async throws -> Set<AccountID> {
        let rows = try await database.query(
            """
            SELECT account_id FROM playground_members
            WHERE playground_id = \(playground) AND account_id = ANY (\(accounts))
            """
        )
        return Set(try rows.all { try $0.next() })
    }

    /// Whether a row was made: false for who is in already. What was said in a channel before counts as read.
    static func insert(
        _ account: AccountID,
        into place: Place,
        role: ChatRole,
        at stamp: Stamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        let row: SQL = "\(place.id), \(account), \(role), \(stamp.moment), \(stamp.version)"
        let insert: SQL =
            switch place {
            case .playground:
                "INSERT INTO playground_members (playground_id, account_id, role, joined_at, version) VALUES (\(row))"
            case .channel:
                """
                INSERT INTO channel_members (channel_id, account_id, role, joined_at, version, last_read_seq)
                SELECT \(row), last_seq FROM channels WHERE id = \(place.id)
                """
            }
        return try await transaction.query("\(insert) ON CONFLICT DO NOTHING").affected > 0
    }

    static func setRole(
        _ role: ChatRole,
        of account: AccountID,
        in place: Place,
        version: Int64,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE \(place.members) SET role = \(role), version = \(version)
            WHERE \(place.key) = \(place.id) AND account_id = \(account)
            """
        )
    }

    /// Says whose a place is; nil for nobody's.
    static func setOwner(_ owner: AccountID?, of place: Place, at stamp: Stamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE \(place.table) SET owner_id = \(owner), updated_at = \(stamp.moment), version = \(stamp.version)
            WHERE id = \(place.id)
            """
        )
    }

    /// - Parameter isChosen: whether the member said so, now or before.
    static func setNotifications(
        _ notify: NotifyLevel,
        isChosen: Bool,
        mutedUntil: Timestamp?,
        of account: AccountID,
        in channel: ChannelID,
        version: Int64,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE channel_members
            SET notify = \(notify), notify_chosen = \(isChosen), muted_until = \(mutedUntil), version = \(version)
            WHERE channel_id = \(channel) AND account_id = \(account)
            """
        )
    }

    static func delete(_ account: AccountID, from place: Place, in transaction: some Transacting) {
        transaction.enqueue(
            "DELETE FROM \(place.members) WHERE \(place.key) = \(place.id) AND account_id = \(account)"
        )
    }

    /// Ends all memberships of somebody in a playground's channels, direct ones among them; hold the channels first.
    static func deleteAll(
        of account: AccountID,
        in playground: PlaygroundID,
        in transaction: some Transacting
    ) async throws -> [EndedMembership] {
        try await transaction.query(
            """
            WITH ended AS (
                DELETE FROM channel_members m
                USING channels c
                WHERE m.account_id = \(account) AND c.id = m.channel_id AND c.playground_id = \(playground)
                RETURNING \(EndedMembership.columns)
            )
            SELECT id, type, role FROM ended ORDER BY id
            """
        ).all(as: EndedMembership.init)
    }

    /// Who comes next as the owner: the admin who has been there longest, else the member.
    static func successor(in channel: ChannelID, in database: some Querying) async throws -> AccountID? {
        try await database.query(
            """
            SELECT account_id FROM channel_members
            WHERE channel_id = \(channel)
            ORDER BY role <> 'admin', joined_at, account_id
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    /// Everyone who is in the channel.
    static func accounts(in channel: ChannelID, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            "SELECT account_id FROM channel_members WHERE channel_id = \(channel) ORDER BY account_id"
        ).all { try $0.next() }
    }

    /// Everyone who is in the channel's playground, but not in the channel.
    static func outsiders(of channel: ChannelID, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            """
            SELECT p.account_id
            FROM channels c
            JOIN playground_members p ON p.playground_id = c.playground_id
            WHERE c.id = \(channel) AND NOT EXISTS (
                SELECT FROM channel_members m WHERE m.channel_id = c.id AND m.account_id = p.account_id
            )
            ORDER BY p.account_id
            """
        ).all { try $0.next() }
    }

    /// Where open connections show somebody: playgrounds, and direct messages; the newest of each.
    static func shown(_ account: AccountID, most: Int, in database: some Querying) async throws -> [ShownMember] {
        try await database.query(
            """
            (
                SELECT m.playground_id, NULL::bigint, p.default_channel_id, m.role
                FROM playground_members m
                JOIN playgrounds p ON p.id = m.playground_id
                WHERE m.account_id = \(account)
                ORDER BY m.playground_id DESC
                LIMIT \(most)
            )
            UNION ALL
            (
                SELECT c.playground_id, c.id, c.id, m.role
                FROM channel_members m
                JOIN channels c ON c.id = m.channel_id
                WHERE m.account_id = \(account) AND NOT m.requested AND c.type IN ('direct', 'group') AND c.deleted_at IS NULL
                ORDER BY m.channel_id DESC
                LIMIT \(most)
            )
            """
        ).all(as: ShownMember.init)
    }

    /// Members, the newest account first; with `text`, those whose name holds it.
    static func list(of place: Place, text: String, _ page: Page, in database: some Querying) async throws -> [Member] {
        try await database.query(
            """
            WITH page AS (
                SELECT a.id, m.role, m.joined_at
                FROM \(place.members) m
                JOIN accounts a ON a.id = m.account_id
                WHERE m.\(place.key) = \(place.id) AND NOT is_hidden(a.snapshot) AND \(Person.isNamed(text))
                    AND \(page.cut("m.account_id"))
            )
            SELECT \(Member.columns)
            FROM page
            JOIN accounts a ON a.id = page.id
            ORDER BY a.id DESC
            """
        ).all(as: Member.init)
    }

    /// Those of the accounts that are members, in the order in which they were asked for, before them whoever has the name.
    static func found(
        _ ids: [AccountID],
        named name: Username?,
        of place: Place,
        in database: some Querying
    ) async throws -> [Member] {
        let named: SQL = "SELECT id, 0 FROM accounts WHERE username = \(name?.text)"
        return try await database.query(
            """
            \(.wanted(ids, after: named))
            SELECT \(Member.columns)
            FROM wanted w
            JOIN \(place.members) page ON page.\(place.key) = \(place.id) AND page.account_id = w.id
            JOIN accounts a ON a.id = w.id
            WHERE NOT is_hidden(a.snapshot)
            ORDER BY w.place, a.id
            """
        ).all(as: Member.init)
    }
}

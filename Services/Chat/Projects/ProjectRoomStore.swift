// SPDX-License-Identifier: Apache-2.0
// The SQL on the playgrounds of projects. Whoever follows a project claims it first, then holds its playground, then its room.

import Domain
import Events
import Postgres
import Serving

/// What is known of a project.
struct ProjectRoom: Sendable {
    /// Of the newest list of members that was followed.
    let version: Int64
    let leaderID: AccountID
    let playgroundID: PlaygroundID?
    /// Of what was told of it last.
    let told: Int64
    let hasEnded: Bool

    static let columns: SQL = "version, leader_id, playground_id, told, ended_at IS NOT NULL"
}

/// Somebody who is in a playground because they are in its project, or went out of it.
struct RoomMember: Sendable {
    let accountID: AccountID
    /// Which membership of the project it is.
    let since: Int64
    let isGone: Bool

    static let columns: SQL = "account_id, since, gone"
}

enum ProjectRoomStore {
    /// Waits for whoever else follows any of these projects, in the order of their ids, until the transaction ends.
    static func claim(_ ids: [ProjectID], in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(id) FROM unnest(\(ids)) AS wanted (id)")
    }

    /// Holds the playgrounds of projects, in the order of their ids.
    static func holdPlaygrounds(of ids: [ProjectID], in transaction: some Transacting) {
        transaction.enqueue(
            """
            SELECT 1
            FROM playgrounds
            WHERE id IN (SELECT playground_id FROM project_rooms WHERE project_id = ANY (\(ids)))
            ORDER BY id
            FOR NO KEY UPDATE
            """
        )
    }

    /// Makes a room for a project that is not known.
    static func open(_ project: ProjectID, of leader: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO project_rooms (project_id, leader_id) VALUES (\(project), \(leader))
            ON CONFLICT (project_id) DO NOTHING
            """
        )
    }

    static func hold(_ project: ProjectID, in transaction: some Transacting) async throws -> ProjectRoom? {
        try await transaction.query(
            "SELECT \(ProjectRoom.columns) FROM project_rooms WHERE project_id = \(project) FOR UPDATE"
        ).one(as: ProjectRoom.init)
    }

    /// Keeps what is known of a project whose room is held.
    static func save(_ room: ProjectRoom, of project: ProjectID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE project_rooms
            SET version = \(room.version), leader_id = \(room.leaderID), playground_id = \(room.playgroundID),
                told = \(room.told)
            WHERE project_id = \(project)
            """
        )
    }

    static func members(of project: ProjectID, in database: some Querying) async throws -> [RoomMember] {
        try await database.query(
            "SELECT \(RoomMember.columns) FROM project_room_members WHERE project_id = \(project) ORDER BY account_id"
        ).all(as: RoomMember.init)
    }

    static func keep(_ member: RoomMember, of project: ProjectID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO project_room_members (project_id, account_id, since, gone)
            VALUES (\(project), \(member.accountID), \(member.since), \(member.isGone))
            ON CONFLICT (project_id, account_id) DO UPDATE SET since = excluded.since, gone = excluded.gone
            """
        )
    }

    static func forget(_ account: AccountID, of project: ProjectID, in transaction: some Transacting) {
        transaction.enqueue(
            "DELETE FROM project_room_members WHERE project_id = \(project) AND account_id = \(account)"
        )
    }

    /// Notes that somebody went out of a playground.
    ///
    /// - Returns: of which project that ends their membership, and which of theirs; nil when it ends none.
    static func leave(
        _ account: AccountID,
        from playground: PlaygroundID,
        in transaction: some Transacting
    ) async throws -> (project: ProjectID, since: Int64)? {
        try await transaction.query(
            """
            UPDATE project_room_members m
            SET gone = true
            FROM project_rooms r
            WHERE r.playground_id = \(playground) AND m.project_id = r.project_id AND m.account_id = \(account)
                AND NOT m.gone
            RETURNING m.project_id, m.since
            """
        ).one { (try $0.next(), try $0.next()) }
    }

    /// Who leads the project of a playground; nil for a playground of none.
    static func leader(of playground: PlaygroundID, in database: some Querying) async throws -> AccountID? {
        try await database.query("SELECT leader_id FROM project_rooms WHERE playground_id = \(playground)")
            .one { try $0.next() }
    }

    /// Parts a playground that is deleted from its project.
    ///
    /// - Parameter number: of what is told of it, at least.
    /// - Returns: the project, and the number of what is to be told; nil for a playground of none.
    static func close(
        _ playground: PlaygroundID,
        telling number: Int64,
        in transaction: some Transacting
    ) async throws -> (project: ProjectID, told: Int64)? {
        try await transaction.query(
            """
            WITH closed AS (
                UPDATE project_rooms
                SET playground_id = NULL, told = greatest(told + 1, \(number))
                WHERE playground_id = \(playground)
                RETURNING project_id, told
            ),
            gone AS (
                DELETE FROM project_room_members WHERE project_id IN (SELECT project_id FROM closed)
            )
            SELECT project_id, told FROM closed
            """
        ).one { (try $0.next(), try $0.next()) }
    }

    /// Parts the playground of a deleted project from it, for ever.
    static func end(_ event: ProjectDeleted, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH gone AS (DELETE FROM project_room_members WHERE project_id = \(event.projectID))
            INSERT INTO project_rooms AS r (project_id, version, leader_id, ended_at)
            VALUES (\(event.projectID), \(event.subjectVersion), \(event.leaderID), \(now))
            ON CONFLICT (project_id) DO UPDATE
            SET version = greatest(r.version, excluded.version), playground_id = NULL,
                ended_at = coalesce(r.ended_at, excluded.ended_at)
            """
        )
    }

    /// Of projects that were deleted.
    static let aged = AgedRows(of: "project_rooms", by: "project_id", since: "ended_at")
}

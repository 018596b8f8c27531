// SPDX-License-Identifier: Apache-2.0
// How far people have read.

import Domain
import Postgres
import Views

/// The Mastodon API's Marker (docs.joinmastodon.org/entities/Marker).
struct Marker: ObjectView {
    enum Timeline: String, Sendable, CaseIterable {
        case home, notifications
    }

    let timeline: Timeline
    let lastReadID: Int64
    let version: Int64
    let updatedAt: Timestamp

    /// The columns of `markers` that `init(columns:)` reads.
    fileprivate static let columns: SQL = "timeline, last_read_id, version, updated_at"

    /// Nil for a timeline that is not known.
    fileprivate init?(columns: inout Columns) throws {
        guard let timeline = Timeline(rawValue: try columns.next()) else { return nil }
        self.timeline = timeline
        lastReadID = try columns.next()
        version = try columns.next()
        updatedAt = try columns.next()
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("last_read_id", String(lastReadID))
        json.member("version", version)
        json.member("updated_at", updatedAt)
    }
}

/// Markers by timeline, in one object.
struct MarkersView: ObjectView {
    let markers: [Marker]

    func writeMembers(to json: inout JSONWriter) {
        for marker in markers {
            switch marker.timeline {
            case .home: json.member("home", marker)
            case .notifications: json.member("notifications", marker)
            }
        }
    }
}

enum MarkerStore {
    static func markers(
        of account: AccountID,
        _ timelines: [Marker.Timeline],
        in database: some Querying
    ) async throws -> [Marker] {
        try await database.query(
            """
            SELECT \(Marker.columns) FROM markers
            WHERE account_id = \(account) AND timeline = ANY (\(timelines.map(\.rawValue)))
            ORDER BY timeline
            """
        ).all(Marker.init(columns:)).compactMap(\.self)
    }

    /// - Parameter expected: the version that the marker must have, if the client told one.
    /// - Returns: nil when it has another.
    static func save(
        _ lastReadID: Int64,
        _ timeline: Marker.Timeline,
        of account: AccountID,
        expected: Int64?,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Marker? {
        try await transaction.query(
            """
            INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at)
            VALUES (\(account), \(timeline.rawValue), \(lastReadID), 1, \(now))
            ON CONFLICT (account_id, timeline) DO UPDATE
            SET last_read_id = excluded.last_read_id, version = markers.version + 1, updated_at = excluded.updated_at
            WHERE \(expected) IS NULL OR markers.version = \(expected)
            RETURNING \(Marker.columns)
            """
        ).one(Marker.init(columns:)) ?? nil
    }
}

// SPDX-License-Identifier: Apache-2.0
// The SQL of deliveries: making them, taking them in turn, and what came of them.

import Domain
import Postgres
import Serving

/// Whose reading makes the number on their devices another.
enum Read: Sendable {
    /// Of notifications, on the device of this session, which counts for itself.
    case notifications(by: SessionID?)
    /// Of a channel up to a message, if there is an entry of it.
    case channel(ChannelID, upTo: Int64)

    fileprivate func condition(_ account: AccountID) -> SQL {
        switch self {
        case .notifications(let session): "d.session_id IS DISTINCT FROM \(session)"
        case .channel(let channel, let seq):
            """
            EXISTS (
                SELECT FROM notifications n
                WHERE n.channel_id = \(channel) AND n.account_id = \(account) AND n.seq <= \(seq)
            )
            """
        }
    }
}

enum DeliveryStore {
    /// Makes deliveries of these entries, as far as they were put into a list just now, for each device that is to hear of them.
    /// For those who seem to be present it waits, so that reading drops it; for everybody until the end of quiet hours.
    static func make(
        of entries: [NotificationID],
        on platforms: [Platform],
        at now: Timestamp,
        forThosePresent present: [AccountID],
        notBefore later: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO deliveries (
                device_id, platform, notification_id, kind, collapse_key, state, made_at, not_before, due_at, expires_at
            )
            SELECT d.id, d.platform, n.id, n.type,
                CASE WHEN n.channel_id IS NOT NULL THEN 'channel-' || n.channel_id END,
                'waiting', \(now), q.start, q.start, q.start + interval '1 day'
            FROM notifications n
            JOIN devices d ON d.account_id = n.account_id
            LEFT JOIN push_preferences a
                ON a.account_id = n.account_id AND a.scope = 'account' AND a.scope_id = 0
            LEFT JOIN push_preferences p
                ON p.account_id = n.account_id AND p.scope = 'app' AND p.scope_id = d.app_id
            LEFT JOIN push_preferences o
                ON o.account_id = n.account_id AND o.scope = 'device' AND o.scope_id = d.id
            CROSS JOIN LATERAL (
                SELECT CASE WHEN n.account_id = ANY (\(present)) THEN \(later) ELSE \(now) END AS moment
            ) m
            CROSS JOIN LATERAL (
                SELECT coalesce(
                    quiet_end(m.moment, a.quiet_from, a.quiet_to, coalesce(a.time_zone, d.time_zone)),
                    m.moment
                ) AS start
            ) q
            WHERE n.id = ANY (\(entries)) AND d.platform = ANY (\(platforms.map(\.rawValue)))
                AND NOT n.dismissed AND NOT n.withdrawn
                -- Nobody is woken by what happened long ago.
                AND n.created_at > CAST(\(now) AS timestamptz) - interval '1 day'
                AND NOT is_silenced(n.account_id, n.actor_id, n.created_at)
                AND NOT \(RestrictedAccounts.isHidden("n.actor_id"))
                AND coalesce(o.kinds ->> n.type, p.kinds ->> n.type, a.kinds ->> n.type, 'true') = 'true'
                AND (d.alerts IS NULL OR n.type = ANY (d.alerts))
                AND CASE d.policy
                    WHEN 'all' THEN true
                    WHEN 'none' THEN false
                    WHEN 'followed' THEN \(ActStore.isActive("'follow'", of: "n.actor_id", by: "n.account_id"))
                    ELSE \(ActStore.isActive("'follow'", of: "n.account_id", by: "n.actor_id"))
                END
            ON CONFLICT (notification_id, device_id) DO NOTHING
            """
        )
    }

    /// Has the devices of somebody who read told the new number, silently.
    static func makeBadges(
        of account: AccountID,
        after read: Read,
        on platforms: [Platform],
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO deliveries (
                device_id, platform, kind, collapse_key, state, made_at, not_before, due_at, expires_at
            )
            SELECT d.id, d.platform, 'badge', 'badge', 'waiting', \(now), \(now), \(now),
                CAST(\(now) AS timestamptz) + interval '1 day'
            FROM devices d
            WHERE d.account_id = \(account) AND d.platform = ANY (\(platforms.map(\.rawValue)))
                AND \(read.condition(account))
            """
        )
    }

    /// Forgets what number the devices of a session show: they have counted for themselves.
    static func forgetBadge(of session: SessionID, in transaction: some Transacting) {
        transaction.enqueue("UPDATE devices SET badge = NULL WHERE session_id = \(session) AND badge IS NOT NULL")
    }

    /// Takes devices to which something is due, until the lease runs out. What is due to one that somebody else has, or that
    /// rests, is due again a little later, or when the rest is over.
    static func claim(
        _ platform: Platform,
        most: Int,
        at now: Timestamp,
        lease: Timestamp,
        in database: some Querying
    ) async throws -> [Flight] {
        try await database.query(
            """
            WITH due AS (
                SELECT id, device_id FROM deliveries
                WHERE platform = \(platform) AND due_at <= \(now)
                ORDER BY due_at
                LIMIT 100
                FOR UPDATE SKIP LOCKED
            ), late AS (
                UPDATE deliveries v
                SET due_at = greatest(d.rests_until, least(d.leased_until, CAST(\(now) AS timestamptz) + interval '5 seconds'))
                FROM due, devices d
                WHERE v.id = due.id AND d.id = due.device_id AND greatest(d.leased_until, d.rests_until) > \(now)
            ), orphans AS (
                DELETE FROM deliveries v USING due
                WHERE v.id = due.id AND NOT EXISTS (SELECT FROM devices d WHERE d.id = due.device_id)
            ), free AS (
                SELECT d.id FROM devices d
                WHERE d.id IN (SELECT device_id FROM due) AND greatest(d.leased_until, d.rests_until) <= \(now)
                ORDER BY d.id
                LIMIT \(most)
                FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE devices d SET flight = d.flight + 1, leased_until = \(lease)
            FROM free
            WHERE d.id = free.id
            RETURNING \(Flight.columns)
            """
        ).all { try $0.next() }
    }

    /// Nil where the flight is not the device's any more.
    static func recipient(_ flight: Flight, in database: some Querying) async throws -> Recipient? {
        try await database.query(
            """
            SELECT \(Recipient.columns)
            FROM devices d
            LEFT JOIN push_preferences a
                ON a.account_id = d.account_id AND a.scope = 'account' AND a.scope_id = 0
            LEFT JOIN push_preferences p
                ON p.account_id = d.account_id AND p.scope = 'app' AND p.scope_id = d.app_id
            LEFT JOIN push_preferences o
                ON o.account_id = d.account_id AND o.scope = 'device' AND o.scope_id = d.id
            WHERE d.id = \(flight.device) AND d.flight = \(flight.number)
            """
        ).one { try $0.next() }
    }

    /// The first that waits for the device and need not wait for its time.
    static func next(of device: DeviceID, at now: Timestamp, in database: some Querying) async throws
        -> WaitingDelivery?
    {
        try await database.query(
            """
            SELECT \(WaitingDelivery.columns) FROM deliveries v
            WHERE v.device_id = \(device) AND v.due_at IS NOT NULL AND v.not_before <= \(now)
            ORDER BY v.id
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    /// Notes that it is about to be sent, and holds the device as long as that may take.
    ///
    /// - Returns: whether the flight still has the device.
    static func begin(
        _ delivery: DeliveryID,
        _ flight: Flight,
        lease: Timestamp,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            WITH held AS (
                UPDATE devices SET leased_until = \(lease)
                WHERE id = \(flight.device) AND flight = \(flight.number)
                RETURNING id
            )
            UPDATE deliveries v SET attempts = v.attempts + 1
            FROM held
            WHERE v.id = \(delivery) AND v.device_id = held.id AND v.due_at IS NOT NULL
            """
        ).affected == 1
    }

    /// Keeps what came of it, unless the flight is over.
    static func end(
        _ delivery: DeliveryID,
        _ end: DeliveryEnd,
        _ flight: Flight,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE deliveries v
            SET state = \(end.state), due_at = NULL, ended_at = \(now), reason = \(end.reason), name = \(end.name)
            FROM devices d
            WHERE v.id = \(delivery) AND v.due_at IS NOT NULL AND d.id = v.device_id AND d.flight = \(flight.number)
            """
        )
    }

    /// Keeps the number that a device was told.
    static func keep(badge: Int, _ flight: Flight, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE devices SET badge = \(badge), attempts = 0
            WHERE id = \(flight.device) AND flight = \(flight.number)
            """
        )
    }

    /// Leaves the device alone for a while.
    static func rest(_ flight: Flight, until end: Timestamp, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE devices SET rests_until = \(end), leased_until = \(now), attempts = attempts + 1
            WHERE id = \(flight.device) AND flight = \(flight.number)
            """
        )
    }

    /// Keeps why one waits.
    static func note(
        _ reason: String,
        of delivery: DeliveryID,
        until end: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            "UPDATE deliveries SET reason = \(reason), due_at = \(end) WHERE id = \(delivery) AND due_at IS NOT NULL"
        )
    }

    /// Gives the device back.
    static func land(_ flight: Flight, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE devices SET leased_until = \(now)
            WHERE id = \(flight.device) AND flight = \(flight.number) AND leased_until > \(now)
            """
        )
    }

    /// Has what came for a device that was just given back, and was put off meanwhile, looked at now.
    static func hasten(_ device: DeviceID, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE deliveries SET due_at = \(now)
            WHERE id = (
                SELECT v.id FROM deliveries v
                WHERE v.device_id = \(device) AND v.due_at IS NOT NULL AND v.not_before <= \(now)
                ORDER BY v.id
                LIMIT 1
            )
            """
        )
    }

    /// A page of what was sent to a device, newest first.
    static func page(_ page: Page, of device: DeviceID, in database: some Querying) async throws -> [DeliveryView] {
        try await database.query(
            """
            SELECT \(DeliveryView.columns) FROM (
                SELECT id, push_id, notification_id, kind, state, made_at, ended_at, attempts, reason FROM deliveries
                WHERE device_id = \(device) AND \(page.cut("id"))
            ) v
            ORDER BY id DESC
            """
        ).all { try $0.next() }
    }

    /// How many wait on a platform; beyond a hundred thousand nobody counts.
    static func waiting(on platform: Platform, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            SELECT count(*) FROM (
                SELECT FROM deliveries WHERE platform = \(platform) AND due_at IS NOT NULL
                LIMIT 100000
            ) w
            """
        ).number()
    }

    static let aged = AgedRows(of: "deliveries", by: "id", since: "made_at")
}

// SPDX-License-Identifier: Apache-2.0
// The SQL of devices: who is reached where.

import Domain
import Postgres
import Serving

/// Which devices are pushed to no more.
enum DeviceRemoval: Sendable {
    case one(DeviceID, of: AccountID)
    /// Of a session that is over.
    case session(SessionID)
    case subscription(SessionID)
    /// The provider says that nobody is reached there, perhaps since when; unless it was registered anew after that, or after
    /// the device was read.
    case gone(Flight, registeredAt: Timestamp, since: Timestamp?)

    fileprivate var condition: SQL {
        switch self {
        case .one(let id, let account): "id = \(id) AND account_id = \(account)"
        case .session(let session): "session_id = \(session)"
        case .subscription(let session): "session_id = \(session) AND platform = 'web'"
        case .gone(let flight, let registered, let since):
            """
            id = \(flight.device) AND flight = \(flight.number) AND registered_at = \(registered)
                AND (\(since) IS NULL OR registered_at <= \(since))
            """
        }
    }
}

enum DeviceStore {
    /// Waits until nobody else registers the address.
    static func hold(_ address: DeviceAddress, in transaction: some Transacting) {
        transaction.enqueue(
            "SELECT pg_advisory_xact_lock(hashtextextended(\(address.platform) || ' ' || \(address.text), 0))"
        )
    }

    /// Takes the address from the devices of other sessions. Hold it before.
    static func displace(_ address: DeviceAddress, keeping session: SessionID, in transaction: some Transacting) {
        transaction.enqueue(
            removing(
                """
                platform = \(address.platform) AND address_hash = sha256(convert_to(\(address.text), 'UTF8'))
                    AND session_id <> \(session)
                """
            )
        )
    }

    /// Keeps the device of a session, in place of the one it had on the platform; nil where the session is over.
    static func register(
        _ draft: DeviceDraft,
        as id: DeviceID,
        of account: AccountID,
        _ session: SessionID,
        _ app: AppID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Device? {
        let address = draft.address
        return try await transaction.query(
            """
            INSERT INTO devices AS d (
                id, account_id, session_id, app_id, platform, address, address_hash, topic, is_sandbox, public_key, secret,
                is_standard, language, time_zone, is_mutable, alerts, policy, created_at, registered_at, leased_until,
                rests_until
            )
            SELECT \(id), \(account), \(session), \(app), \(address.platform), \(address.text),
                sha256(convert_to(\(address.text), 'UTF8')), \(address.topic), \(address.isSandbox), \(address.publicKey),
                \(address.secret), \(address.isStandard), \(draft.language.rawValue), \(draft.timeZone),
                \(draft.isMutable), \(draft.alerts), \(draft.policy), \(now), \(now), \(now), \(now)
            WHERE NOT EXISTS (SELECT FROM ended_sessions WHERE id = \(session))
            ON CONFLICT (session_id, platform) DO UPDATE
            SET account_id = excluded.account_id, app_id = excluded.app_id, address = excluded.address,
                address_hash = excluded.address_hash, topic = excluded.topic, is_sandbox = excluded.is_sandbox,
                public_key = excluded.public_key, secret = excluded.secret, is_standard = excluded.is_standard,
                language = excluded.language, time_zone = excluded.time_zone, is_mutable = excluded.is_mutable,
                alerts = excluded.alerts, policy = excluded.policy, registered_at = excluded.registered_at,
                rests_until = excluded.rests_until, attempts = 0
            RETURNING \(Device.columns)
            """
        ).one { try $0.next() }
    }

    /// Removes the devices of an account that were heard of longest ago.
    static func trim(_ account: AccountID, keeping most: Int, in transaction: some Transacting) {
        transaction.enqueue(
            removing(
                """
                id IN (
                    SELECT o.id FROM devices o WHERE o.account_id = \(account)
                    ORDER BY o.registered_at DESC
                    OFFSET \(most)
                )
                """
            )
        )
    }

    /// - Returns: how many went.
    static func remove(_ removal: DeviceRemoval, in database: some Querying) async throws -> Int {
        try await database.query(removing(removal.condition)).affected
    }

    /// With what was on its way there and what was wanted there.
    private static func removing(_ condition: SQL) -> SQL {
        """
        WITH gone AS (
            DELETE FROM devices WHERE \(condition)
            RETURNING id, account_id
        ), undelivered AS (
            DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
        ), unwanted AS (
            DELETE FROM push_preferences p USING gone
            WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
        )
        SELECT id FROM gone
        """
    }

    /// Keeps that a session is over: nobody registers a device of it any more.
    static func keepEnd(of session: SessionID, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            "INSERT INTO ended_sessions (id, at) VALUES (\(session), \(now)) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        )
    }

    static let agedEnds = AgedRows(of: "ended_sessions", by: "id", since: "at")

    static func devices(of account: AccountID, in database: some Querying) async throws -> [Device] {
        try await database.query(
            """
            SELECT \(Device.columns) FROM devices d
            WHERE d.account_id = \(account)
            ORDER BY d.id
            """
        ).all { try $0.next() }
    }

    static func device(_ id: DeviceID, of account: AccountID, in database: some Querying) async throws -> Device? {
        try await database.query(
            "SELECT \(Device.columns) FROM devices d WHERE d.id = \(id) AND d.account_id = \(account)"
        ).one { try $0.next() }
    }

    static func device(
        of session: SessionID,
        _ platform: Platform,
        in database: some Querying
    ) async throws -> Device? {
        try await database.query(
            "SELECT \(Device.columns) FROM devices d WHERE d.session_id = \(session) AND d.platform = \(platform)"
        ).one { try $0.next() }
    }

    /// Changes what a session's subscription wants to hear; what is not said stays.
    static func change(
        _ wishes: SubscriptionWishes,
        of session: SessionID,
        in database: some Querying
    ) async throws -> Device? {
        try await database.query(
            """
            UPDATE devices d
            SET alerts = coalesce(\(wishes.alerts), alerts), policy = coalesce(\(wishes.policy), policy)
            WHERE session_id = \(session) AND platform = 'web'
            RETURNING \(Device.columns)
            """
        ).one { try $0.next() }
    }
}

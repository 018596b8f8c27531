// SPDX-License-Identifier: Apache-2.0
// What people may do less often in their first hours here: the table `new_account_acts`.

public import Domain
import HTTPTypes
public import Outbox
public import Postgres
public import ServiceKit
import Web

/// What somebody new does only so often an hour.
public enum NewAccountAct: String, CaseIterable, Sendable {
    /// A post, or an answer.
    case post
    /// An address in what somebody writes.
    case link
    /// The name of somebody who does not follow them.
    case mention
    case follow
    /// Talking to somebody who has to accept it first.
    case conversation
    case message

    public var mostInHour: Int {
        switch self {
        case .post: 20
        case .link: 5
        case .mention: 10
        case .follow: 30
        case .conversation: 5
        case .message: 300
        }
    }
}

/// Who is new, and how often they have done what.
public struct NewAccounts: Sendable {
    /// How long somebody is new; zero for nobody.
    public let age: Duration

    public init(age: Duration = .zero) { self.age = age }

    /// An id tells when its account was made.
    public func contain(_ account: AccountID, now: Timestamp) -> Bool {
        age > .zero && now - account.timestamp < age
    }

    /// Counts acts of somebody, if they are new; throws once they have done it too often this hour. It counts if and only if the
    /// transaction commits, and whoever acts at the same moment waits for it.
    public func count(
        _ act: NewAccountAct,
        times: Int = 1,
        by account: AccountID,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws {
        guard times > 0, contain(account, now: now) else { return }
        guard times <= act.mostInHour else { throw Problem.newAccountLimit(retryAfter: NewAccountActStore.window) }
        let (isTaken, since) = try await NewAccountActStore.take(
            act,
            times: times,
            by: account,
            at: now,
            in: transaction
        )
        if isTaken { return }
        let end = (since ?? now) + NewAccountActStore.window
        throw Problem.newAccountLimit(retryAfter: end - now)
    }
}

/// One row an account and kind of act, of the hour that began with the first.
public enum NewAccountActStore {
    public static let window = Duration.seconds(3600)

    /// - Returns: whether there was room, and since when the hour had been running.
    public static func take(
        _ act: NewAccountAct,
        times: Int,
        by account: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> (isTaken: Bool, since: Timestamp?) {
        let start = now - window
        return try await transaction.query(
            """
            WITH taken AS (
                INSERT INTO new_account_acts AS a (account_id, act, since, times)
                VALUES (\(account), \(act.rawValue), \(now), \(times))
                ON CONFLICT (account_id, act) DO UPDATE
                SET since = CASE WHEN a.since <= \(start) THEN excluded.since ELSE a.since END,
                    times = CASE WHEN a.since <= \(start) THEN excluded.times ELSE a.times + excluded.times END
                WHERE a.since <= \(start) OR a.times + excluded.times <= \(act.mostInHour)
                RETURNING 1
            )
            SELECT EXISTS (SELECT FROM taken), (
                SELECT b.since FROM new_account_acts b WHERE b.account_id = \(account) AND b.act = \(act.rawValue)
            )
            """
        ).one { (try $0.next(Bool.self), try $0.next(Timestamp?.self)) } ?? (false, nil)
    }

    static let aged = AgedRows(of: "new_account_acts", by: "account_id, act", since: "since")

    public static func sweep(now: @escaping @Sendable () -> Timestamp) -> Sweep {
        aged.sweep(after: window, now: now)
    }
}

extension Settings {
    /// For how many hours somebody is new.
    public mutating func newAccounts() -> NewAccounts {
        let hours = integer(
            "MADANG_NEW_ACCOUNT_HOURS",
            default: 24,
            in: 0...8760,
            meaning: "hours for which a new account posts, links, follows and writes to strangers less often, 0 none"
        )
        return NewAccounts(age: .seconds(hours * 3600))
    }
}

extension Problem {
    static func newAccountLimit(retryAfter: Duration) -> Problem {
        let seconds = min(max(1, retryAfter.components.seconds + 1), 3600)
        return own(
            .tooManyRequests,
            "new-account-limit",
            english: "New accounts can do this only so often. Try again later.",
            korean: "새로 만든 계정은 할 수 있는 횟수가 제한됩니다. 나중에 다시 시도하세요.",
            japanese: "新しいアカウントがこの操作を行える回数は限られています。後でもう一度お試しください。",
            headers: [.retryAfter: String(seconds)]
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// `posts admin suspend | limit | freeze | sensitive | lift`: what an operator keeps accounts from, without a report.

import Domain
import Events
import Logging
import Outbox
import Postgres
import ServiceKit
import Serving

struct OperatorRestrictions: Sendable {
    enum Failure: Error, CustomStringConvertible {
        case usage
        case unknown(String)

        var description: String {
            switch self {
            case .usage:
                "usage: posts admin suspend|limit|freeze|sensitive NAME [--days N] | admin lift NAME; N is 1 to 3650"
            case .unknown(let name): "there is no account \(name)"
            }
        }
    }

    /// What is asked for.
    struct Order: Hashable, Sendable {
        /// Nil lifts all that moderators and operators can lift.
        let kind: Restriction?
        let name: String
        let days: Int?

        init?(_ arguments: [String]) {
            let kinds: [String: Restriction] = [
                "suspend": .suspended, "limit": .limited, "freeze": .frozen, "sensitive": .sensitive,
            ]
            guard let verb = arguments.first, arguments.count == 2 || arguments.count == 4 else { return nil }
            name = arguments[1]
            kind = kinds[verb]
            if arguments.count == 4 {
                guard kind != nil, arguments[2] == "--days", let days = Int(arguments[3]), (1...3650).contains(days)
                else { return nil }
                self.days = days
            } else {
                guard kind != nil || verb == "lift" else { return nil }
                days = nil
            }
        }
    }

    let database: Database
    let now: @Sendable () -> Timestamp
    let logger: Logger

    @Sendable static func run(_ config: Config, logger: Logger, arguments: [String]) async throws {
        guard let order = Order(arguments) else { throw Failure.usage }
        let restrictions = try await OperatorCommand.run(config, logger: logger) { database, _ in
            try await OperatorRestrictions(database: database, now: Timestamp.now, logger: logger).carryOut(order)
        }
        let names = restrictions.isEmpty ? "nothing" : restrictions.map(\.rawValue).joined(separator: ", ")
        print("\(order.name): in force is \(names)")
    }

    /// - Returns: what is in force then.
    func carryOut(_ order: Order) async throws -> [Restriction] {
        let plain = order.name.hasPrefix("@") ? order.name.dropFirst() : order.name[...]
        guard let username = Username(plain),
            let account = try await AccountStore.account(username, in: database)?.id
        else { throw Failure.unknown(order.name) }
        let (moment, cause) = (now(), Restrict.Cause(actor: "operator \(operatorName())"))
        let until = order.days.map { moment + .seconds($0 * 86_400) }
        let logger = logger
        return try await database.transaction { transaction in
            if let kind = order.kind {
                try await Restrict.apply(kind, to: account, until: until, by: cause, at: moment, in: transaction)
            } else {
                let kinds = Restriction.allCases.filter { $0 != .leaving }
                try await Restrict.lift(kinds, from: account, at: moment, in: transaction)
            }
            transaction.afterCommit {
                logger.notice(
                    "Audit",
                    metadata: [
                        "act": "\(order.kind?.rawValue ?? "lifted")", "actor": "\(cause.actor)",
                        "account_id": "\(account)", "until": "\(until.map { "\($0)" } ?? "")",
                    ]
                )
            }
            return try await RestrictedAccounts.restrictions(of: account, in: transaction)
        }
    }
}

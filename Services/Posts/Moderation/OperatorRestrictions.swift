// SPDX-License-Identifier: Apache-2.0
// `posts admin suspend | limit | freeze | sensitive | lift`: what an operator keeps accounts from, without a report, and in place of
// moderators.

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
                """
                usage: posts admin suspend|limit|freeze|sensitive NAME [--days N] [--reason TEXT] | admin lift NAME; N is 1 to \
                3650, TEXT at most \(ModerationLimits().reason) characters
                """
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
        /// What the person is told, who may appeal then; nil where nothing is decided and nobody is told.
        let reason: String?

        init?(_ arguments: [String]) {
            let kinds: [String: Restriction] = [
                "suspend": .suspended, "limit": .limited, "freeze": .frozen, "sensitive": .sensitive,
            ]
            guard let verb = arguments.first, arguments.count >= 2 else { return nil }
            name = arguments[1]
            kind = kinds[verb]
            guard kind != nil || (verb == "lift" && arguments.count == 2) else { return nil }
            var (days, reason) = (Int?.none, String?.none)
            var options = arguments.dropFirst(2)
            while let option = options.popFirst() {
                guard let value = options.popFirst() else { return nil }
                switch option {
                case "--days" where days == nil:
                    guard let number = Int(value), (1...3650).contains(number) else { return nil }
                    days = number
                case "--reason" where reason == nil:
                    let text = value.withoutControls.trimmed
                    guard !text.isEmpty, text.count <= ModerationLimits().reason else { return nil }
                    reason = text
                default: return nil
                }
            }
            (self.days, self.reason) = (days, reason)
        }
    }

    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let logger: Logger

    @Sendable static func run(_ config: Config, logger: Logger, arguments: [String]) async throws {
        guard let order = Order(arguments) else { throw Failure.usage }
        let restrictions = try await OperatorCommand.run(config, logger: logger) { database, ids in
            try await OperatorRestrictions(database: database, ids: ids, now: Timestamp.now, logger: logger)
                .carryOut(order)
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
        let (moment, actor) = (now(), "operator \(operatorName())")
        let until = order.days.map { moment + .seconds($0 * 86_400) }
        let logger = logger
        return try await database.transaction { transaction in
            if let kind = order.kind {
                var cause = Restrict.Cause(actor: actor)
                if let reason = order.reason {
                    cause.decision = try await decide(kind, on: account, reason, until: until, at: moment, transaction)
                }
                try await Restrict.apply(kind, to: account, until: until, by: cause, at: moment, in: transaction)
            } else {
                try await liftDecisions(about: account, at: moment, transaction)
                let kinds = Restriction.allCases.filter { $0 != .leaving }
                try await Restrict.lift(kinds, from: account, at: moment, in: transaction)
            }
            transaction.afterCommit {
                logger.notice(
                    "Audit",
                    metadata: [
                        "act": "\(order.kind?.rawValue ?? "lifted")", "actor": "\(actor)",
                        "account_id": "\(account)", "until": "\(until?.rfc3339 ?? "")",
                    ]
                )
            }
            return try await RestrictedAccounts.restrictions(of: account, in: transaction)
        }
    }

    /// Decides as a moderator would, whom the person never learns of either: they are told why, and may appeal.
    private func decide(
        _ kind: Restriction,
        on account: AccountID,
        _ reason: String,
        until: Timestamp?,
        at moment: Timestamp,
        _ transaction: Transaction
    ) async throws -> DecisionID? {
        guard let action = DecisionAction.allCases.first(where: { $0.restriction == kind }) else { return nil }
        let decision = DecisionRow(
            id: try ids.next(),
            moderatorID: nil,
            accountID: account,
            reportID: nil,
            action: action,
            thing: nil,
            reason: reason,
            until: until,
            appealUntil: moment + ModerationLimits().appealTime,
            decidedAt: moment,
            liftedAt: nil,
            version: 1,
            appeal: nil,
            evidence: nil
        )
        DecisionStore.insert(decision, in: transaction)
        try await tell(decision, .decide, at: moment, transaction)
        return decision.id
    }

    /// What moderators decided about an account itself holds no more, so that their lists and the person see what is in force.
    private func liftDecisions(about account: AccountID, at moment: Timestamp, _ transaction: Transaction) async throws
    {
        for action in DecisionAction.allCases where action.restriction != nil {
            for id in try await DecisionStore.holding(action, of: account, at: moment, in: transaction) {
                DecisionStore.lock(id, in: transaction)
                guard let decision = try await DecisionStore.decision(id, in: transaction), decision.liftedAt == nil
                else { continue }
                DecisionStore.lift(id, at: moment, in: transaction)
                try await tell(decision.lifted(at: moment), .lift, at: moment, transaction)
            }
        }
    }

    private func tell(
        _ decision: DecisionRow,
        _ deed: ModerationDeed,
        at moment: Timestamp,
        _ transaction: Transaction
    ) async throws {
        try transaction.record(decision.event(try await AccountStore.account(decision.accountID, in: transaction)))
        let logged = LoggedDeed(
            id: ids.number(),
            moderatorID: nil,
            deed: deed,
            reportID: decision.reportID,
            decisionID: decision.id,
            accountID: decision.accountID,
            at: moment
        )
        DecisionStore.log(logged, in: transaction)
    }
}

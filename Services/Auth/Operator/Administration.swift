// SPDX-License-Identifier: Apache-2.0
// `auth admin create | promote | demote | delete`: who may do what to others here, and who is here no longer.

import Domain
import Events
import Logging
import Outbox
import Postgres
import ServiceKit
import Serving

/// Makes the first administrator, and gives roles to people who have signed up.
struct Administration: Sendable {
    enum Failure: Error, CustomStringConvertible {
        case usage
        case name(String)
        case email(String)
        case password(ValidationFault)
        case taken(name: Bool)
        case unknown(String)

        var description: String {
            switch self {
            case .usage:
                """
                usage: auth admin create NAME EMAIL [--password-stdin] | admin promote NAME [moderator|admin] \
                | admin demote NAME [user|moderator] | admin delete NAME
                """
            case .name(let name): "\(name.escaped()) cannot be a name: 1 to 30 letters, digits and underscores"
            case .email(let email): "\(email.escaped()) is no address of mail"
            case .password(let fault): "this password cannot be taken: \(fault.description(.english))"
            case .taken(name: true): "there is somebody of this name already: promote them"
            case .taken(name: false): "somebody else has this address of mail"
            case .unknown(let name): "there is no account \(name.escaped())"
            }
        }
    }

    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let logger: Logger

    @Sendable static func run(_ config: Config, logger: Logger, arguments: [String]) async throws {
        switch arguments.first {
        case "create" where arguments.count == 3:
            try await create(config, logger, arguments, password: nil)
        case "create" where arguments.count == 4 && arguments[3] == "--password-stdin":
            try await create(config, logger, arguments, password: readLine() ?? "")
        case let verb? where verb == "promote" || verb == "demote":
            // The usual one first.
            let roles: [Role] = verb == "promote" ? [.admin, .moderator] : [.user, .moderator]
            guard arguments.count == 2 || arguments.count == 3,
                let role = arguments.count == 2 ? roles.first : roles.first(where: { $0.rawValue == arguments[2] })
            else { throw Failure.usage }
            let changed = try await OperatorCommand.run(config, logger: logger) { database, ids in
                try await Administration(database: database, ids: ids, now: Timestamp.now, logger: logger)
                    .give(role, to: arguments[1])
            }
            print("\(arguments[1]) \(changed ? "is now" : "was already") \(role.rawValue)")
        case "delete" where arguments.count == 2:
            try await OperatorCommand.run(config, logger: logger) { database, ids in
                try await Administration(database: database, ids: ids, now: Timestamp.now, logger: logger)
                    .delete(arguments[1])
            }
            print("\(arguments[1]) is being deleted")
        case let verb? where RuleCommands.verbs.contains(verb): try await RuleCommands.run(config, logger, arguments)
        default: throw Failure.usage
        }
    }

    private static func create(
        _ config: Config,
        _ logger: Logger,
        _ arguments: [String],
        password: String?
    ) async throws {
        // 160 random bits, in letters that are easily copied.
        let chosen = password ?? Secret(bytes: Dependencies.systemRandomBytes(20)).text
        let hashing = try await PasswordHashing(threads: 1, queue: 1, memory: UInt32(config.passwordMemory))
        let account = try await OperatorCommand.run(config, logger: logger) { database, ids in
            try await Administration(database: database, ids: ids, now: Timestamp.now, logger: logger)
                .create(arguments[1], arguments[2], password: chosen, hashing: hashing)
        }
        print("\(arguments[1]) is an administrator: account \(account)")
        if password == nil { print("password: \(chosen)") }
    }

    /// Makes an account that is an administrator's. Names that are reserved are reserved for just that.
    func create(
        _ name: String,
        _ address: String,
        password: String,
        hashing: PasswordHashing
    ) async throws -> AccountID {
        guard let username = Username(name) else { throw Failure.name(name) }
        guard let email = EmailAddress(address) else { throw Failure.email(address) }
        let chosen: Password
        do throws(ValidationFault) {
            chosen = try Password.choosing(password, apartFrom: [name, String(email.local)])
        } catch {
            throw Failure.password(error)
        }
        let draft = SignUp.Draft(username: username, email: email, password: chosen, language: .english, reason: nil)
        let hash = try await hashing.hash(chosen, salt: Dependencies.systemRandomBytes(16))
        let (id, moment, audit) = (try ids.next() as AccountID, now(), audit)
        do {
            try await database.transaction { transaction in
                try await AccountStore.insert(id, draft.account, passwordHash: hash, now: moment, in: transaction)
                let version = try await AccountStore.give(.admin, to: id, in: transaction)
                try transaction.record(
                    AccountRegistered(accountID: id, username: username, language: draft.language, createdAt: moment)
                )
                if let version {
                    try transaction.record(RoleGiven(accountID: id, role: .admin, subjectVersion: version))
                }
                try audit.note(.signedUp, .init(account: id), in: transaction)
                try audit.note(.roleGiven, .init(account: id, detail: Role.admin.rawValue), in: transaction)
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            throw Failure.taken(name: error.constraint == AccountStore.usernameConstraint)
        }
        return id
    }

    /// Who may administer no longer is signed out wherever they could: gateways give up what they know of those tokens.
    ///
    /// - Returns: false when somebody has the role already.
    func give(_ role: Role, to name: String) async throws -> Bool {
        let plain = name.hasPrefix("@") ? name.dropFirst() : name[...]
        guard let username = Username(plain),
            let account = try await AccountStore.credentials(username: username, email: nil, in: database)?.id
        else { throw Failure.unknown(name) }
        let audit = audit
        return try await database.transaction { transaction in
            let version = try await AccountStore.give(role, to: account, in: transaction)
            let changed = version != nil
            if let version {
                try transaction.record(RoleGiven(accountID: account, role: role, subjectVersion: version))
                try audit.note(.roleGiven, .init(account: account, detail: role.rawValue), in: transaction)
            }
            if changed, role == .user {
                for session in try await transaction.end(.privileged(account)) {
                    try audit.note(.sessionEnded, .init(account: account, session: session.id), in: transaction)
                }
            }
            return changed
        }
    }

    /// Has an account deleted at once, without the grace that it has when its owner asks.
    func delete(_ name: String) async throws {
        let plain = name.hasPrefix("@") ? name.dropFirst() : name[...]
        guard let username = Username(plain),
            let account = try await AccountStore.credentials(username: username, email: nil, in: database)?.id
        else { throw Failure.unknown(name) }
        let (moment, audit) = (now(), audit)
        _ = try await database.transaction { transaction in
            try await Departures.ask(
                account,
                deletion: moment,
                audit,
                version: ids.number(),
                now: moment,
                in: transaction
            )
        }
    }

    private var audit: Audit {
        Audit(actor: "operator \(operatorName())", database: database, ids: ids, now: now, logger: logger)
    }
}

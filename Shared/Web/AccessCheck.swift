// SPDX-License-Identifier: Apache-2.0
// What a token must be for an endpoint: said once for services and gateway.

public import Domain
import HTTPTypes
public import Surface

extension Access {
    /// Throws what somebody is told who may not.
    ///
    /// - Parameters:
    ///   - scopes: what the token allows; nil without one.
    ///   - hasAccount: false for the token of an app alone.
    ///   - role: of the account.
    public func require(_ scopes: ScopeSet?, hasAccount: Bool, role: Role = .user) throws {
        switch self {
        case .anyone: return
        case .internal: throw Problem.notFound
        case .app(let scope): try Access.require(scope, in: scopes)
        case .account(let scope):
            guard let scopes else { throw Problem.unauthorized }
            guard hasAccount else { throw Problem(.unprocessableContent, "account-required") }
            try Access.require(scope, in: scopes)
        case .moderator(let scope):
            try Access.account(scope).require(scopes, hasAccount: hasAccount)
            guard role.moderates else { throw Problem.forbidden }
        }
    }

    /// Throws what somebody is told who may read, and change nothing.
    public func requireNotFrozen(_ isFrozen: Bool) throws {
        switch self {
        case .account(let scope?), .moderator(let scope?):
            if isFrozen, scope.changesSomething { throw Problem.accountFrozen }
        default: break
        }
    }

    private static func require(_ scope: Scope?, in scopes: ScopeSet?) throws {
        guard let scopes else { throw Problem.unauthorized }
        if let scope, !scopes.allows(scope) { throw Problem.forbidden(scope: scope) }
    }
}

extension Scope {
    /// Whether it is for what people make and do. What they say of others or of a decision, to moderators, is not.
    fileprivate var changesSomething: Bool {
        self != "write:reports"
            && (text == "follow" || text == "write" || text.hasPrefix("write:") || text.hasPrefix("admin:write"))
    }
}

extension Problem {
    public static var accountFrozen: Problem { Problem(.forbidden, "account-frozen") }
    public static var accountSuspended: Problem { Problem(.forbidden, "account-suspended") }
}

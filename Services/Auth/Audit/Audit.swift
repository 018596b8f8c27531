// SPDX-License-Identifier: Apache-2.0
// What is done to accounts, by whom and from where: noted in the transaction of the act, and logged after it.

import Domain
import Foundation
import Logging
import Postgres
import Web

/// Who acts, from where. What it notes is never changed, and forgotten after `Limits.audit`.
struct Audit: Sendable {
    /// Kinds of acts; the raw values are what operators read and search for.
    enum Act: String, CaseIterable, Sendable {
        case signedUp = "signed_up"
        case signedIn = "signed_in"
        case signInFailed = "sign_in_failed"
        /// Tries are refused from here on, for the rest of the window.
        case signInLocked = "sign_in_locked"
        case passwordChanged = "password_changed"
        case sessionEnded = "session_ended"
        case refreshReused = "refresh_reused"
        case refreshRepeated = "refresh_repeated"
        case codeReused = "code_reused"
        case appAllowed = "app_allowed"
        case appRegistered = "app_registered"
        case appsDeleted = "apps_deleted"
        case roleGiven = "role_given"
        /// What an account is kept from has changed.
        case restricted
        case identityLinked = "identity_linked"
        case identityUnlinked = "identity_unlinked"
        /// The issuer says that somebody has ended it there.
        case identityRevoked = "identity_revoked"
        /// What an issuer gave was given back to it, or could not be.
        case issuerTokenRevoked = "issuer_token_revoked"
        /// It is to be deleted, its owner came back before that, or it was.
        case accountLeaving = "account_leaving"
        case accountStayed = "account_stayed"
        case accountDeleted = "account_deleted"
        case emailConfirmed = "email_confirmed"
        case termBlocked = "term_blocked"
        case termUnblocked = "term_unblocked"
        case domainBlocked = "domain_blocked"
        case documentPublished = "document_published"
    }

    /// What an act is about.
    struct Subject: Sendable {
        var account: AccountID?
        var session: SessionID?
        var app: AppID?
        /// A few words; what a client wrote in it is escaped.
        var detail = ""
    }

    let actor: String
    let address: String
    private let database: Database
    private let ids: IDGenerator
    private let now: @Sendable () -> Timestamp
    private let logger: Logger

    init(_ request: Request, _ dependencies: Dependencies) {
        if let account = request.principal?.account {
            actor = "account \(account.id)"
        } else if let app = request.principal?.appID {
            actor = "app \(app)"
        } else {
            actor = "nobody"
        }
        address = request.clientIP
        (database, ids) = (dependencies.database, dependencies.ids)
        (now, logger) = (dependencies.now, dependencies.logger)
    }

    /// What this place does by itself, and what its operator does at its command line.
    init(
        actor: String,
        database: Database,
        ids: IDGenerator,
        now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        (self.actor, address) = (actor, "")
        (self.database, self.ids, self.now, self.logger) = (database, ids, now, logger)
    }

    /// The same of a running service.
    init(actor: String, _ dependencies: Dependencies) {
        (self.actor, address) = (actor, "")
        (database, ids) = (dependencies.database, dependencies.ids)
        (now, logger) = (dependencies.now, dependencies.logger)
    }

    private init(_ other: Audit, actor: String) {
        (self.actor, address) = (actor, other.address)
        (database, ids, now, logger) = (other.database, other.ids, other.now, other.logger)
    }

    /// The same place, and somebody who has proven who they are since.
    func by(_ account: AccountID) -> Audit { Audit(self, actor: "account \(account)") }
    func by(app: AppID) -> Audit { Audit(self, actor: "app \(app)") }

    /// Notes an act with the transaction that does it.
    func note(_ act: Act, _ subject: Subject, in transaction: Transaction) throws {
        let note = try note(act, subject)
        AuditStore.insert(note, in: transaction)
        let logger = logger
        transaction.afterCommit { note.log(to: logger) }
    }

    /// Notes an act of which there may be many: one row a `bucket`, which counts.
    func count(_ act: Act, _ subject: Subject, bucket: String, in transaction: Transaction) throws {
        count(try note(act, subject), bucket: bucket, in: transaction)
    }

    /// The same for what no transaction does, such as a wrong password.
    func count(_ act: Act, _ subject: Subject, bucket: String) async throws {
        let note = try note(act, subject)
        try await database.transaction { count(note, bucket: bucket, in: $0) }
        note.log(to: logger)
    }

    private func count(_ note: AuditStore.Note, bucket: String, in transaction: Transaction) {
        AuditStore.count(note, bucket: Secret.hash("\(note.act) \(bucket)"), in: transaction)
    }

    /// The start of the window that a moment lies in.
    static func window(_ now: Timestamp, _ length: Duration) -> Int64 {
        now.seconds / max(1, length.components.seconds)
    }

    private func note(_ act: Act, _ subject: Subject) throws -> AuditStore.Note {
        AuditStore.Note(
            id: try ids.next(),
            at: now(),
            act: act.rawValue,
            actor: actor,
            account: subject.account,
            session: subject.session,
            app: subject.app,
            address: address,
            detail: subject.detail.escaped()
        )
    }
}

extension AuditStore.Note {
    /// One line; the log writes no character of control as it is.
    fileprivate func log(to logger: Logger) {
        var metadata: Logger.Metadata = ["act": "\(act)", "actor": "\(actor)", "address": "\(address)"]
        if let account { metadata["account_id"] = "\(account)" }
        if let session { metadata["session_id"] = "\(session)" }
        if let app { metadata["app_id"] = "\(app)" }
        if !detail.isEmpty { metadata["detail"] = "\(detail)" }
        logger.notice("Audit", metadata: metadata)
    }
}

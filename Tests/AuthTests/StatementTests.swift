// SPDX-License-Identifier: Apache-2.0
// Every statement of auth.

import Domain
import Outbox
import Postgres
import Serving
import Support
import Testing

@testable import AuthService

@Suite struct StatementTests {
    @Test func everyFunctionOfAStoreIsCalled() throws { try Self.catalogue.expectComplete() }

    @Test func everyStatementIsAsAgreedAndWalksAnIndex() async throws {
        try await Self.catalogue.expectStatements(migrations: AuthService.migrations, schema: "auth")
    }

    private static let now = Timestamp.now()
    private static let account = AccountID(7)
    private static let session = SessionID(8)
    private static let app = AppID(18)
    private static let email = EmailAddress("person7@example.com")
    private static let scopes = ScopeSet(["read"])

    /// As the rows have them.
    private static func hash(_ number: UInt8) -> [UInt8] { Array(repeating: 0, count: 31) + [number] }

    private static let catalogue: StatementCatalogue = {
        var catalogue = StatementCatalogue("Auth")
        accounts(&catalogue)
        audit(&catalogue)
        exported(&catalogue)
        issuers(&catalogue)
        mail(&catalogue)
        oauth(&catalogue)
        sessions(&catalogue)
        departures(&catalogue)
        rules(&catalogue)
        return catalogue
    }()

    private static func accounts(_ call: inout StatementCatalogue) {
        call("AccountStore.credentials(username:email:in:)") {
            _ = try await AccountStore.credentials(username: nil, email: email, in: $0)
        }
        call("AccountStore.credentials(_:in:)") { _ = try await AccountStore.credentials(account, in: $0) }
        call("AccountStore.identity(_:in:)") { _ = try await AccountStore.identity(account, in: $0) }
        call("AccountStore.identity(of:now:in:)") {
            _ = try await AccountStore.identity(of: session, now: now, in: $0)
        }
        call("AccountStore.registered(after:in:)", walks: "accounts_pkey") {
            _ = try await AccountStore.registered(after: Teller.Place(limit: 250), in: $0)
        }
        call("AccountStore.role(of:in:)") { _ = try await AccountStore.role(of: account, in: $0) }
        call("AccountStore.roles(after:in:)", walks: "accounts_role") {
            _ = try await AccountStore.roles(after: Teller.Place(limit: 250), in: $0)
        }
        call("AccountStore.give(_:to:in:)") { _ = try await AccountStore.give(.moderator, to: account, in: $0) }
        call("AccountStore.lock(_:in:)") { _ = try await AccountStore.lock(account, in: $0) }
        call("AccountStore.share(_:in:)") { AccountStore.share(account, in: $0) }
        call("AccountStore.taken(username:email:in:)") {
            _ = try await AccountStore.taken(username: nil, email: #require(email), in: $0)
        }
        call("AccountStore.insert(_:_:passwordHash:now:in:)") {
            let draft = AccountStore.Draft(
                username: try #require(Username("somebody")),
                email: EmailAddress("somebody@example.com"),
                language: .korean
            )
            try await AccountStore.insert(AccountID(30_000), draft, passwordHash: "hash", now: now, in: $0)
        }
        call("AccountStore.rehash(_:from:to:in:)") {
            try await AccountStore.rehash(account, from: "hash7", to: "new", in: $0)
        }
        call("AccountStore.changePassword(_:from:to:now:in:)") {
            _ = try await AccountStore.changePassword(account, from: "hash7", to: "new", now: now, in: $0)
        }
        call("AttemptStore.count(_:now:cutoff:in:)") {
            _ = try await AttemptStore.count(["account:7"], now: now, cutoff: now, in: $0)
        }
        call("AttemptStore.giveBack(_:in:)") { try await AttemptStore.giveBack(["account:7"], in: $0) }
        call("DeviceStore.isKnown(_:of:in:)") { _ = try await DeviceStore.isKnown(hash(7), of: account, in: $0) }
        call("DeviceStore.remember(_:of:now:in:)") { DeviceStore.remember(hash(7), of: account, now: now, in: $0) }
        call("DeviceStore.forget(of:keeping:in:)") { DeviceStore.forget(of: account, keeping: 0, in: $0) }
        call("DeviceStore.aged", walks: "known_devices_seen") {
            _ = try await DeviceStore.aged.forget(before: now, in: $0)
        }
        call("AttemptStore.aged") { _ = try await AttemptStore.aged.forget(before: now, in: $0) }
    }

    private static func rules(_ call: inout StatementCatalogue) {
        let (id, domain, today) = (BlockedTermID(7), BlockedDomainID(7), Day(now))
        call("BlockedTermStore.hold(in:)") { BlockedTermStore.hold(in: $0) }
        call("BlockedTermStore.find(_:in:)", "by id") { _ = try await BlockedTermStore.find(id, in: $0) }
        call("BlockedTermStore.find(_:in:)", "by text", walks: "blocked_terms_text") {
            _ = try await BlockedTermStore.find("word7", in: $0)
        }
        call("BlockedTermStore.list(after:limit:in:)") {
            _ = try await BlockedTermStore.list(after: 0, limit: 10, in: $0)
        }
        call("BlockedTermStore.isFull(_:in:)") { _ = try await BlockedTermStore.isFull(10, in: $0) }
        call("BlockedDomainStore.find(_:in:)", "by id") { _ = try await BlockedDomainStore.find(domain, in: $0) }
        call("BlockedDomainStore.find(_:in:)", "by name", walks: "blocked_domains_domain") {
            _ = try await BlockedDomainStore.find(try #require(HostName("d7.example")), in: $0)
        }
        call("BlockedDomainStore.list(after:limit:in:)") {
            _ = try await BlockedDomainStore.list(after: 0, limit: 10, in: $0)
        }
        for use in DomainUse.allCases {
            call("BlockedDomainStore.list(for:after:limit:in:)", use.rawValue) {
                _ = try await BlockedDomainStore.list(for: use, after: 0, limit: 10, in: $0)
            }
        }
        call("BlockedDomainStore.isFull(_:in:)") { _ = try await BlockedDomainStore.isFull(10, in: $0) }
        call("DocumentStore.hold(in:)") { DocumentStore.hold(in: $0) }
        call("DocumentStore.insert(_:_:at:in:)") {
            let draft = try Document.Draft(
                kind: .rules,
                texts: [.english: "a"],
                effective: today.advanced(by: 100),
                graceDays: 1,
                today: today
            )
            _ = try await DocumentStore.insert(DocumentID(30_000), draft, at: now, in: $0)
        }
        call("DocumentStore.insert(_:_:of:in:)") { DocumentStore.insert("a", .korean, of: DocumentID(7), in: $0) }
        call("DocumentStore.list(_:before:limit:in:)", walks: "documents_key") {
            _ = try await DocumentStore.list(.rules, before: 10, limit: 10, in: $0)
        }
        call("DocumentStore.lastDay(_:in:)", walks: "documents_day") {
            _ = try await DocumentStore.lastDay(.rules, in: $0)
        }
        call("DocumentStore.inForce(_:on:in:)", walks: "documents_day") {
            _ = try await DocumentStore.inForce(.rules, on: today, in: $0)
        }
        call("DocumentStore.texts(of:in:)") { _ = try await DocumentStore.texts(of: DocumentID(7), in: $0) }
        call("ConsentStore.give(by:way:on:at:in:)") {
            ConsentStore.give(by: account, way: .app, on: today, at: now, in: $0)
        }
        call("ConsentStore.due(from:on:in:)", walks: "documents_day") {
            _ = try await ConsentStore.due(from: account, on: today, in: $0)
        }
        call("ConsentStore.list(of:in:)", walks: "consents_pkey") {
            _ = try await ConsentStore.list(of: account, in: $0)
        }
    }

    private static func audit(_ call: inout StatementCatalogue) {
        let note = AuditStore.Note(
            id: ID(30_000),
            at: now,
            act: "signed_in",
            actor: "nobody",
            account: account,
            session: nil,
            app: nil,
            address: "",
            detail: ""
        )
        call("AuditStore.insert(_:in:)") { AuditStore.insert(note, in: $0) }
        call("AuditStore.count(_:bucket:in:)") { AuditStore.count(note, bucket: hash(7), in: $0) }
        call("AuditStore.page(of:after:limit:in:)", "of all", walks: "audit_pkey") {
            _ = try await AuditStore.page(of: nil, after: ID(0), limit: 10, in: $0)
        }
        call("AuditStore.page(of:after:limit:in:)", "of an account", walks: "audit_account") {
            _ = try await AuditStore.page(of: account, after: ID(0), limit: 10, in: $0)
        }
        call("AuditStore.purge(before:in:)", walks: "audit_at") { _ = try await AuditStore.purge(before: now, in: $0) }
    }

    private static func mail(_ call: inout StatementCatalogue) {
        let letter = "00000000-0000-7000-8000-000000000007"
        call("AccountStore.addressee(of:in:)") {
            _ = try await AccountStore.addressee(of: "person7@example.com", in: $0)
        }
        call("AccountStore.isUnconfirmed(_:in:)") { _ = try await AccountStore.isUnconfirmed(account, in: $0) }
        call("AccountStore.confirm(_:_:in:)") {
            _ = try await AccountStore.confirm(account, "person7@example.com", in: $0)
        }
        call("AccountStore.correct(_:to:in:)") {
            try await AccountStore.correct(account, to: #require(EmailAddress("other@example.com")), in: $0)
        }
        call("AttemptStore.forget(_:in:)") { try await AttemptStore.forget("account:7", in: $0) }
        call("LetterStore.insert(_:_:to:at:waiting:in:)", walks: "letters_recipient") {
            try await LetterStore.insert(EventID.new(), .deleted, to: account, at: now, in: $0)
        }
        call("LetterStore.insert(_:_:to:_:at:in:)", walks: "letters_recipient") {
            let address = try #require(email)
            try await LetterStore.insert(EventID.new(), .passwordReset, to: address, .korean, at: now, in: $0)
        }
        call("LetterStore.bringDeleted(to:at:in:)", walks: "letters_account") {
            LetterStore.bringDeleted(to: AccountID(8), at: Timestamp(milliseconds: 0), in: $0)
        }
        call("LetterStore.claim(most:at:lease:in:)", walks: "letters_due") {
            _ = try await LetterStore.claim(most: 4, at: now, lease: later, in: $0)
        }
        call("LetterStore.putOff(_:until:because:in:)") {
            try await LetterStore.putOff(letter, until: later, because: "451", in: $0)
        }
        call("LetterStore.end(_:_:because:at:in:)") {
            _ = try await LetterStore.end(letter, .refused, because: "550 5.1.1", at: now, in: $0)
        }
        call("LetterStore.waiting(in:)", walks: "letters_due") { _ = try await LetterStore.waiting(in: $0) }
        call("LetterStore.aged", walks: "letters_ended") {
            _ = try await LetterStore.aged.forget(before: now, in: $0)
        }
        call("LetterStore.unsent", walks: "letters_due") {
            _ = try await LetterStore.unsent.forget(before: now, in: $0)
        }
        let link = LinkStore.Draft(
            accountID: account,
            purpose: .confirmation,
            hash: [1],
            letterID: letter,
            asked: now,
            address: "person7@example.com",
            expires: later
        )
        call("LinkStore.keep(_:in:)") { _ = try await LinkStore.keep(link, in: $0) }
        call("LinkStore.link(_:for:now:in:)") {
            _ = try await LinkStore.link(hash(7), for: .confirmation, now: now, in: $0)
        }
        call("LinkStore.use(_:for:now:in:)") {
            _ = try await LinkStore.use(hash(7), for: .confirmation, now: now, in: $0)
        }
        call("LinkStore.aged", walks: "mail_links_expiry") {
            _ = try await LinkStore.aged.forget(before: later, in: $0)
        }
    }

    private static let issuer = "https://issuer.example"
    private static let sealed = SealedToken(client: "app", bytes: [1])

    private static func issuers(_ call: inout StatementCatalogue) {
        identities(&call)
        newcomers(&call)
        let visit = VisitStore.Visit(
            issuer: issuer,
            browserHash: [1],
            returnTo: nil,
            name: nil,
            expires: now,
            accountID: nil
        )
        call("VisitStore.insert(_:_:in:)") { try await VisitStore.insert([1], visit, in: $0) }
        call("VisitStore.keep(name:of:issuer:now:in:)") {
            _ = try await VisitStore.keep(name: "Mina", of: hash(7), issuer: issuer, now: now, in: $0)
        }
        call("VisitStore.take(_:issuer:browser:now:in:)") {
            _ = try await VisitStore.take(hash(7), issuer: issuer, browser: hash(7), now: now, in: $0)
        }
        call("VisitStore.forget(issuer:browser:now:in:)", walks: "issuer_visits_browser") {
            try await VisitStore.forget(issuer: issuer, browser: hash(7), now: later, in: $0)
        }
        call("VisitStore.aged", walks: "issuer_visits_expiry") {
            _ = try await VisitStore.aged.forget(before: later, in: $0)
        }
        call("VisitStore.agedNames", walks: "issuer_visits_expiry") {
            _ = try await VisitStore.agedNames.forget(before: later, in: $0)
        }
        call("TakenTokenStore.take(_:until:in:)") { _ = try await TakenTokenStore.take([1], until: now, in: $0) }
        call("TakenTokenStore.aged", walks: "taken_tokens_expiry") {
            _ = try await TakenTokenStore.aged.forget(before: later, in: $0)
        }
        let identity = IdentityStore.Linked(
            id: IdentityID(7),
            accountID: account,
            issuer: issuer,
            subject: "subject7",
            email: nil,
            mailArrives: true,
            client: "app",
            sealedToken: [1],
            linked: now,
            lastUsed: now
        )
        call("RevocationStore.ask(_:of:now:in:)") {
            try await RevocationStore.ask(RevocationID(30_000), of: identity, now: now, in: $0)
        }
        call("RevocationStore.claim(at:in:)", walks: "issuer_revocations_due") {
            _ = try await RevocationStore.claim(at: now, in: $0)
        }
        call("RevocationStore.end(_:in:)") { try await RevocationStore.end(RevocationID(7), in: $0) }
    }

    /// When what the rows have is over.
    private static let later = now + .seconds(200 * 365 * 86_400)

    private static func identities(_ call: inout StatementCatalogue) {
        call("IdentityStore.insert(_:now:in:)") {
            let identity = IdentityStore.Draft(
                id: IdentityID(30_000),
                accountID: account,
                issuer: issuer,
                subject: "new",
                email: email
            )
            try await IdentityStore.insert(identity, now: now, in: $0)
        }
        call("IdentityStore.use(issuer:subject:email:token:now:in:)") {
            _ = try await IdentityStore.use(
                issuer: issuer,
                subject: "subject7",
                email: nil,
                token: nil,
                now: now,
                in: $0
            )
        }
        for named in IdentityStore.Named.allCases {
            call("IdentityStore.keep(_:of:issuer:subject:in:)", "\(named)") {
                try await IdentityStore.keep(sealed, of: named, issuer: issuer, subject: "subject7", in: $0)
            }
        }
        call("IdentityStore.list(of:in:)", walks: "identities_account") {
            _ = try await IdentityStore.list(of: account, in: $0)
        }
        call("IdentityStore.find(issuer:subject:in:)") {
            _ = try await IdentityStore.find(issuer: issuer, subject: "subject7", in: $0)
        }
        call("IdentityStore.delete(_:in:)") { try await IdentityStore.delete(IdentityID(7), in: $0) }
        call("IdentityStore.dropToken(_:in:)") { try await IdentityStore.dropToken(IdentityID(7), in: $0) }
        call("IdentityStore.note(mailArrives:to:at:in:)") {
            _ = try await IdentityStore.note(mailArrives: false, to: IdentityID(7), at: now, in: $0)
        }
    }

    private static func newcomers(_ call: inout StatementCatalogue) {
        call("NewcomerStore.keep(_:issuer:subject:email:name:sealed:until:in:)") {
            _ = try await NewcomerStore.keep(
                NewcomerID(30_000),
                issuer: issuer,
                subject: "new",
                email: email,
                name: nil,
                sealed: nil,
                until: now,
                in: $0
            )
        }
        call("NewcomerStore.newcomer(_:in:)") { _ = try await NewcomerStore.newcomer(NewcomerID(7), in: $0) }
        call("NewcomerStore.take(_:in:)") { _ = try await NewcomerStore.take(NewcomerID(7), in: $0) }
        call("NewcomerStore.forget(issuer:subject:in:)") {
            try await NewcomerStore.forget(issuer: issuer, subject: "subject7", in: $0)
        }
        call("NewcomerStore.aged", walks: "newcomers_expiry") {
            _ = try await NewcomerStore.aged.forget(before: later, in: $0)
        }
    }

    private static func oauth(_ call: inout StatementCatalogue) {
        call("AppStore.insert(_:now:in:)") {
            let app = App(
                id: AppID(30_000),
                clientID: "new",
                secretHash: nil,
                name: "New",
                website: nil,
                scopes: scopes,
                redirectURIs: [],
                isFirstParty: false
            )
            try await AppStore.insert(app, now: now, in: $0)
        }
        call("AppStore.app(clientID:in:)") { _ = try await AppStore.app(clientID: "app18", in: $0) }
        call("AppStore.app(_:in:)") { _ = try await AppStore.app(app, in: $0) }
        call("AppStore.touch(_:now:in:)") { AppStore.touch(app, now: now, in: $0) }
        call("AppStore.purge(neverUsedBefore:unusedBefore:in:)") {
            _ = try await AppStore.purge(neverUsedBefore: now, unusedBefore: now, in: $0)
        }
        call("CodeStore.insert(_:app:account:redirectURI:scopes:challenge:expires:in:)") {
            try await CodeStore.insert(
                [1],
                app: app,
                account: account,
                redirectURI: "",
                scopes: scopes,
                challenge: nil,
                expires: now,
                in: $0
            )
        }
        call("CodeStore.lock(_:in:)") { _ = try await CodeStore.lock(hash(7), in: $0) }
        call("CodeStore.use(_:for:now:in:)") { try await CodeStore.use(hash(7), for: session, now: now, in: $0) }
        call("CodeStore.deleteUnused(of:in:)", walks: "authorization_codes_account") {
            try await CodeStore.deleteUnused(of: account, in: $0)
        }
        call("CodeStore.aged") { _ = try await CodeStore.aged.forget(before: now, in: $0) }
    }

    private static func sessions(_ call: inout StatementCatalogue) {
        call("RefreshTokenStore.insert(family:current:session:expires:rotates:in:)") {
            try await RefreshTokenStore.insert(
                family: [1],
                current: [2],
                session: session,
                expires: now,
                rotates: true,
                in: $0
            )
        }
        call("RefreshTokenStore.lock(_:in:)") { _ = try await RefreshTokenStore.lock(hash(7), in: $0) }
        call("RefreshTokenStore.rotate(_:to:predecessor:expires:in:)") {
            try await RefreshTokenStore.rotate(hash(7), to: [1], predecessor: nil, expires: now, in: $0)
        }
        call("SessionStore.insert(_:now:in:)") {
            let draft = SessionStore.Draft(
                id: SessionID(50_000),
                accountID: account,
                appID: app,
                scopes: scopes,
                device: "",
                expires: nil
            )
            try await SessionStore.insert(draft, now: now, in: $0)
        }
        call("SessionStore.insertAccessToken(_:of:now:expires:isSeen:in:)") {
            try await SessionStore.insertAccessToken([1], of: session, now: now, expires: nil, in: $0)
        }
        call("SessionStore.insertCookie(_:of:in:)") { try await SessionStore.insertCookie([1], of: session, in: $0) }
        call("SessionStore.see(token:now:in:)") { _ = try await SessionStore.see(token: hash(7), now: now, in: $0) }
        call("SessionStore.withdrawUnseen(token:in:)") {
            _ = try await SessionStore.withdrawUnseen(token: hash(7), in: $0)
        }
        call("SessionStore.holder(ofToken:now:in:)") {
            _ = try await SessionStore.holder(ofToken: hash(7), now: now, in: $0)
        }
        call("SessionStore.touch(_:now:in:)") { try await SessionStore.touch(session, now: now, in: $0) }
        call("SessionStore.extend(_:until:now:in:)") {
            try await SessionStore.extend(session, until: now, now: now, in: $0)
        }
        call("SessionStore.signedIn(cookie:now:in:)") {
            _ = try await SessionStore.signedIn(cookie: hash(8), now: now, in: $0)
        }
        call("SessionStore.list(of:now:in:)", walks: "sessions_account") {
            _ = try await SessionStore.list(of: account, now: now, in: $0)
        }
        let endings: [(String, SessionStore.Ending)] = [
            ("one", .one(session)), ("one of an account", .oneOf(AccountID(8), session)),
            ("all", .all(account, except: nil)), ("of a token", .token(hash(8), family: hash(8), app)),
            ("of a cookie", .cookie(hash(8))), ("that administer", .privileged(AccountID(8))),
        ]
        for (name, ending) in endings {
            call("SessionStore.end(_:in:)", name) { _ = try await SessionStore.end(ending, in: $0) }
        }
        call("SessionStore.agedTokens") {
            _ = try await SessionStore.agedTokens.forget(before: now + .seconds(1_000_000_000_000), in: $0)
        }
        call("SessionStore.nextEnd(ofUnusedApps:ofUnused:in:)", walks: "sessions_expiry") {
            _ = try await SessionStore.nextEnd(ofUnusedApps: .seconds(1), ofUnused: .seconds(1), in: $0)
        }
        call("SessionStore.purge(now:unusedAppsBefore:unusedBefore:in:)") {
            _ = try await SessionStore.purge(now: now, unusedAppsBefore: now, unusedBefore: now, in: $0)
        }
    }

    private static func exported(_ call: inout StatementCatalogue) {
        let place = ExportPlace(of: account, limit: 100)
        call("ExportedStore.account(_:in:)") { _ = try await ExportedStore.account(account, in: $0) }
        call("ExportedStore.sessions", walks: "sessions_account") {
            _ = try await ExportedStore.sessions.texts(place, in: $0)
        }
        call("ExportedStore.identities", walks: "identities_account") {
            _ = try await ExportedStore.identities.texts(place, in: $0)
        }
        call("ExportedStore.consents(_:in:)", walks: "consents_pkey") {
            _ = try await ExportedStore.consents(place, in: $0)
        }
        call("ExportedStore.audit(_:in:)", walks: "audit_account") {
            _ = try await ExportedStore.audit(place, in: $0)
        }
    }
}

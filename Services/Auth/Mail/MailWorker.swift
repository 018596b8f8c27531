// SPDX-License-Identifier: Apache-2.0
// Sends the letters that are due.

import Domain
import Logging
import Outbound
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization
import WebPages

/// Every copy of the process takes part; a letter that one leaves in the middle, another sends again when its lease ends, under the same
/// Message-ID and with the same words.
struct MailWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics

    /// Letters that are on their way at a time, by a process.
    private static let most = 4
    /// How long something waits that was just written, or that was put off.
    private static let pause = Duration.seconds(1)
    /// Of one letter; less than a process is given to stop.
    private static let time = Duration.seconds(25)
    private static let lease = Duration.seconds(60)

    func run() async throws {
        let isOn = dependencies.mail != nil
        metrics.gauge("madang_mail_on", help: "Whether a server takes letters.") { isOn ? 1 : 0 }
        guard isOn else { return try await gracefulShutdown() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await cancelWhenGracefulShutdown { await countWaiting() } }
            group.addTask { await work() }
        }
    }

    /// What is on its way goes on when the process is asked to stop.
    private func work() async {
        await takeTurns(pausing: MailWorker.pause, orSaying: "letters wait", to: dependencies.logger) {
            try await step() > 0
        }
    }

    /// Sends the next few. Returns how many it took.
    @discardableResult
    func step() async throws -> Int {
        guard let mail = dependencies.mail else { return 0 }
        let now = dependencies.now()
        let letters = try await LetterStore.claim(
            most: MailWorker.most,
            at: now,
            lease: now + MailWorker.lease,
            in: dependencies.database
        )
        await withTaskGroup(of: Void.self) { group in
            for letter in letters { group.addTask { await fly(letter, by: mail) } }
        }
        return letters.count
    }

    private func fly(_ letter: LetterStore.Waiting, by mail: MailSettings) async {
        do {
            try await send(letter, by: mail)
        } catch {
            // Another takes it when the lease ends.
            dependencies.logger.warning("a letter waits", metadata: ["letter": "\(letter.id)", "error": "\(error)"])
        }
    }

    // MARK: One letter

    /// To whom, and what about.
    private struct Addressee {
        let account: AccountID?
        let username: String?
        let language: Language
    }

    private func send(_ waiting: LetterStore.Waiting, by mail: MailSettings) async throws {
        let now = dependencies.now()
        guard waiting.expires > now else { return try await end(waiting, .expired, because: waiting.reason) }
        guard let letter = waiting.letter?.asLetter, let address = waiting.address else {
            return try await putOff(waiting, because: "not readable", mail)
        }
        guard let addressee = try await addressee(of: waiting, letter, address) else {
            return try await end(waiting, .unknown, because: nil)
        }
        var secret: String?
        if let lasts = letter.kind.linkLasts, let account = addressee.account {
            let text = LetterSecret.text(of: waiting.id, dependencies)
            let link = LinkStore.Draft(
                accountID: account,
                purpose: letter.kind,
                hash: Secret.hash(text),
                letterID: waiting.id,
                asked: waiting.created,
                address: address,
                expires: now + lasts
            )
            do {
                guard try await LinkStore.keep(link, in: dependencies.database) else {
                    return try await end(waiting, .superseded, because: nil)
                }
            } catch let error as PostgresError where error.sqlState == "23503" {
                return try await end(waiting, .unknown, because: nil)
            }
            secret = text
        }
        let words = LetterWords(
            letter,
            to: addressee.username,
            in: addressee.language,
            link: secret,
            site: dependencies.site
        )
        let document = LetterDocument(
            id: waiting.id,
            from: mail.from,
            to: address,
            language: addressee.language,
            words: words,
            date: waiting.created
        )
        let message = MailMessage(sender: mail.from.address.text, recipient: address, text: document.text)
        switch await dependencies.deliver(message, MailWorker.time) {
        case .accepted:
            Failpoint.reach("mail.accepted")
            try await end(waiting, .sent, because: nil)
        case .refused(let reason): try await end(waiting, .refused, because: reason)
        case .later(let reason): try await putOff(waiting, because: reason, mail)
        }
    }

    /// Nil where nobody has the address, or needs the letter any more.
    private func addressee(
        of waiting: LetterStore.Waiting,
        _ letter: Letter,
        _ address: String
    ) async throws -> Addressee? {
        let language = Language(rawValue: waiting.language) ?? .english
        switch letter {
        case .passwordReset:
            // Whoever has no password comes in by others, and an address that those told opens nothing.
            guard
                let found = try await AccountStore.addressee(of: address, in: dependencies.database),
                found.hasPassword, waiting.accountID == nil || waiting.accountID == found.id
            else { return nil }
            return Addressee(
                account: found.id,
                username: found.username.text,
                language: Language(rawValue: found.language) ?? language
            )
        case .confirmation:
            guard let found = try await AccountStore.addressee(of: address, in: dependencies.database),
                found.id == waiting.accountID, found.isUnconfirmed
            else { return nil }
            return Addressee(account: found.id, username: found.username.text, language: language)
        default: return Addressee(account: waiting.accountID, username: waiting.username, language: language)
        }
    }

    private func end(
        _ letter: LetterStore.Waiting,
        _ outcome: LetterStore.Outcome,
        because reason: String?
    ) async throws {
        let isEnded = try await LetterStore.end(
            letter.id,
            outcome,
            because: reason,
            at: dependencies.now(),
            in: dependencies.database
        )
        guard isEnded else { return }
        count(outcome).add()
        if outcome == .refused || outcome == .expired {
            dependencies.logger.warning(
                "a letter did not arrive",
                metadata: ["letter": "\(letter.id)", "outcome": "\(outcome.rawValue)", "reason": "\(reason ?? "")"]
            )
        }
    }

    private func putOff(_ letter: LetterStore.Waiting, because reason: String, _ mail: MailSettings) async throws {
        let pause = BackOff.pause(
            after: letter.tries - 1,
            first: mail.firstPause,
            longest: MailSettings.longestPause
        )
        dependencies.logger.notice(
            "a letter is sent again later",
            metadata: ["letter": "\(letter.id)", "tries": "\(letter.tries)", "reason": "\(reason)"]
        )
        // Once more at its end, so that it ends in time.
        try await LetterStore.putOff(
            letter.id,
            until: min(dependencies.now() + pause, letter.expires),
            because: reason,
            in: dependencies.database
        )
    }

    // MARK: Measurements

    private func count(_ outcome: LetterStore.Outcome) -> Counter {
        metrics.counter(
            "madang_mail_ended_total",
            help: "Letters that were sent, or will not be.",
            labels: [("outcome", outcome.rawValue)]
        )
    }

    private func countWaiting() async {
        for outcome in LetterStore.Outcome.allCases { count(outcome).add(0) }
        let (waiting, oldest) = (Gauge(), Gauge())
        metrics.gauge("madang_mail_waiting", help: "Letters that have not been sent.") { waiting.value }
        metrics.gauge("madang_mail_oldest_seconds", help: "How long the first of them has waited.") { oldest.value }
        await repeatedly(every: .seconds(10), orSaying: "waiting letters are not counted", to: dependencies.logger) {
            let (count, since) = try await LetterStore.waiting(in: dependencies.database)
            waiting.set(count)
            oldest.set(since.map { Int(max(0, (dependencies.now() - $0).components.seconds)) } ?? 0)
        }
    }

    private final class Gauge: Sendable {
        private let number = Atomic(0)

        var value: Double { Double(number.load(ordering: .relaxed)) }

        func set(_ value: Int) { number.store(value, ordering: .relaxed) }
    }
}

/// What stands in the link of a letter: made of its id under a key of ours whenever it goes, so that it is kept nowhere.
enum LetterSecret {
    static func text(of letter: String, _ dependencies: Dependencies) -> String {
        dependencies.browserKey.code("letter:\(letter)")
    }
}

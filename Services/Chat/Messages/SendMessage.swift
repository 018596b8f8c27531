// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/messages: somebody says something.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import ServiceKit
import Serving
import Views
import Web

/// Stores a message once, however often a request with the same client_id comes, and tells everybody.
enum SendMessage {
    private static let idempotencyKey = HTTPField.Name.own("Idempotency-Key")

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let channel: ChannelID = try request.id()
        let key = request.headers[idempotencyKey]
        let draft = try draft(of: try request.parameters(), idempotencyKey: key, dependencies)
        try await EnsureAccount.run(account, dependencies)
        let outcomes = try await send([draft], to: channel, as: account.id, dependencies)
        return try await answers(outcomes, dependencies)[0]
    }

    static func draft(
        of parameters: Parameters,
        idempotencyKey: String? = nil,
        _ dependencies: Dependencies
    ) throws -> Message.Draft {
        try refuseFiles(parameters)
        return try Message.Draft(parameters, idempotencyKey: idempotencyKey, limits: dependencies.limits)
    }

    /// Stores one of several messages.
    static func answer(
        to message: Parameters,
        in channel: ChannelID,
        as author: AccountID,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let outcomes = try await send([draft(of: message, dependencies)], to: channel, as: author, dependencies)
        return try await answers(outcomes, dependencies)[0]
    }

    static func answers(_ outcomes: [Outcome], _ dependencies: Dependencies) async throws -> [Answer] {
        var answers: [Answer] = []
        for outcome in outcomes {
            switch outcome {
            case .sent(let message):
                answers.append(.json(MessageView(message: message, site: dependencies.site), status: .created))
            case .repeated(let id):
                let message = try await MessageStore.row(id, in: dependencies.database).found()
                answers.append(.json(MessageView(message: message, site: dependencies.site)))
            }
        }
        return answers
    }

    enum Outcome: Sendable {
        case sent(MessageRow)
        /// The same request made this message earlier.
        case repeated(MessageID)
    }

    /// Stores all of them in their order, or none.
    ///
    /// - Returns: what became of each.
    static func send(
        _ drafts: [Message.Draft],
        to channel: ChannelID,
        as author: AccountID,
        _ dependencies: Dependencies
    ) async throws -> [Outcome] {
        let moment = dependencies.now()
        let messages = try drafts.map { draft in
            NewMessage(
                id: try dependencies.ids.next(),
                channel: channel,
                author: author,
                draft: draft,
                names: Message.Names(in: draft.text, site: dependencies.site),
                moment: moment
            )
        }
        for _ in 0..<attempts {
            do {
                let ending = try await dependencies.messages.run(
                    Command(messages: messages),
                    in: dependencies.database
                ) { commands, transaction in
                    try await store(commands, Work(dependencies, transaction))
                }
                switch ending {
                case .done(let outcomes):
                    Failpoint.reach("send.committed")
                    return outcomes
                case .refused(let problem): throw problem
                case .changed: break
                }
            } catch let error as PostgresError where error.isUniqueViolation && error.constraint == "messages_client" {
                // The same request, at the same time, was faster: now its message is there to be found.
            } catch is ChannelChanged {
            }
        }
        throw Problem.unavailable(cause: "channel \(channel) changed \(attempts) times while a message waited")
    }

    /// A channel seldom changes while a message waits for its number.
    private static let attempts = 8

    /// What somebody says at once.
    struct Command: Sendable {
        let messages: [NewMessage]
        /// Of the request.
        let trace = TraceContext.current
    }

    /// What became of a command.
    enum Ending: Sendable {
        case done([Outcome])
        case refused(Problem)
        /// The channel changed, or was about to, while the command waited for its number.
        case changed
    }

    /// Some of what somebody says at once waited for its number while the channel changed.
    private struct ChannelChanged: Error {}

    /// Stores what several people say, and tells of it. Of a command that is not done nothing is written.
    private static func store(_ commands: [Command], _ work: Work) async throws -> [Ending] {
        Failpoint.reach("send.begun")
        var refusals: [Problem?] = []
        var checked: [[CheckedMessage]] = []
        for command in commands {
            do {
                checked.append(try await check(command.messages, work))
                refusals.append(nil)
            } catch let problem as Problem {
                checked.append([])
                refusals.append(problem)
            }
        }
        let messages = checked.flatMap(\.self).map(\.message)
        let sent = messages.isEmpty ? [] : try await NewMessageStore.send(messages, in: work.transaction)
        var next = sent.makeIterator()
        let verdicts = try checked.map { try $0.map { try verdict(next.next() ?? nil, on: $0) } }
        try await count(verdicts.flatMap(\.self), work)
        var endings: [Ending] = []
        for (index, command) in commands.enumerated() {
            if let problem = refusals[index] {
                endings.append(.refused(problem))
                continue
            }
            let ending = try ending(of: verdicts[index])
            if case .done = ending {
                try await TraceContext.$current.withValue(command.trace) {
                    for verdict in verdicts[index] { try await tell(verdict, work) }
                }
            }
            endings.append(ending)
        }
        Failpoint.reach("send.written")
        return endings
    }

    private struct CheckedMessage {
        let message: NewMessage
        /// Of which whoever runs the place wants to hear.
        let term: BlockedTermID?
    }

    private static func check(_ messages: [NewMessage], _ work: Work) async throws -> [CheckedMessage] {
        var checked: [CheckedMessage] = []
        for message in messages {
            let term = try await work.check([message.draft.text, message.draft.gif?.title])
            checked.append(CheckedMessage(message: message, term: term))
        }
        return checked
    }

    private enum Verdict {
        case stored(MessageRow, SentMessage, BlockedTermID?)
        case repeated(MessageID)
        case refused(Problem)
        case changed

        var outcome: Outcome? {
            switch self {
            case .stored(let message, _, _): .sent(message)
            case .repeated(let id): .repeated(id)
            case .refused, .changed: nil
            }
        }

        var isStored: Bool { if case .stored = self { true } else { false } }
    }

    /// Throws where a number was taken in vain, so that it is given back.
    private static func verdict(_ sent: SentMessage?, on checked: CheckedMessage) throws -> Verdict {
        guard let sent else { return .refused(.notFound) }
        if let message = sent.message { return .stored(message, sent, checked.term) }
        // Its author was removed while the message waited for its number.
        if sent.hasTurn { throw Problem.notMember }
        do {
            if let earlier = sent.earlier {
                try sent.access.require(.takePart)
                return earlier.isSame ? .repeated(earlier.id) : .refused(.reusedClientID)
            }
            try refuse(sent, draft: checked.message.draft)
            return .changed
        } catch let problem as Problem {
            return .refused(problem)
        }
    }

    /// What is said at once is said in its order, or not at all: throws where some of it would be stored without the rest.
    private static func ending(of verdicts: [Verdict]) throws -> Ending {
        let outcomes = verdicts.compactMap(\.outcome)
        if outcomes.count == verdicts.count { return .done(outcomes) }
        let isAnyStored = verdicts.contains(where: \.isStored)
        for case .refused(let problem) in verdicts {
            if isAnyStored { throw problem }
            return .refused(problem)
        }
        if isAnyStored { throw ChannelChanged() }
        return .changed
    }

    /// Counts what is stored against what its authors may do in their first hours: in the order of the authors, because their rows
    /// are locked.
    private static func count(_ verdicts: [Verdict], _ work: Work) async throws {
        let stored = verdicts.compactMap { if case .stored(let message, _, _) = $0 { message } else { nil } }
        for message in stored.sorted(by: { $0.author.id < $1.author.id }) {
            try await work.count(.message, by: message.author.id)
            try await work.countLinks(in: message.text, by: message.author.id)
        }
    }

    /// Throws why nothing was stored, unless it is worth another try.
    private static func refuse(_ sent: SentMessage, draft: Message.Draft) throws {
        try sent.access.require(.speak)
        if !sent.isReplyThere { throw Problem.invalid("reply_to_id", "invalid") }
        if draft.threadID != nil, sent.threadID == nil { throw Problem.invalid("thread_id", "invalid") }
        if !sent.areFilesMine { throw Problem.invalid("attachment_ids", "invalid") }
    }

    private static func tell(_ verdict: Verdict, _ work: Work) async throws {
        guard case .stored(let message, let sent, let term) = verdict else { return }
        let snapshot = try message.snapshot()
        let channel = sent.access.channel
        let author = sent.author ?? AccountSnapshot(message.author)
        try work.transaction.record(
            MessageSent(message: snapshot, author: author, channel: channel, recipientIDs: sent.recipients),
            to: snapshot.isPlain ? .plain : .services
        )
        try MentionRaised.chunks(
            of: snapshot,
            author: author,
            channel: channel,
            mentioned: sent.mentioned,
            ifConnected: sent.mentionedIfConnected
        ).forEach(work.record)
        try MessageAwaited.chunks(of: snapshot, author: author, channel: channel, by: sent.listeners)
            .forEach(work.record)
        try work.tell(.message("message", message), of: message)
        if !sent.requested.isEmpty {
            try await DirectChannelUpdates.tellRequested(message.channelID, to: sent.requested, in: work)
        }
        try work.flag(term, .message, message.id.description, of: message.author.id)
    }

    /// Refusing is kinder than sending without the picture.
    private static func refuseFiles(_ parameters: Parameters) throws {
        for name in parameters.names where (try? parameters.strings(name)) == nil {
            if (try? parameters.file(name)) != nil || name == "files" || name == "files[]" {
                throw Problem.uploadsNotAvailable
            }
        }
    }
}

/// Accounts that an event about a message names at most, so that it stays small.
private let mostNamed = 500

extension MessageAwaited {
    /// As many events as it takes to keep each small; none where nobody asked.
    static func chunks(
        of message: MessageSnapshot,
        author: AccountSnapshot,
        channel: ChannelSnapshot,
        by listeners: [AccountID]
    ) -> [MessageAwaited] {
        stride(from: 0, to: listeners.count, by: mostNamed).map { start in
            MessageAwaited(
                message: message,
                author: author,
                channel: channel,
                recipientIDs: Array(listeners.dropFirst(start).prefix(mostNamed))
            )
        }
    }
}

extension MentionRaised {
    /// As many events as it takes to keep each small.
    static func chunks(
        of message: MessageSnapshot,
        author: AccountSnapshot,
        channel: ChannelSnapshot,
        mentioned: [AccountID],
        ifConnected: [AccountID]
    ) -> [MentionRaised] {
        let count = max(mentioned.count, ifConnected.count)
        return stride(from: 0, to: count, by: mostNamed).map { start in
            MentionRaised(
                message: message,
                author: author,
                channel: channel,
                mentionedIDs: Array(mentioned.dropFirst(start).prefix(mostNamed)),
                mentionedIfConnectedIDs: Array(ifConnected.dropFirst(start).prefix(mostNamed))
            )
        }
    }
}

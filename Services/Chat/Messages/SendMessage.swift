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
            MessageStore.NewMessage(
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
                let outcomes = try await dependencies.messages.run(
                    Command(messages: messages),
                    key: channel.rawValue,
                    in: dependencies.database
                ) { commands, transaction in
                    try await store(commands, Work(dependencies, transaction))
                }
                if let outcomes {
                    Failpoint.reach("send.committed")
                    return outcomes
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
        let messages: [MessageStore.NewMessage]
        /// Of the request.
        let trace = TraceContext.current
    }

    /// Some of what somebody says at once waited for its number while the channel changed.
    private struct ChannelChanged: Error {}

    /// Stores messages of one channel, each by a statement of its own that travels with those of the others.
    ///
    /// - Returns: nil for a command before which the channel changed, or was about to, while it waited for its number.
    private static func store(_ commands: [Command], _ work: Work) async throws -> [[Outcome]?] {
        Failpoint.reach("send.begun")
        let messages = commands.flatMap(\.messages)
        var terms: [BlockedTermID?] = []
        for message in messages {
            terms.append(try await work.check([message.draft.text, message.draft.gif?.title]))
        }
        let sent = try await work.transaction.together(
            messages.map { message in { try await MessageStore.send(message, in: $0) } }
        )
        var judged = zip(sent, terms).makeIterator()
        var outcomes: [[Outcome]?] = []
        for command in commands {
            let stored = try await TraceContext.$current.withValue(command.trace) {
                var stored: [Outcome] = []
                for message in command.messages {
                    guard let (sent, term) = judged.next() else { break }
                    if let outcome = try await conclude(message, sent, term: term, work) { stored.append(outcome) }
                }
                return stored
            }
            // What comes behind it may not be there without it.
            if !stored.isEmpty, stored.count < command.messages.count { throw ChannelChanged() }
            outcomes.append(stored.isEmpty ? nil : stored)
        }
        Failpoint.reach("send.written")
        return outcomes
    }

    /// Tells of a message that was stored, or throws why it was not.
    private static func conclude(
        _ message: MessageStore.NewMessage,
        _ sent: SentMessage?,
        term: BlockedTermID?,
        _ work: Work
    ) async throws -> Outcome? {
        guard let sent else { throw Problem.notFound }
        if let earlier = sent.earlier {
            try sent.access.require(.takePart)
            guard earlier.isSame else { throw Problem.reusedClientID }
            return .repeated(earlier.id)
        }
        guard let stored = sent.message else {
            try refuse(sent, draft: message.draft)
            return nil
        }
        try await work.count(.message, by: message.author)
        try await work.countLinks(in: message.draft.text, by: message.author)
        try await tell(stored, sent, work)
        try work.flag(term, .message, stored.id.description, of: message.author)
        return .sent(stored)
    }

    /// Throws why nothing was stored, unless it is worth another try. What was begun is rolled back with it, so that no
    /// number is lost.
    private static func refuse(_ sent: SentMessage, draft: Message.Draft) throws {
        try sent.access.require(.speak)
        if !sent.isReplyThere { throw Problem.invalid("reply_to_id", "invalid") }
        if draft.threadID != nil, sent.threadID == nil { throw Problem.invalid("thread_id", "invalid") }
        if !sent.areFilesMine { throw Problem.invalid("attachment_ids", "invalid") }
        // Its author was removed while the message waited for its number.
        if sent.hasTurn { throw Problem.notMember }
    }

    private static func tell(_ message: MessageRow, _ sent: SentMessage, _ work: Work) async throws {
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

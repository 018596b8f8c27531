// SPDX-License-Identifier: Apache-2.0
// What clients send over their sockets.

import Calls
import Domain
import Events
import HTTPTypes
import JSON
import NIOCore
import NIOHTTP1
import ServiceKit
import SocketIO
import Surface
import Synchronization
import Views
import Web

extension ChatApplication {
    /// Events of one connection that wait for those before them.
    private static let mostWaiting = 100
    /// Events in a row beyond the budget that are answered.
    private static let mostRefusals = 100

    func received(_ event: SocketIOEvent, from socket: SocketIOSocket) {
        guard let client = socket.state as? ChatSocket, client.phase == .open else { return }
        // Whatever it is, and whether it can be understood, costs something: what is told on at once as little as a poll.
        guard isWithinBudget(event.name == "typing" ? .poll : .write, event, client) else { return }
        guard client.namespace == .account else { return refuse(.notFound, event.acknowledgement, client) }
        switch event.name {
        case "message": message(event, client)
        case "read": read(event, client)
        case "typing": typing(event, client)
        case "sync": sync(event, client)
        default: refuse(Problem(.badRequest, "unknown-event"), event.acknowledgement, client)
        }
    }

    // MARK: Each event

    private func message(_ event: SocketIOEvent, _ client: ChatSocket) {
        guard let (json, channel) = argument(event, client) else { return }
        let isKeyed = json.member("client_id").map { !$0.isNull } ?? false
        enqueue(.message, of: channel, json, event, client, isRepeatable: isKeyed)
    }

    private func read(_ event: SocketIOEvent, _ client: ChatSocket) {
        guard let (json, channel) = argument(event, client) else { return }
        enqueue(.read, of: channel, json, event, client, isRepeatable: true)
    }

    private func typing(_ event: SocketIOEvent, _ client: ChatSocket) {
        guard let (_, channel) = argument(event, client) else { return }
        guard client.principal.scopes.allows("write:chat") else {
            return refuse(.forbidden(scope: "write:chat"), event.acknowledgement, client)
        }
        guard !client.principal.isFrozen else { return refuse(.accountFrozen, event.acknowledgement, client) }
        guard client.account.rooms[channel] != nil else { return refuse(.notFound, event.acknowledgement, client) }
        let isLinked = loop.dependencies.isLinked.load(ordering: .acquiring)
        if isLinked, client.typing.allows(channel, now: loop.monotonic) {
            let moment = loop.dependencies.now()
            let typing = TypingStarted(
                channelID: channel,
                accountID: client.account.id,
                subjectVersion: moment.milliseconds
            )
            if !loop.dependencies.live.offer(typing, at: moment) { registry.counters.typingDropped.add() }
        } else {
            registry.counters.typingDropped.add()
        }
        acknowledge(event.acknowledgement, client) { _ in }
    }

    private func sync(_ event: SocketIOEvent, _ client: ChatSocket) {
        guard let argument = event.arguments.first.map({ RawJSON($0) }), let channels = argument.member("channels"),
            let positions = try? ChatPositions.read(channels)
        else { return refuse(.badRequest("channels"), event.acknowledgement, client) }
        let known = positions.map { KnownChannel($0, seq: $1.seq, change: $1.change) }
        let body = ByteBuffer(bytes: MissedQuestion(known, limit: ChatApplication.mostMissed).json())
        let acknowledgement = event.acknowledgement
        registry.withPrincipal(of: client) { [weak self] principal in
            guard let self, client.phase == .open else { return }
            guard let principal else { return self.refuse(.away, acknowledgement, client) }
            self.registry.ask(.POST, ChatCall.getMissed.path, as: principal, body: body) { answer in
                guard client.phase == .open else { return }
                guard let answer, answer.status == 200, let channels = MissedAnswer.bytes(answer.body) else {
                    return self.refuse(.away, acknowledgement, client)
                }
                self.acknowledge(acknowledgement, client) { json in
                    json.name("channels")
                    json.raw(channels.readableBytesView)
                }
            }
        }
    }

    // MARK: In order

    private func enqueue(
        _ matter: ChatSocket.Emit.Matter,
        of channel: ChannelID,
        _ json: RawJSON,
        _ event: SocketIOEvent,
        _ client: ChatSocket,
        isRepeatable: Bool
    ) {
        guard client.emits.count < ChatApplication.mostWaiting else {
            return refuse(.tooMany(retryAfter: .seconds(1)), event.acknowledgement, client)
        }
        client.emits.append(
            ChatSocket.Emit(
                matter: matter,
                channel: channel,
                body: json.bytes,
                acknowledgement: event.acknowledgement,
                isRepeatable: isRepeatable
            )
        )
        sendNext(client)
    }

    /// One after the other, or with those behind it in one call: what a person said first is stored first.
    private func sendNext(_ client: ChatSocket) {
        guard !client.isEmitting, client.phase == .open, let first = client.emits.popFirst() else { return }
        client.isEmitting = true
        let emits = [first] + client.takeEmits(sentWith: first)
        registry.withPrincipal(of: client) { [weak self] principal in
            guard let self else { return }
            guard let principal else {
                for emit in emits { self.refuse(.away, emit.acknowledgement, client) }
                client.isEmitting = false
                return self.sendNext(client)
            }
            self.send(emits, client, as: principal) {
                client.isEmitting = false
                self.sendNext(client)
            }
        }
    }

    private func send(
        _ emits: [ChatSocket.Emit],
        _ client: ChatSocket,
        as principal: KnownPrincipal,
        then proceed: @escaping () -> Void
    ) {
        guard let first = emits.first else { return proceed() }
        let isAlone = emits.count == 1
        if isAlone, first.matter == .message, !first.isAlone {
            return say(first, client, as: principal, then: proceed)
        }
        registry.ask(
            .POST,
            isAlone ? first.path : "/internal/channels/\(first.channel)/messages",
            as: principal,
            fields: fields(client),
            body: isAlone ? first.body : ByteBuffer(bytes: MessagesQuestion.json(emits.map(\.body))),
            repeats: emits.allSatisfy(\.isRepeatable)
        ) { answer in
            if isAlone {
                self.answered(answer, first, client)
            } else if let answer, (400..<500).contains(answer.status) {
                // Nothing was stored: chat of a release before does not know the call, or one of them cannot be understood.
                client.putBack(emits)
            } else {
                let answers = answer.flatMap { $0.status == 200 ? MessagesAnswer.answers($0.body) : nil } ?? []
                for (index, emit) in emits.enumerated() {
                    self.answered(answers.count == emits.count ? answers[index] : nil, emit, client)
                }
            }
            proceed()
        }
    }

    /// With what other connections say at the same time.
    private func say(
        _ emit: ChatSocket.Emit,
        _ client: ChatSocket,
        as principal: KnownPrincipal,
        then proceed: @escaping () -> Void
    ) {
        registry.batches.say(
            MessageBatches.Said(
                principal: principal,
                channel: emit.channel,
                body: emit.body,
                path: emit.path,
                fields: fields(client),
                language: client.socket.request.headers.first(name: "accept-language"),
                isRepeatable: emit.isRepeatable
            ) { answer in
                self.answered(answer, emit, client)
                proceed()
            }
        )
    }

    private func answered(_ answer: (status: Int, body: ByteBuffer)?, _ emit: ChatSocket.Emit, _ client: ChatSocket) {
        guard client.phase == .open, emit.acknowledgement != nil else { return }
        guard let answer, RawJSON(answer.body).isObject || (200..<300).contains(answer.status) else {
            return refuse(.away, emit.acknowledgement, client)
        }
        let isObject = RawJSON(answer.body).isObject
        if (200..<300).contains(answer.status) {
            acknowledge(emit.acknowledgement, client) { json in
                guard isObject else { return }
                switch emit.matter {
                case .message: json.name("message")
                case .read: json.name("read")
                }
                json.raw(answer.body.readableBytesView)
            }
        } else {
            acknowledge(emit.acknowledgement, client, isDone: false) { json in
                json.name("error")
                json.raw(answer.body.readableBytesView)
            }
        }
    }

    private func fields(_ client: ChatSocket) -> [(String, String?)] {
        let language = client.socket.request.headers.first(name: "accept-language")
        return [("x-forwarded-for", client.address.text), ("accept-language", language)]
    }

    // MARK: Answers

    /// The event's only argument and the channel that it names; refused without.
    private func argument(_ event: SocketIOEvent, _ client: ChatSocket) -> (RawJSON, ChannelID)? {
        guard let first = event.arguments.first, event.attachments.isEmpty, RawJSON(first).isObject,
            let channel = RawJSON(first).member("channel_id")?.text.flatMap({ ChannelID($0) })
        else {
            refuse(.badRequest("channel_id"), event.acknowledgement, client)
            return nil
        }
        return (RawJSON(first), channel)
    }

    /// Refuses what is beyond the account's budget, and cuts off a client that does not care.
    private func isWithinBudget(_ rate: RateClass, _ event: SocketIOEvent, _ client: ChatSocket) -> Bool {
        let now = loop.dependencies.now().milliseconds
        let budget = loop.dependencies.limiter.take(
            rate,
            account: client.account.id.rawValue,
            address: client.address,
            now: now
        )
        guard let budget, !budget.isAllowed else {
            client.refusals = 0
            return true
        }
        client.refusals += 1
        if client.refusals > ChatApplication.mostRefusals {
            registry.end(client, .tooMany(retryAfter: max(1000, budget.reset - now)))
            return false
        }
        refuse(.tooMany(retryAfter: .milliseconds(max(1000, budget.reset - now))), event.acknowledgement, client)
        return false
    }

    private func refuse(_ problem: Problem, _ acknowledgement: SocketIOAcknowledgement?, _ client: ChatSocket) {
        guard acknowledgement != nil else { return }
        let language = Language(acceptLanguage: client.socket.request.headers.first(name: "accept-language"))
        let answer = problem.answer(language: language, requestID: loop.newRequestID())
        acknowledge(acknowledgement, client, isDone: false) { json in
            json.name("error")
            json.raw(answer.body)
        }
    }

    private func acknowledge(
        _ acknowledgement: SocketIOAcknowledgement?,
        _ client: ChatSocket,
        isDone: Bool = true,
        _ write: (inout JSONWriter) -> Void
    ) {
        guard let acknowledgement, client.phase == .open else { return }
        let json = JSONWriter.object { json in
            json.member("ok", isDone)
            write(&json)
        }
        client.socket.acknowledge(acknowledgement, [ByteBuffer(bytes: json)])
    }
}

extension ChatSocket.Emit {
    /// Of the call that is for this alone.
    fileprivate var path: String {
        switch matter {
        case .message: "/api/v1/channels/\(channel)/messages"
        case .read: "/api/v1/channels/\(channel)/read"
        }
    }
}

extension ChatSocket {
    /// Bytes of what is sent in one call, which chat takes with room to spare.
    private static let mostBytes = 256 << 10

    /// Takes the messages right behind one that go to the same channel.
    fileprivate func takeEmits(sentWith first: Emit) -> [Emit] {
        guard first.matter == .message, !first.isAlone else { return [] }
        var taken: [Emit] = []
        var bytes = first.body.readableBytes
        while taken.count + 1 < MessagesQuestion.most, let next = emits.first, next.matter == .message,
            next.channel == first.channel, !next.isAlone, bytes + next.body.readableBytes <= ChatSocket.mostBytes
        {
            bytes += next.body.readableBytes
            taken.append(emits.removeFirst())
        }
        return taken
    }

    /// Lets them go first again, each by itself.
    fileprivate func putBack(_ refused: [Emit]) {
        for var emit in refused.reversed() {
            emit.isAlone = true
            emits.prepend(emit)
        }
    }
}

extension Problem {
    /// Chat, or auth, does not answer.
    fileprivate static var away: Problem { .unavailable(cause: "no answer to an event of a socket") }
}

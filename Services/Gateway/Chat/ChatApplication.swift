// SPDX-License-Identifier: Apache-2.0
// Chat over Socket.IO: who is let in, and what they get first.

import Calls
import Domain
import NIOCore
import NIOHTTP1
import ServiceKit
import SocketIO
import Surface
import Views

/// Answers the sockets of one event loop.
final class ChatApplication: SocketIOApplication {
    /// Missed messages of all channels together; beyond, a channel is to be loaded anew.
    static let mostMissed = 500
    /// Octets of them together: a connection does not hold more for a client that has only begun to read.
    static let mostMissedBytes = 2 << 20

    unowned let loop: GatewayLoop

    init(loop: GatewayLoop) { self.loop = loop }

    var registry: ChatRegistry { loop.chat }

    // MARK: Let in

    func connecting(_ socket: SocketIOSocket, auth: ByteBuffer?) {
        guard let namespace = ChatNamespace(socket.namespace, loop.dependencies.dialects) else {
            return ChatRefusal.notFound.refuse(socket)
        }
        let credentials: ChatCredentials
        do {
            credentials = try ChatCredentials(
                auth: auth,
                header: Token.bareOrBearer(socket.request.headers),
                parameter: socket.request.parameter("access_token")
            )
        } catch {
            return ChatRefusal.badRequest.refuse(socket)
        }
        guard let token = credentials.token, Token.isPlausible(token) else {
            return ChatRefusal.unauthorized.refuse(socket)
        }
        let address = ClientAddress(socket.request.address) ?? .unknown
        if let verdict = loop.authenticator.known(token) {
            return judged(verdict, socket, namespace, token, address, credentials.positions)
        }
        let now = loop.dependencies.now().milliseconds
        if let budget = loop.dependencies.limiter.isExhausted(address, now: now) {
            return ChatRefusal.tooMany(retryAfter: budget.reset - now).refuse(socket)
        }
        loop.authenticator.ask(token) { [weak self] verdict in
            self?.judged(verdict, socket, namespace, token, address, credentials.positions)
        }
    }

    private func judged(
        _ verdict: Verdict,
        _ socket: SocketIOSocket,
        _ namespace: ChatNamespace,
        _ token: String,
        _ address: ClientAddress,
        _ positions: [ChannelID: ChatPosition]
    ) {
        let limiter = loop.dependencies.limiter
        let now = loop.dependencies.now().milliseconds
        switch verdict {
        case .unavailable: ChatRefusal.unavailable.refuse(socket)
        case .invalid:
            _ = limiter.take(.read, account: nil, address: address, now: now)
            ChatRefusal.unauthorized.refuse(socket)
        case .valid(let principal):
            guard let id = principal.accountID else { return ChatRefusal.needsAccount.refuse(socket) }
            guard principal.scopes.allows("read:chat") else { return ChatRefusal.forbidden("read:chat").refuse(socket) }
            if let budget = limiter.take(.read, account: id.rawValue, address: address, now: now), !budget.isAllowed {
                return ChatRefusal.tooMany(retryAfter: budget.reset - now).refuse(socket)
            }
            if let place = socket.request.place as? ConnectionPlace, !place.claim(id) {
                return ChatRefusal.tooMany(retryAfter: 5000).refuse(socket)
            }
            let account = registry.account(id)
            guard account.sockets.count < ChatRegistry.socketsOfAccount else {
                return ChatRefusal.tooMany(retryAfter: 60_000).refuse(socket)
            }
            let client = ChatSocket(
                socket,
                namespace,
                token: token,
                address: address,
                principal: principal,
                account: account,
                positions: positions,
                verifyAt: loop.verification(of: principal)
            )
            socket.state = client
            registry.add(client)
            registry.load(account, as: principal) { [weak self] list in self?.located(client, list) }
        }
    }

    /// What the account belongs to is known, or not to be had.
    private func located(_ client: ChatSocket, _ list: RoomList?) {
        guard client.phase == .connecting else { return }
        guard let list else { return registry.end(client, .unavailable) }
        switch client.namespace {
        case .room(let channel):
            guard client.account.rooms[channel] != nil, let room = registry.rooms[channel] else {
                return registry.end(client, .notFound)
            }
            client.positions = [:]
            client.phase = .open
            room.watchers[ObjectIdentifier(client)] = client
            client.socket.accept()
        case .account: askForMissed(client, list)
        }
    }

    private func askForMissed(_ client: ChatSocket, _ list: RoomList) {
        // Whoever does not say what they have is taken to have everything until now.
        let known: [KnownChannel] = list.rooms.map(\.head).compactMap { head in
            guard client.account.rooms[head.id] != nil else { return nil }
            let position = client.positions[head.id] ?? ChatPosition(seq: head.lastSeq)
            return KnownChannel(head.id, seq: position.seq, change: position.change)
        }
        client.positions = [:]
        askForMissed(client, known[...], [])
    }

    private func askForMissed(
        _ client: ChatSocket,
        _ known: ArraySlice<KnownChannel>,
        _ missed: [MissedChannel<RawMessage>]
    ) {
        guard !known.isEmpty else { return letIn(client, missed) }
        let batch = Array(known.prefix(ChatPositions.most))
        registry.ask(
            .POST,
            ChatCall.getMissed.path,
            as: client.principal,
            body: ByteBuffer(bytes: MissedQuestion(batch, limit: ChatApplication.mostMissed).json())
        ) { [weak self] answer in
            guard let self, client.phase == .connecting else { return }
            guard let answer, answer.status == 200, let more = MissedAnswer.channels(answer.body) else {
                return self.registry.end(client, .unavailable)
            }
            self.askForMissed(client, known.dropFirst(batch.count), missed + more)
        }
    }

    // MARK: What they get first

    private func letIn(_ client: ChatSocket, _ missed: [MissedChannel<RawMessage>]) {
        client.phase = .open
        client.socket.accept()
        // Who was removed meanwhile gets no more of it.
        let missed = missed.filter { client.account.rooms[$0.head.id] != nil }
        var rest = ChatApplication.mostMissedBytes
        for channel in missed {
            rest -= (channel.messages + channel.changed).reduce(0) { $0 + $1.bytes.readableBytes }
            replay(channel, to: client, isTooMuch: rest < 0)
            guard client.phase == .open else { return }
            let head = channel.head
            client.catchUp.replayed(head.id, last: head.lastSeq, change: head.lastChange)
        }
        client.socket.emit(ChatApplication.ready(missed.map(\.head)))
        for (item, isChange) in client.catchUp.finish() {
            client.socket.emit(isChange ? item.asChange.packet : item.packet)
        }
        for channel in missed.map(\.head.id) {
            guard let feed = registry.rooms[channel]?.feed, let next = feed.next else { continue }
            client.catchUp.settle(channel, next: next, change: feed.change)
        }
        // A client that did not read all this is gone by now.
        guard client.phase == .open else { return }
        present(client)
    }

    private func replay(_ channel: MissedChannel<RawMessage>, to client: ChatSocket, isTooMuch: Bool) {
        if channel.resync || (isTooMuch && !(channel.messages.isEmpty && channel.changed.isEmpty)) {
            registry.counters.resyncs.add()
            return client.socket.emit(ChatItem.resync(channel.head).packet)
        }
        for message in channel.messages {
            client.socket.emit(SocketIOPacket.event("message", [message.bytes]))
        }
        for message in channel.changed { client.socket.emit(ChatItem.changed(message).packet) }
        registry.counters.deliveries.add(channel.messages.count + channel.changed.count)
    }

    private static func ready(_ channels: [ChannelHead]) -> SocketIOPacket {
        let json = JSONWriter.object(capacity: channels.count * 80 + 32) { json in
            json.array("channels", channels) { $1.members("channel_id", to: &$0) }
        }
        return SocketIOPacket.event("ready", json: json)
    }

    private func present(_ client: ChatSocket) {
        let account = client.account
        let presence = loop.dependencies.presence
        client.isPresent = true
        presence.connected(account.id, account.place)
        let online = presence.online(in: account.place.rooms, without: account.id)
        client.socket.emit(ChatItem.online(online).packet)
    }

    func closed(_ socket: SocketIOSocket, reason: SocketIOClosure) {
        guard let client = socket.state as? ChatSocket else { return }
        registry.remove(client)
    }
}

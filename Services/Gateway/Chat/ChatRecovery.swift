// SPDX-License-Identifier: Apache-2.0
// Asking chat: in somebody's name, and for what the broker did not bring.

import Domain
import NIOCore
import NIOHTTP1
import ServiceKit
import Surface
import Views

extension ChatRegistry {
    private static let batch = 500
    private static let answerLimit = 16 << 20

    /// Asks chat in somebody's name; nil when it did not answer.
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        as principal: KnownPrincipal,
        fields: [(String, String?)] = [],
        body: ByteBuffer = ByteBuffer(),
        limit: Int = answerLimit,
        repeats: Bool = true,
        completion: @escaping ((status: Int, body: ByteBuffer)?) -> Void
    ) {
        let id = loop.newRequestID()
        let secret = path.hasPrefix("/internal/") ? loop.dependencies.config.internalSecret(.chat) : nil
        let own: [(String, String?)] = [
            ("x-madang-principal", principal.statement(for: .chat)), ("x-request-id", id),
            ("traceparent", "00-\(id)-\(loop.newSpanID())-01"),
        ]
        InternalCall.ask(
            loop.pool(.chat),
            InternalCall.head(.chat, method, path, secret: secret, length: body.readableBytes, own + fields),
            body: body,
            answerLimit: limit,
            mayRepeat: repeats
        ) { answer in
            switch answer {
            case .success(let answer): completion((answer.status, answer.body))
            case .failure: completion(nil)
            }
        }
    }

    /// What auth says now of the client's token; nil when it is not to be had.
    func withPrincipal(of socket: ChatSocket, then proceed: @escaping (KnownPrincipal?) -> Void) {
        func judge(_ verdict: Verdict) {
            guard case .valid(let principal) = verdict else { return proceed(nil) }
            proceed(principal)
        }
        if let verdict = loop.authenticator.known(socket.token) { return judge(verdict) }
        loop.authenticator.ask(socket.token, completion: judge)
    }

    // MARK: The broker

    /// What comes from now on may be lost.
    func unlinked() {
        for room in rooms.values { room.feed.lost() }
    }

    /// The broker is back: every channel's position is asked for.
    func linked() {
        for room in rooms.values { room.feed.lost() }
        doubted = Set(rooms.keys)
        askPositions()
    }

    func askPositions() {
        askDoubtedAt = nil
        var rest = doubted.sorted()[...]
        while !rest.isEmpty {
            askPositions(of: Array(rest.prefix(ChatRegistry.batch)))
            rest = rest.dropFirst(ChatRegistry.batch)
        }
    }

    private func askPositions(of channels: [ChannelID]) {
        var json = JSONWriter(capacity: channels.count * 24 + 32)
        json.object { $0.member("channel_ids", channels.map(\.description)) }
        InternalCall.ask(
            loop.pool(.chat),
            .POST,
            ChatCall.getPositions.path,
            secret: loop.dependencies.config.internalSecret(.chat),
            body: json.bytes,
            limit: ChatRegistry.answerLimit
        ) { [weak self] answer in
            guard let self else { return }
            guard case .success(let (status, body)) = answer, status == 200,
                let standings = ChannelStanding.list(body)
            else {
                self.askDoubtedAt = self.loop.monotonic + 500 + Milliseconds(self.loop.nextRandom() % 1000)
                return
            }
            self.doubted.subtract(channels)
            for standing in standings {
                guard let room = self.rooms[standing.channelID] else { continue }
                self.perform(room.feed.position(last: standing.last, change: standing.change), in: room)
            }
        }
    }

    // MARK: Gaps

    func fetch(_ room: ChatRoom, after: Int64) {
        read(room, "after_seq=\(after)") { [weak self] messages in
            guard let self, self.rooms[room.id] === room else { return }
            guard let messages else {
                room.feed.fetchFailed()
                return self.retryLater(room)
            }
            self.counters.gaps.add(messages.count)
            self.perform(room.feed.fetched(messages), in: room)
        }
    }

    func fetchChanges(_ room: ChatRoom, after: Int64) {
        read(room, "after_change=\(after)") { [weak self] messages in
            guard let self, self.rooms[room.id] === room else { return }
            guard let messages else {
                room.feed.fetchOfChangesFailed()
                return self.retryLater(room)
            }
            self.counters.gaps.add(messages.count)
            self.perform(room.feed.fetchedChanges(messages), in: room)
        }
    }

    private func read(
        _ room: ChatRoom,
        _ query: String,
        completion: @escaping ([ChannelFeed<ChatItem>.Fetched]?) -> Void
    ) {
        let page = ChannelFeed<ChatItem>.page
        InternalCall.ask(
            loop.pool(.chat),
            .GET,
            "\(ChatCall.fillGap.path(room.id.description))?\(query)&limit=\(page)",
            secret: loop.dependencies.config.internalSecret(.chat),
            limit: ChatRegistry.answerLimit
        ) { answer in
            guard case .success(let (status, body)) = answer else { return completion(nil) }
            // The channel is gone: there is nothing to wait for.
            if status == 404 { return completion([]) }
            guard status == 200, let messages = RawMessage.list(body) else { return completion(nil) }
            completion(
                messages.map { message in
                    ChannelFeed.Fetched(
                        seq: message.seq,
                        change: message.change,
                        asNew: ChatItem("message", message.bytes),
                        asChange: .changed(message)
                    )
                }
            )
        }
    }
}

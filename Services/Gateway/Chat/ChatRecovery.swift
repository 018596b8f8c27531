// SPDX-License-Identifier: Apache-2.0
// Asking chat for what the broker did not bring.

import Calls
import Domain
import ServiceKit
import Surface
import Views

extension ChatRegistry {
    private static let batch = 500

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
        InternalCall.ask(
            loop.pool(.chat),
            ChatCall.getPositions,
            secret: loop.dependencies.config.internalSecret(.chat),
            body: PositionsQuestion(channels).json(),
            limit: ChatRegistry.answerLimit
        ) { [weak self] answer in
            guard let self else { return }
            guard case .success(let (status, body)) = answer, status == 200,
                let positions = Positions(answer: body)
            else {
                self.askDoubtedAt = self.loop.monotonic + 500 + Milliseconds(self.loop.nextRandom() % 1000)
                return
            }
            self.doubted.subtract(channels)
            for head in positions.heads {
                guard let room = self.rooms[head.id] else { continue }
                self.perform(room.feed.position(last: head.lastSeq, change: head.lastChange), in: room)
            }
        }
    }

    // MARK: Gaps

    func fetch(_ room: ChatRoom, after: Int64) {
        read(room, .seq(after)) { [weak self] messages in
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
        read(room, .change(after)) { [weak self] messages in
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
        _ start: GapStart,
        completion: @escaping ([ChannelFeed<ChatItem>.Fetched]?) -> Void
    ) {
        let question = GapQuestion(start, limit: ChannelFeed<ChatItem>.page)
        InternalCall.ask(
            loop.pool(.chat),
            ChatCall.fillGap,
            path: "\(ChatCall.fillGap.path(room.id.description))?\(question.query)",
            secret: loop.dependencies.config.internalSecret(.chat),
            limit: ChatRegistry.answerLimit
        ) { answer in
            guard case .success(let (status, body)) = answer else { return completion(nil) }
            // The channel is gone: there is nothing to wait for.
            if status == 404 { return completion([]) }
            guard status == 200, let messages = Gap.messages(body) else { return completion(nil) }
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

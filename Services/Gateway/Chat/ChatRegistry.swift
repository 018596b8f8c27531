// SPDX-License-Identifier: Apache-2.0
// Who is in which channel, among the connections of one event loop, and what is written to whom.

import Calls
import Domain
import Events
import NIOHTTP1
import ServiceKit
import SocketIO
import Surface
import Views

final class ChatRegistry {
    static let socketsOfAccount = 500
    /// Who came into a room or left one is asked about again after this long, for what the news does not say.
    private static let refreshDelay: Milliseconds = 300

    unowned let loop: GatewayLoop
    private(set) var accounts: [AccountID: ChatAccount] = [:]
    private(set) var rooms: [ChannelID: ChatRoom] = [:]
    private var sessions: [SessionID: [ObjectIdentifier: ChatSocket]] = [:]
    /// By playground and direct channel, those who may know of each other.
    private var places: [Presence.Room: [AccountID: ChatAccount]] = [:]
    private(set) var socketCount = 0
    /// Channels whose position must be asked for, because the broker was away.
    var doubted: Set<ChannelID> = []
    var askDoubtedAt: Milliseconds?
    private var retries: Set<ChannelID> = []

    /// What connections of this loop say.
    private(set) lazy var batches = MessageBatches(self)

    init(loop: GatewayLoop) { self.loop = loop }

    var counters: ChatCounters { loop.dependencies.chat }

    // MARK: Sockets

    func account(_ id: AccountID) -> ChatAccount {
        if let known = accounts[id] { return known }
        let account = ChatAccount(id)
        accounts[id] = account
        return account
    }

    func add(_ socket: ChatSocket) {
        let id = ObjectIdentifier(socket)
        socket.account.sockets[id] = socket
        if let session = socket.principal.sessionID { sessions[session, default: [:]][id] = socket }
        socketCount += 1
    }

    func remove(_ socket: ChatSocket) {
        let id = ObjectIdentifier(socket)
        socket.phase = .ended
        let account = socket.account
        guard account.sockets.removeValue(forKey: id) != nil else { return }
        socketCount -= 1
        if let session = socket.principal.sessionID {
            sessions[session]?[id] = nil
            if sessions[session]?.isEmpty == true { sessions[session] = nil }
        }
        if case .room(let channel) = socket.namespace, let room = rooms[channel] {
            room.watchers[id] = nil
            drop(room)
        }
        if socket.isPresent {
            socket.isPresent = false
            loop.dependencies.presence.disconnected(account.id, now: loop.monotonic)
        }
        dropIfEmpty(account)
    }

    /// Lets go of an account that nobody here is connected for.
    func dropIfEmpty(_ account: ChatAccount) {
        guard account.sockets.isEmpty, accounts[account.id] === account else { return }
        for channel in account.rooms.keys { unindex(account, channel) }
        account.rooms = [:]
        for room in account.place.rooms { unplace(account, room) }
        account.place = Presence.Place()
        accounts[account.id] = nil
    }

    func revoke(_ session: SessionID) {
        guard let revoked = sessions[session] else { return }
        for socket in revoked.values { end(socket, .unauthorized) }
    }

    /// Cuts a client off.
    func end(_ socket: ChatSocket, _ refusal: ChatRefusal, closing: Bool = true) {
        socket.end(refusal, closing: closing)
        remove(socket)
    }

    /// Revocations may have been missed: every token is asked about again, spread over `span`.
    func doubtTokens(now: Milliseconds, span: Milliseconds, random: () -> UInt64) {
        for account in accounts.values {
            for socket in account.sockets.values {
                socket.verifyAt = now + Milliseconds(random() % UInt64(max(1, span)))
            }
        }
    }

    /// Something else is to be said of an account: its tokens are asked about at once.
    func doubtTokens(of account: AccountID, now: Milliseconds) {
        guard let sockets = accounts[account]?.sockets.values else { return }
        for socket in sockets { socket.verifyAt = now }
    }

    /// Who came in or left may have been missed: chat is asked again where each belongs.
    func doubtPlaces(now: Milliseconds, span: Milliseconds, random: () -> UInt64) {
        for account in accounts.values {
            account.refreshAt = now + Milliseconds(random() % UInt64(max(1, span)))
        }
    }

    // MARK: Memberships

    /// Asks chat where the account belongs; what happens meanwhile is put on top of the answer.
    func load(_ account: ChatAccount, as principal: KnownPrincipal, completion: @escaping (RoomList?) -> Void) {
        account.waiting.append(completion)
        guard account.recorded == nil else { return }
        account.recorded = []
        account.refreshAt = nil
        ask(.GET, ChatCall.getRooms.path, as: principal, limit: 8 << 20) { [weak self] answer in
            guard let self else { return }
            self.take(answer.flatMap { $0.status == 200 ? RoomList(answer: $0.body) : nil }, for: account)
        }
    }

    private func take(_ list: RoomList?, for account: ChatAccount) {
        let recorded = account.recorded ?? []
        let waiting = account.waiting
        account.recorded = nil
        account.waiting = []
        if let list, accounts[account.id] === account {
            var fresh: [ChannelID: ChatAccount.Room] = [:]
            for room in list.rooms {
                let isDirect = room.type?.isDirect ?? false
                fresh[room.head.id] = ChatAccount.Room(isDirect: isDirect, playgroundID: room.playgroundID)
            }
            for (channel, isMember) in recorded {
                fresh[channel] = isMember ? fresh[channel] ?? account.rooms[channel] ?? ChatAccount.Room() : nil
            }
            for channel in Array(account.rooms.keys) where fresh[channel] == nil { leave(account, channel) }
            var new: Set<ChannelID> = []
            for channel in fresh.keys where account.rooms[channel] == nil {
                index(account, channel)
                new.insert(channel)
            }
            account.rooms = fresh
            account.playgrounds = list.playgrounds
            for head in list.rooms.map(\.head) {
                guard let room = rooms[head.id] else { continue }
                let isNew = new.contains(room.id) && room.accounts.count == 1
                room.feed.begin(last: head.lastSeq, change: head.lastChange, isNew: isNew)
            }
            settlePlace(account)
        } else if list == nil, accounts[account.id] === account {
            account.refreshAt = loop.monotonic + 2000 + Milliseconds(loop.nextRandom() % 3000)
        }
        for completion in waiting { completion(list) }
    }

    private func join(_ membership: ChatUpdate.Membership) {
        guard let account = accounts[membership.accountID] else { return }
        account.recorded?.append((membership.channelID, true))
        account.refreshAt = loop.monotonic + ChatRegistry.refreshDelay
        guard account.rooms[membership.channelID] == nil else { return }
        account.rooms[membership.channelID] = ChatAccount.Room()
        index(account, membership.channelID)
    }

    private func leave(_ account: ChatAccount, _ channel: ChannelID) {
        account.recorded?.append((channel, false))
        account.rooms[channel] = nil
        if let room = rooms[channel] {
            for socket in room.watchers.values where socket.account === account {
                end(socket, .notFound, closing: false)
            }
        }
        unindex(account, channel)
    }

    private func index(_ account: ChatAccount, _ channel: ChannelID) {
        let room = rooms[channel] ?? ChatRoom(channel)
        rooms[channel] = room
        room.accounts[account.id] = account
    }

    private func unindex(_ account: ChatAccount, _ channel: ChannelID) {
        guard let room = rooms[channel] else { return }
        room.accounts[account.id] = nil
        drop(room)
    }

    private func drop(_ room: ChatRoom) {
        guard room.accounts.isEmpty, room.watchers.isEmpty else { return }
        rooms[room.id] = nil
        doubted.remove(room.id)
    }

    // MARK: Places

    private func settlePlace(_ account: ChatAccount) {
        let place = Presence.Place(
            playgrounds: account.playgrounds.sorted(),
            directs: account.rooms.filter { $0.value.isDirect == true }.keys.sorted()
        )
        guard place != account.place else { return }
        let before = account.place.rooms
        let after = place.rooms
        for room in before.subtracting(after) { unplace(account, room) }
        for room in after.subtracting(before) { places[room, default: [:]][account.id] = account }
        account.place = place
        guard account.sockets.values.contains(where: \.isPresent) else { return }
        loop.dependencies.presence.moved(account.id, place)
        // Who was there before this account came to know of them.
        let online = loop.dependencies.presence.online(in: after.subtracting(before), without: account.id)
        if !online.isEmpty { tellPassing(.online(online), to: account) }
    }

    private func unplace(_ account: ChatAccount, _ room: Presence.Room) {
        places[room]?[account.id] = nil
        if places[room]?.isEmpty == true { places[room] = nil }
    }

    /// Tells those who share one of `rooms` with the account that it came or went.
    func announce(_ account: AccountID, isOnline: Bool, in rooms: Set<Presence.Room>) {
        var told: Set<AccountID> = [account]
        var item: ChatItem?
        for room in rooms {
            for other in places[room, default: [:]].values where told.insert(other.id).inserted {
                let news =
                    item
                    ?? ChatItem("presence") { json in
                        json.member("account_id", account)
                        json.member("online", isOnline)
                    }
                item = news
                tellPassing(news, to: other)
            }
        }
    }

    func typing(_ event: TypingStarted) {
        guard let room = rooms[event.channelID] else { return }
        let item = ChatItem("typing") { json in
            json.member("channel_id", event.channelID)
            json.member("account_id", event.accountID)
        }
        for account in room.accounts.values where account.id != event.accountID { tellPassing(item, to: account) }
    }

    /// What is of no use to those who are not there yet.
    private func tellPassing(_ item: ChatItem, to account: ChatAccount) {
        for socket in account.sockets.values where socket.namespace == .account && socket.catchUp.isReady {
            socket.socket.emit(item.packet)
        }
    }

    // MARK: Delivery

    func deliver(_ live: ChatLive) {
        let update = live.update
        for membership in update.joined { join(membership) }
        let room = update.channelID.flatMap { rooms[$0] }
        if room != nil || update.accountIDs.contains(where: { accounts[$0] != nil }) {
            let item = ChatItem(update.event, live.payload, except: update.except)
            if let room { enter(item, live, in: room) }
            for id in Set(update.accountIDs) where room?.accounts[id] == nil && !update.except.contains(id) {
                guard let account = accounts[id] else { continue }
                for socket in account.sockets.values { offer(item, .other, to: socket) }
            }
        }
        for membership in update.left {
            guard let account = accounts[membership.accountID] else { continue }
            account.refreshAt = loop.monotonic + ChatRegistry.refreshDelay
            leave(account, membership.channelID)
        }
        for channel in update.closed {
            for account in rooms[channel]?.accounts.values.map({ $0 }) ?? [] {
                account.refreshAt = loop.monotonic + ChatRegistry.refreshDelay
                leave(account, channel)
            }
        }
    }

    private func enter(_ item: ChatItem, _ live: ChatLive, in room: ChatRoom) {
        if live.isMessage {
            perform(room.feed.message(seq: live.seq, change: live.change, item), in: room)
        } else if live.isChange {
            perform(room.feed.change(seq: live.seq, change: live.change, item), in: room)
        } else {
            send(item, .other, in: room)
        }
    }

    func perform(_ actions: [ChannelFeed<ChatItem>.Action], in room: ChatRoom) {
        for action in actions {
            switch action {
            case .message(let seq, let change, let item):
                send(item, .message(room.id, seq: seq, change: change), in: room)
            case .change(let seq, let change, let item):
                send(item, .change(room.id, seq: seq, change: change), in: room)
            case .fetch(let after): fetch(room, after: after)
            case .fetchChanges(let after): fetchChanges(room, after: after)
            case .resync(let last, let change):
                counters.resyncs.add()
                send(
                    .resync(ChannelHead(room.id, lastSeq: last, lastChange: change)),
                    .resync(room.id, last: last),
                    in: room
                )
            }
        }
        // Only now: the feed had come this far before the first of these was sent.
        guard let next = room.feed.next else { return }
        for account in room.accounts.values {
            for socket in account.sockets.values where !socket.catchUp.positions.isEmpty {
                socket.catchUp.settle(room.id, next: next, change: room.feed.change)
            }
        }
    }

    private func send(_ item: ChatItem, _ kind: CatchUp<ChatItem>.Kind, in room: ChatRoom) {
        for account in room.accounts.values where item.except.isEmpty || !item.except.contains(account.id) {
            for socket in account.sockets.values { offer(item, kind, to: socket) }
        }
        guard case .message = kind else { return }
        for watcher in room.watchers.values where !item.except.contains(watcher.account.id) {
            guard let packet = item.packet(inRoom: watcher.socket.namespace, loop.dependencies.dialects) else {
                continue
            }
            watcher.socket.emit(packet)
            counters.deliveries.add()
        }
    }

    private func offer(_ item: ChatItem, _ kind: CatchUp<ChatItem>.Kind, to socket: ChatSocket) {
        guard socket.namespace == .account else { return }
        switch socket.catchUp.offer(kind, item) {
        case .emit:
            socket.socket.emit(item.packet)
            counters.deliveries.add()
        case .emitAsChange: socket.socket.emit(item.asChange.packet)
        case .keep, .drop: break
        case .overflow: end(socket, .unavailable)
        }
    }

    // MARK: Deadlines

    func retryLater(_ room: ChatRoom) {
        room.retryAt = loop.monotonic + 500 + Milliseconds(loop.nextRandom() % 1000)
        retries.insert(room.id)
    }

    func tick(now: Milliseconds) {
        batches.tick()
        for account in accounts.values {
            if let at = account.refreshAt, now >= at, account.recorded == nil { refresh(account) }
            for socket in account.sockets.values where now >= socket.verifyAt && socket.phase != .ended {
                verify(socket)
            }
        }
        for channel in retries {
            guard let room = rooms[channel], let at = room.retryAt else {
                retries.remove(channel)
                continue
            }
            guard now >= at else { continue }
            retries.remove(channel)
            room.retryAt = nil
            perform(room.feed.retry(), in: room)
        }
        if let at = askDoubtedAt, now >= at { askPositions() }
    }
}

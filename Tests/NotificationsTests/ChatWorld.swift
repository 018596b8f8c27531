// SPDX-License-Identifier: Apache-2.0
// A small world in which people chat, telling the events that chat would tell.

import Domain
import Events
import Support

/// Channels, who is in them and what was said, with the versions that chat would give.
struct ChatWorld {
    /// Everything that happened, in order.
    private(set) var history: [Happening] = []
    private(set) var channels: [ChannelID: ChannelSnapshot] = [:]
    private(set) var members: [ChannelID: Set<AccountID>] = [:]
    private(set) var messages: [MessageID: MessageSnapshot] = [:]
    private var seqs: [ChannelID: Int64] = [:]
    private var changes: [ChannelID: Int64] = [:]
    /// Far from the versions of World, with which it shares people.
    private var version: Int64 = 1_000_000
    private var people = World()
    private var clock = Timestamp(rfc3339: "2026-01-02T03:04:05.678Z") ?? Timestamp(milliseconds: 0)

    static let playground: PlaygroundID = 70

    private mutating func nextVersion() -> Int64 {
        version += 1
        return version
    }

    @discardableResult
    private mutating func tell(_ event: some Event) -> Happening {
        // Far from the numbers of World, with which it shares an inbox.
        let happening = Happening(event, at: clock, number: 1_000_000 + history.count)
        history.append(happening)
        clock = clock + .seconds(1)
        return happening
    }

    @discardableResult
    mutating func open(_ id: ChannelID, _ type: ChannelType, _ name: String = "", with people: Set<AccountID>)
        -> Happening
    {
        let channel = ChannelSnapshot(
            id: id,
            type: type,
            playgroundID: type.isDirect ? nil : ChatWorld.playground,
            name: name,
            ownerID: type.isDirect ? nil : people.min(),
            createdAt: clock,
            version: nextVersion()
        )
        channels[id] = channel
        members[id] = people
        return type.isDirect
            ? tell(
                ConversationOpened(
                    channel: channel,
                    memberIDs: people.sorted(),
                    requestedIDs: [],
                    actorID: people.min() ?? 1
                )
            ) : tell(ChannelCreated(channel: channel))
    }

    @discardableResult
    mutating func rename(_ id: ChannelID, _ name: String) -> Happening? {
        guard var channel = channels[id] else { return nil }
        channel.name = name
        channel.version = nextVersion()
        channels[id] = channel
        return tell(ChannelUpdated(channel: channel))
    }

    /// Says something, and names people: MessageSent, MentionRaised when anybody is named, and MessageAwaited when others asked
    /// to hear of everything.
    mutating func say(
        _ id: MessageID,
        in channelID: ChannelID,
        by author: AccountID,
        _ text: String = "Hello",
        naming named: [AccountID] = [],
        wide: WideMention? = nil,
        awaitedBy listeners: Set<AccountID> = []
    ) {
        guard let channel = channels[channelID] else { return }
        let seq = (seqs[channelID] ?? 0) + 1
        seqs[channelID] = seq
        let message = MessageSnapshot(
            id: id,
            channelID: channelID,
            seq: seq,
            authorID: author,
            text: text,
            mentions: named.map { MentionSnapshot(id: $0, username: World.username($0)) },
            wideMention: wide,
            createdAt: clock,
            change: nextChange(channelID)
        )
        messages[id] = message
        let others = (members[channelID] ?? []).subtracting([author])
        tell(
            MessageSent(
                message: message,
                author: people.account(author),
                channel: channel,
                recipientIDs: channel.type.isDirect ? others.sorted() : []
            )
        )
        raise(message, in: channel)
        let awaiting = others.intersection(listeners).subtracting(wide == .channel ? others : Set(named))
        guard !awaiting.isEmpty, !channel.type.isDirect else { return }
        tell(
            MessageAwaited(
                message: message,
                author: people.account(author),
                channel: channel,
                recipientIDs: awaiting.sorted()
            )
        )
    }

    private mutating func raise(_ message: MessageSnapshot, in channel: ChannelSnapshot) {
        let others = (members[channel.id] ?? []).subtracting([message.authorID])
        let named = message.wideMention == .channel ? others : others.intersection(message.mentions.map(\.id))
        let here = message.wideMention == .here ? others.subtracting(named) : []
        guard !named.isEmpty || !here.isEmpty else { return }
        tell(
            MentionRaised(
                message: message,
                author: people.account(message.authorID),
                channel: channel,
                mentionedIDs: named.sorted(),
                mentionedIfConnectedIDs: here.sorted()
            )
        )
    }

    private mutating func nextChange(_ channel: ChannelID) -> Int64 {
        let change = (changes[channel] ?? 0) + 1
        changes[channel] = change
        return change
    }

    mutating func edit(_ id: MessageID, _ text: String, naming named: [AccountID] = []) {
        guard var message = messages[id], let channel = channels[message.channelID] else { return }
        message.text = text
        message.mentions = named.map { MentionSnapshot(id: $0, username: World.username($0)) }
        message.wideMention = nil
        message.editedAt = clock
        message.change = nextChange(message.channelID)
        messages[id] = message
        tell(MessageEdited(message: message, author: people.account(message.authorID), channel: channel))
        raise(message, in: channel)
    }

    @discardableResult
    mutating func delete(_ id: MessageID) -> Happening? {
        guard let message = messages.removeValue(forKey: id) else { return nil }
        return tell(
            MessageDeleted(
                messageID: id,
                channelID: message.channelID,
                seq: message.seq,
                authorID: message.authorID,
                actorID: message.authorID,
                subjectVersion: nextChange(message.channelID)
            )
        )
    }

    @discardableResult
    mutating func read(_ channel: ChannelID, by account: AccountID, upTo seq: Int64? = nil) -> Happening {
        tell(
            ConversationRead(
                channelID: channel,
                accountID: account,
                lastReadSeq: seq ?? seqs[channel] ?? 0,
                subjectVersion: nextVersion()
            )
        )
    }

    @discardableResult
    mutating func leave(_ channel: ChannelID, by account: AccountID) -> Happening {
        members[channel]?.remove(account)
        return tell(
            MemberLeft(
                playgroundID: channels[channel]?.playgroundID,
                channelID: channel,
                accountID: account,
                actorID: account,
                subjectVersion: nextVersion()
            )
        )
    }

    @discardableResult
    mutating func leavePlayground(by account: AccountID) -> Happening {
        for (id, channel) in channels where channel.playgroundID != nil { members[id]?.remove(account) }
        return tell(
            MemberLeft(
                playgroundID: ChatWorld.playground,
                accountID: account,
                actorID: account,
                subjectVersion: nextVersion()
            )
        )
    }

    @discardableResult
    mutating func join(_ channel: ChannelID, by account: AccountID) -> Happening {
        members[channel]?.insert(account)
        return tell(
            MemberJoined(
                playgroundID: channels[channel]?.playgroundID,
                channelID: channel,
                account: people.account(account),
                role: .member,
                joinedAt: clock,
                subjectVersion: nextVersion()
            )
        )
    }

    @discardableResult
    mutating func close(_ id: ChannelID) -> Happening {
        let playground = forget(id)
        return tell(
            ChannelDeleted(channelID: id, playgroundID: playground, actorID: 1, subjectVersion: nextVersion())
        )
    }

    @discardableResult
    mutating func closePlayground() -> Happening {
        let gone = channels.values.filter { $0.playgroundID != nil }.map(\.id).sorted()
        for id in gone { _ = forget(id) }
        return tell(
            PlaygroundDeleted(
                playgroundID: ChatWorld.playground,
                channelIDs: gone,
                actorID: 1,
                subjectVersion: nextVersion()
            )
        )
    }

    private mutating func forget(_ id: ChannelID) -> PlaygroundID? {
        messages = messages.filter { $0.value.channelID != id }
        members[id] = nil
        return channels.removeValue(forKey: id)?.playgroundID
    }

    @discardableResult
    mutating func block(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(AccountBlocked(actorID: actor, targetID: target, subjectVersion: nextVersion()))
    }

    @discardableResult
    mutating func unblock(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(AccountUnblocked(actorID: actor, targetID: target, subjectVersion: nextVersion()))
    }

    @discardableResult
    mutating func mute(_ target: AccountID, by actor: AccountID) -> Happening {
        tell(
            AccountMuted(
                actorID: actor,
                targetID: target,
                notifications: true,
                expires: nil,
                subjectVersion: nextVersion()
            )
        )
    }
}

extension ChatWorld {
    /// People who do everything they can do in four channels.
    static func random(steps: Int, seed: UInt64) -> ChatWorld {
        var world = ChatWorld()
        var dice = TestSeed(seed)
        world.open(81, .public, "general", with: [1, 2, 3, 4])
        world.open(82, .private, "secret", with: [1, 2, 5])
        world.open(83, .direct, with: [1, 2])
        world.open(84, .group, with: [2, 3, 4])
        var nextMessage: Int64 = 5000
        for _ in 0..<steps {
            let actor = AccountID(Int64.random(in: 1...5, using: &dice))
            let target = AccountID(Int64.random(in: 1...5, using: &dice))
            guard let channel = world.channels.keys.sorted().randomElement(using: &dice) else { break }
            let message = world.messages.keys.sorted().randomElement(using: &dice)
            switch Int.random(in: 0..<40, using: &dice) {
            case 0...17:
                guard world.members[channel]?.contains(actor) == true else { continue }
                nextMessage += 1
                let wide: [WideMention?] = [nil, nil, nil, .channel, .here]
                world.say(
                    MessageID(nextMessage),
                    in: channel,
                    by: actor,
                    naming: Bool.random(using: &dice) ? [target] : [],
                    wide: wide.randomElement(using: &dice) ?? nil,
                    awaitedBy: Set((1...5).filter { _ in Bool.random(using: &dice) }.map { AccountID($0) })
                )
            case 18...21:
                guard let message else { continue }
                world.edit(message, "Edited \(nextMessage)", naming: Bool.random(using: &dice) ? [target] : [])
            case 22...23: if let message { world.delete(message) }
            case 24...27:
                world.read(channel, by: actor, upTo: Int64.random(in: 0...4, using: &dice))
            case 28: world.rename(channel, "name \(nextMessage)")
            case 29...30: world.leave(channel, by: actor)
            case 31...32: world.join(channel, by: actor)
            case 33: world.leavePlayground(by: actor)
            case 34 where actor != target: world.block(target, by: actor)
            case 35...36 where actor != target: world.unblock(target, by: actor)
            case 37 where actor != target: world.mute(target, by: actor)
            case 38: if Int.random(in: 0..<8, using: &dice) == 0 { world.close(channel) }
            case 39: if Int.random(in: 0..<40, using: &dice) == 0 { world.closePlayground() }
            default: continue
            }
        }
        return world
    }
}

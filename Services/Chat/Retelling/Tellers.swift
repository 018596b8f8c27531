// SPDX-License-Identifier: Apache-2.0
// What chat tells again to whoever rebuilds a projection of it.

import Domain
import Events
import Outbox

enum Tellers {
    static let all = [playgrounds, channels, playgroundMembers, channelMembers, messages]

    private static let playgrounds = Teller("playgrounds", tells: [PlaygroundCreated.self]) { place, transaction in
        let rows = try await RetoldStore.playgrounds(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.id.rawValue] }) {
            [Teller.Fact(PlaygroundCreated(playground: $0.snapshot), at: $0.createdAt)]
        }
    }

    private static let channels = Teller(
        "channels",
        tells: [ChannelCreated.self, ConversationOpened.self]
    ) { place, transaction in
        let rows = try await RetoldStore.channels(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.channel.id.rawValue] }) { row in
            let snapshot = row.channel.snapshot
            guard snapshot.type.isDirect else {
                return [Teller.Fact(ChannelCreated(channel: snapshot), at: snapshot.createdAt)]
            }
            // Who opened it is not kept; one who has nothing to accept may have.
            let opener = row.members.first { !row.requested.contains($0) } ?? row.members.first
            guard let opener else { return [] }
            let opened = ConversationOpened(
                channel: snapshot,
                memberIDs: row.members,
                requestedIDs: row.requested,
                actorID: opener
            )
            return [Teller.Fact(opened, at: snapshot.createdAt)]
        }
    }

    private static let playgroundMembers = Teller(
        "playground members",
        tells: [MemberJoined.self]
    ) { place, transaction in
        let rows = try await RetoldStore.playgroundMembers(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.place, $0.account.id.rawValue] }) { [joined($0)] }
    }

    private static let channelMembers = Teller(
        "channel members",
        tells: [MemberJoined.self, ConversationRead.self]
    ) { place, transaction in
        let rows = try await RetoldStore.channelMembers(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.place, $0.account.id.rawValue] }) { row in
            let channel = ChannelID(row.place)
            let read = ConversationRead(
                channelID: channel,
                accountID: row.account.id,
                lastReadSeq: row.lastReadSeq,
                subjectVersion: row.version
            )
            // When it was read is not kept: what is kept of it for a time is kept from now on.
            return (row.isRequested ? [] : [joined(row, channel)])
                + (row.lastReadSeq > 0 ? [Teller.Fact(read, at: .now())] : [])
        }
    }

    private static func joined(_ row: RetoldMember, _ channel: ChannelID? = nil) -> Teller.Fact {
        Teller.Fact(
            MemberJoined(
                playgroundID: row.playground,
                channelID: channel,
                account: row.account,
                role: row.role,
                joinedAt: row.joinedAt,
                subjectVersion: row.version
            ),
            at: row.joinedAt
        )
    }

    private static let messages = Teller(
        "messages",
        tells: [MessageSent.self, MentionRaised.self, MessageAwaited.self]
    ) { place, transaction in
        let rows = try await RetoldStore.messages(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.message.id.rawValue] }) { row in
            guard let author = row.author else { return [] }
            let (message, channel) = (row.message, row.channel)
            let sent = MessageSent(message: message, author: author, channel: channel, recipientIDs: row.recipients)
            let raised = MentionRaised.chunks(
                of: message,
                author: author,
                channel: channel,
                mentioned: row.mentioned,
                ifConnected: []
            )
            let awaited = MessageAwaited.chunks(of: message, author: author, channel: channel, by: row.listeners)
            let facts: [Teller.Fact] =
                raised.map { Teller.Fact($0, at: message.createdAt) }
                + awaited.map { Teller.Fact($0, at: message.createdAt) }
            return [Teller.Fact(sent, at: message.createdAt)] + facts
        }
    }
}

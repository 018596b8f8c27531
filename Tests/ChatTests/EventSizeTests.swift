// SPDX-License-Identifier: Apache-2.0
// Every event of chat at its limits fits the outbox.

import Domain
import Events
import Support
import Testing

@Suite struct EventSizeTests {
    /// With the bounds of chat: names of 80 characters, descriptions of 1,000 in four bytes each, texts of 24,000 bytes, 1,000 channels.
    private static func events() throws -> [any Event] {
        // Chat knows of people no more than this.
        let person = AccountSnapshot(
            id: .largest,
            username: try .largest(),
            displayName: .wide(30),
            createdAt: .largest,
            version: .max
        )
        let playground = PlaygroundSnapshot(
            id: .largest,
            name: .wide(80),
            description: .wide(1000),
            coverID: .largest,
            ownerID: .largest,
            createdAt: .largest,
            version: .max
        )
        let channel = ChannelSnapshot(
            id: .largest,
            type: .private,
            playgroundID: .largest,
            name: .wide(80),
            description: .wide(1000),
            ownerID: .largest,
            archivedAt: .largest,
            createdAt: .largest,
            version: .max
        )
        let address = "https://" + String(repeating: "g", count: 2040)
        let message = MessageSnapshot(
            id: .largest,
            channelID: .largest,
            seq: .max,
            authorID: .largest,
            text: String(repeating: "t", count: 24_000),
            language: String(repeating: "l", count: 35),
            attachmentIDs: .largest(10),
            gif: GifSnapshot(
                id: .wide(25),
                url: address,
                previewURL: address,
                width: .max,
                height: .max,
                title: .wide(75)
            ),
            replyToID: .largest,
            threadID: .largest,
            mentions: Array(repeating: MentionSnapshot(id: .largest, username: try .largest()), count: 100),
            wideMention: .channel,
            createdAt: .largest,
            editedAt: .largest,
            deletedAt: .largest,
            change: .max
        )
        let (id, place, room) = (person.id, playground.id, channel.id)
        let update = ChatUpdate(
            channelID: room,
            accountIDs: .largest(5000),
            event: "message",
            payload: Array(String(repeating: "\"\\", count: 30_000).utf8),
            seq: .max,
            except: [id],
            joined: [],
            left: [],
            closed: .largest(1000)
        )
        return [
            PlaygroundCreated(playground: playground), PlaygroundUpdated(playground: playground),
            PlaygroundDeleted(playgroundID: place, channelIDs: .largest(1000), actorID: id, subjectVersion: .max),
            MemberJoined(
                playgroundID: place,
                channelID: room,
                account: person,
                role: .admin,
                joinedAt: .largest,
                subjectVersion: .max
            ),
            MemberLeft(playgroundID: place, channelID: room, accountID: id, actorID: id, subjectVersion: .max),
            RoleChanged(
                playgroundID: place,
                channelID: room,
                accountID: id,
                role: .admin,
                actorID: id,
                subjectVersion: .max
            ),
            OwnershipTransferred(
                playgroundID: place,
                channelID: room,
                ownerID: id,
                formerOwnerID: id,
                subjectVersion: .max
            ),
            ChannelCreated(channel: channel), ChannelUpdated(channel: channel), ChannelArchived(channel: channel),
            ChannelDeleted(channelID: room, playgroundID: place, actorID: id, subjectVersion: .max),
            ConversationOpened(channel: channel, memberIDs: .largest(20), requestedIDs: .largest(20), actorID: id),
            MessageSent(message: message, author: person, channel: channel, recipientIDs: .largest(20)),
            MessageEdited(message: message, author: person, channel: channel),
            MessageDeleted(
                messageID: message.id,
                channelID: room,
                seq: .max,
                authorID: id,
                actorID: id,
                subjectVersion: .max
            ),
            MessageReacted(
                messageID: message.id,
                channelID: room,
                authorID: id,
                actorID: id,
                emoji: .wide(8),
                isAdded: true,
                subjectVersion: .max
            ),
            MessagePinned(messageID: message.id, channelID: room, actorID: id, isPinned: true, subjectVersion: .max),
            ConversationRead(channelID: room, accountID: id, lastReadSeq: .max, subjectVersion: .max),
            MentionRaised(
                message: message,
                author: person,
                channel: channel,
                mentionedIDs: .largest(500),
                mentionedIfConnectedIDs: .largest(500)
            ),
            MessageAwaited(message: message, author: person, channel: channel, recipientIDs: .largest(500)),
            ChatUpdated(update: update, subjectVersion: .max),
            Former(ChatUpdated(update: update, subjectVersion: .max)),
            ProjectRoomChanged(
                projectID: .largest,
                playgroundID: .largest,
                channelID: .largest,
                subjectVersion: .max
            ),
            ProjectMemberLeft(projectID: .largest, accountID: .largest, since: .max, subjectVersion: .max),
            ReportedThingTold<ThingKeepers.Chat>.largest(text: message.text),
            ThingFlagged(
                thing: Thing(kind: .playground, id: String(Int64.max)),
                accountID: .largest,
                termID: .largest,
                flaggedAt: .largest,
                subjectVersion: .max
            ),
        ]
    }

    @Test func `every event of chat fits at its limits`() throws {
        try expectFitting(Self.events(), of: "chat")
    }
}

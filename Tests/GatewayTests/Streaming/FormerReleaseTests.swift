// SPDX-License-Identifier: Apache-2.0
// Live messages as the release before tells them, which run beside this one's during an upgrade.

import Domain
import Events
import Foundation
import NIOCore
import Support
import Testing

@testable import GatewayService

@Suite struct FormerReleaseTests {
    private func fixture(_ type: String) throws -> [UInt8] {
        let file = repositoryRoot.appendingPathComponent("Tests/Fixtures/events/\(type).json")
        return Array(try Data(contentsOf: file))
    }

    @Test func `a stream's message means the same in both forms`() throws {
        let payload = #"{"id":"110000000000000005","content":"<p>\"하나\"</p>","media_attachments":[{"id":"1"}]}"#
        let update = LiveUpdate(
            streams: ["user:1", LiveUpdate.publicTimeline],
            event: "update",
            payload: Array(payload.utf8),
            hasMedia: true,
            except: [AccountID(2)]
        )
        let now = TimelineUpdated(postID: PostID(3), update: update, subjectVersion: 4)
        for (body, key) in [
            (try message(now), TimelineUpdated.type), (try message(Former(now)), Former<TimelineUpdated>.type),
        ] {
            guard case .update(let read) = try LiveMessage(body, key: key) else {
                Issue.record("\(key) is no update")
                continue
            }
            #expect(read == update, "\(key)")
        }
    }

    @Test func `a message of chat means the same in both forms`() throws {
        let payload = #"{"id":"5","seq":7,"text":"a \"word\"","change":9}"#
        let update = ChatUpdate(
            channelID: ChannelID(20),
            event: "message:edited",
            payload: Array(payload.utf8),
            seq: 7,
            change: 9
        )
        var former = update
        // Its header has a number of new messages only, and none of states.
        (former.seq, former.change) = (nil, nil)
        for (body, key) in [
            (try message(ChatUpdated(update: update, subjectVersion: 1)), ChatUpdated.type),
            (try message(Former(ChatUpdated(update: former, subjectVersion: 1))), Former<ChatUpdated>.type),
        ] {
            guard case .chat(let read) = try LiveMessage(body, key: key) else {
                Issue.record("\(key) is none of chat")
                continue
            }
            #expect(read.isChange && read.seq == 7 && read.change == 9, "\(key)")
            #expect(String(buffer: read.payload) == payload, "\(key)")
        }
    }

    @Test(arguments: Catalogue.former.map { $0.type })
    func `a frozen live event of the release before is understood`(_ type: String) throws {
        switch try LiveMessage(try fixture(type), key: type) {
        case .update(let update): #expect(!update.payload.isEmpty)
        case .chat(let chat): #expect(chat.payload.readableBytes > 0)
        default: Issue.record("\(type) is not understood")
        }
    }

    @Test func `whoever says it is something else is not believed`() throws {
        let now = TimelineUpdated(
            postID: PostID(3),
            update: LiveUpdate(streams: ["public"], event: "update", payload: []),
            subjectVersion: 4
        )
        let body = try message(now)
        #expect(throws: LiveMessage.NotOfItsKey.self) { try LiveMessage(body, key: NotificationCreated.type) }
    }
}

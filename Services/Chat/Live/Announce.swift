// SPDX-License-Identifier: Apache-2.0
// Tells open connections what changed.

import Domain
import Events
import Outbox
import Postgres
import Views

extension Dependencies {
    /// Ids that one message for open connections carries at most, so that it stays well below its largest size.
    static let idsInUpdate = 5000

    /// Tells open connections, if and only if the transaction commits, and in the order of the calls.
    func announce(_ update: ChatUpdate, in transaction: Transaction) throws {
        try transaction.record(ChatUpdated(update: update, subjectVersion: nextNumber()))
    }

    /// The payload of the event `playground`.
    func news(_ action: String, _ playground: PlaygroundView) -> [UInt8] {
        payload { json in
            json.member("action", action)
            json.member("playground", playground)
        }
    }

    /// The payload of the event `channel`.
    func news(_ action: String, _ channel: ChannelView) -> [UInt8] {
        payload { json in
            json.member("action", action)
            json.member("channel", channel)
        }
    }

    /// The payload of the event `channel` for those who may know no more of it than its id.
    func news(gone channel: ChannelID, from playground: PlaygroundID?) -> [UInt8] {
        payload { json in
            json.member("action", "deleted")
            json.member(
                "channel",
                object: { json in
                    json.member("id", channel)
                    json.member("playground_id", playground)
                }
            )
        }
    }

    /// The payload of the event `playground` for a playground that is no more, or is none of the reader's any more.
    func news(_ action: String, gone playground: PlaygroundID) -> [UInt8] {
        payload { json in
            json.member("action", action)
            json.member("playground", object: { json in json.member("id", playground) })
        }
    }

    /// The payload of the event `member`; without a channel it is about the playground and all channels in it.
    func news(
        _ action: String,
        _ person: Person,
        role: ChatRole?,
        playground: PlaygroundID?,
        channel: ChannelID? = nil
    ) -> [UInt8] {
        payload { json in
            json.member("playground_id", playground)
            json.member("channel_id", channel)
            json.member("account", PersonView(person, site: site))
            json.member("action", action)
            json.member("role", role?.rawValue)
        }
    }

    private func payload(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.bytes
    }
}

extension Array {
    /// The elements in parts of at most `size`; one empty part when there are none.
    func parts(of size: Int) -> [[Element]] {
        guard count > size else { return [self] }
        return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// A message of chat from the broker, read once for all event loops.

import Events
import JSON
import NIOCore
import ServiceKit

struct ChatLive: Sendable {
    let update: ChatUpdate
    let payload: ByteBuffer
    /// The number of the message that it is, or that it is about; 0 for neither.
    var seq: Int64 { update.seq ?? 0 }
    var change: Int64 { update.change ?? 0 }

    init(_ update: ChatUpdate) {
        var header = update
        header.payload = []
        self.update = header
        payload = ByteBuffer(bytes: update.payload)
    }

    /// In the form of the release before, whose header lacks numbers that stand in the payload.
    init(_ former: Former<ChatUpdated>) {
        var update = former.now.update
        let json = RawJSON(ByteBuffer(bytes: update.payload))
        update.seq = update.seq ?? json.member("seq")?.integer
        update.change = json.member("change")?.integer
        self.init(update)
    }

    var isMessage: Bool { update.event == "message" && seq > 0 }

    var isChange: Bool {
        seq > 0 && change > 0 && (update.event.hasPrefix("message:") || update.event == "reaction")
    }
}

/// What is counted of chat.
struct ChatCounters: Sendable {
    let deliveries: Counter
    let gaps: Counter
    let resyncs: Counter
    let typingDropped: Counter

    init(_ metrics: Metrics) {
        deliveries = metrics.counter(
            "madang_gateway_chat_deliveries_total",
            help: "Events of chat written to connections."
        )
        gaps = metrics.counter(
            "madang_gateway_chat_gaps_filled_total",
            help: "Messages fetched because the broker had not brought them."
        )
        resyncs = metrics.counter(
            "madang_gateway_chat_resyncs_total",
            help: "Times that a connection or channel had to be told to load anew."
        )
        typingDropped = metrics.counter(
            "madang_gateway_chat_typing_dropped_total",
            help: "Notes that somebody writes that were not passed on."
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// Which published messages the broker has not answered yet.

import DequeModule

/// Messages that wait to be sent and messages that wait for their confirm, by delivery tag.
///
/// The broker numbers what is published on a channel from 1; a confirm names one number or all up to it. A message that
/// no queue takes comes back first, known only by its message id, and is confirmed after that.
struct ConfirmWindow<Entry> {
    private struct Flight {
        let entry: Entry
        let messageID: String
        var returned: String?
    }

    let limit: Int
    private var waiting: Deque<Entry> = []
    /// The first has the tag `lowest`; nil is answered.
    private var flights: Deque<Flight?> = []
    private var lowest: UInt64 = 1
    private(set) var inFlight = 0
    /// Messages at the head of which one made the broker close the channel: they go one at a time.
    private(set) var suspects = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var isEmpty: Bool { waiting.isEmpty && inFlight == 0 }
    var canSend: Bool { !waiting.isEmpty && inFlight < room }
    private var room: Int { suspects > 0 ? 1 : limit }

    mutating func enqueue(_ entry: Entry) { waiting.append(entry) }

    /// The next message to send, which takes the next tag; nil while the window is full.
    mutating func send(messageID: (Entry) -> String) -> Entry? {
        guard inFlight < room, let entry = waiting.popFirst() else { return nil }
        flights.append(Flight(entry: entry, messageID: messageID(entry)))
        inFlight += 1
        return entry
    }

    /// The oldest message in flight with this id will be answered as returned.
    mutating func returned(messageID: String, reason: String) {
        let index = flights.firstIndex { $0.map { $0.returned == nil && $0.messageID == messageID } ?? false }
        if let index { flights[index]?.returned = reason }
    }

    /// Takes the broker's answer to the message with the tag, or to all up to it.
    mutating func answered(_ tag: UInt64, multiple: Bool, refused: Bool, _ resolve: (Entry, PublishOutcome) -> Void) {
        guard tag >= lowest, tag - lowest < UInt64(flights.count) else { return }
        let last = Int(tag - lowest)
        for index in (multiple ? 0 : last)...last {
            guard let flight = flights[index] else { continue }
            flights[index] = nil
            inFlight -= 1
            suspects = max(0, suspects - 1)
            resolve(flight.entry, refused ? .refused : flight.returned.map { .returned($0) } ?? .confirmed)
        }
        while let first = flights.first, first == nil {
            flights.removeFirst()
            lowest += 1
        }
    }

    /// The connection is gone: what was not answered is sent again, in its order, and tags begin at 1.
    mutating func lost() {
        waiting.prepend(contentsOf: flights.compactMap { $0?.entry })
        flights.removeAll()
        lowest = 1
        inFlight = 0
    }

    /// The broker closed the channel because of a message in flight. When it was the only one, that is the one; of
    /// several nobody knows, so that they are sent again one by one.
    ///
    /// - Returns: the one, which is not sent again.
    mutating func refused() -> Entry? {
        let sent = flights.compactMap { $0?.entry }
        guard sent.count == 1 else {
            suspects = max(suspects, sent.count)
            lost()
            return nil
        }
        flights.removeAll()
        lowest = 1
        inFlight = 0
        suspects = max(0, suspects - 1)
        return sent[0]
    }

    /// Gives up everything.
    mutating func abandon(_ resolve: (Entry) -> Void) {
        lost()
        while let entry = waiting.popFirst() { resolve(entry) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The messages of one channel, put into order for all connections of an event loop.

/// What has come of a channel, and what must be fetched before more may be delivered.
///
/// Messages leave it in the order of their numbers, each once and without a gap, whatever the broker loses, repeats or
/// reorders. A change leaves it only after the message that it is about, and never after a newer one of the same
/// message. Pure: the registry does what it asks for.
struct ChannelFeed<Item> {
    enum Action {
        case message(seq: Int64, change: Int64, Item)
        case change(seq: Int64, change: Int64, Item)
        /// Ask for the messages after this number.
        case fetch(after: Int64)
        /// Ask for the messages changed after this change.
        case fetchChanges(after: Int64)
        /// Too much was missed: whoever is up to date until `last` or earlier must load the rest.
        case resync(last: Int64, change: Int64)
    }

    /// A message as a fetch brought it, in both forms that may be needed.
    struct Fetched {
        let seq: Int64
        let change: Int64
        let asNew: Item
        let asChange: Item
    }

    private struct Held {
        let item: Item
        let change: Int64
    }

    private struct HeldChange {
        let seq: Int64
        let change: Int64
        let item: Item
    }

    /// Messages out of order, and messages missed, beyond which all is loaded anew.
    static var most: Int64 { 1000 }
    /// What one fetch asks for.
    static var page: Int { 200 }
    private static var mostStates: Int { 256 }
    private static var patience: Int { 5 }

    /// The number that must come next; nil while nothing is known of the channel.
    private(set) var next: Int64?
    /// The highest change of which we have heard.
    private(set) var change: Int64 = 0
    /// Changes until this one were before anybody listened.
    private var base: Int64 = 0
    private(set) var isFetching = false
    private(set) var isFetchingChanges = false
    /// The highest number that we know to exist.
    private var last: Int64 = 0
    private var held: [Int64: Held] = [:]
    private var heldChanges: [HeldChange] = []
    /// The newest state of the messages that were sent or changed last, by which older ones are known.
    private var states: [Int64: Int64] = [:]
    /// The last change before the broker was away: what came after it may have been lost.
    private var doubt: Int64?
    private var fruitless = 0
    private var fetchIsDue = false
    private var changesAreDue = false

    /// What is waiting for something missing.
    var heldCount: Int { held.count + heldChanges.count }

    /// Where the channel stands, as far as nothing better is known yet.
    ///
    /// - Parameter isNew: whether nobody has listened so far: whoever does will be told of earlier changes otherwise.
    mutating func begin(last: Int64, change: Int64, isNew: Bool = true) {
        guard next == nil, last < .max else { return }
        next = max(0, last) + 1
        self.change = max(self.change, change)
        if isNew { base = change }
    }

    /// A message came live.
    mutating func message(seq: Int64, change: Int64, _ item: Item) -> [Action] {
        guard seq > 0, seq < .max else { return [] }
        self.change = max(self.change, change)
        guard let next else {
            self.next = seq + 1
            return [.message(seq: seq, change: change, item)]
        }
        guard seq >= next else { return [] }
        if seq == next, held.isEmpty, heldChanges.isEmpty {
            self.next = seq + 1
            _ = isNews(seq, change)
            return [.message(seq: seq, change: change, item)]
        }
        if held[seq] == nil { held[seq] = Held(item: item, change: change) }
        return drain() + askForMissing()
    }

    /// A message that came earlier was changed.
    mutating func change(seq: Int64, change: Int64, _ item: Item) -> [Action] {
        self.change = max(self.change, change)
        guard change > base, isNews(seq, change) else { return [] }
        guard let next, seq >= next else { return [.change(seq: seq, change: change, item)] }
        heldChanges.append(HeldChange(seq: seq, change: change, item: item))
        return askForMissing()
    }

    /// The broker is away: from now on changes may be lost, until `position` has said where the channel stands.
    mutating func lost() { doubt = doubt ?? change }

    /// The broker is back: this is where the channel stands now.
    mutating func position(last: Int64, change: Int64) -> [Action] {
        guard let next else {
            begin(last: last, change: change)
            doubt = nil
            return []
        }
        if last < .max { self.last = max(self.last, last) }
        var actions: [Action] = []
        let known = doubt ?? self.change
        doubt = nil
        if change > known {
            self.change = max(self.change, change)
            if isFetchingChanges {
                // Its answer may be older than the loss.
                doubt = known
                changesAreDue = true
            } else {
                isFetchingChanges = true
                doubt = known
                actions.append(.fetchChanges(after: known))
            }
        } else {
            isFetchingChanges = false
        }
        if self.last >= next, self.last - next >= ChannelFeed.most { return skip(to: self.last) }
        return actions + askForMissing()
    }

    /// The messages after the number that was asked for, in order.
    mutating func fetched(_ messages: [Fetched]) -> [Action] {
        guard isFetching else { return [] }
        isFetching = false
        let before = next
        for message in messages {
            guard let next, message.seq >= next, message.seq < .max else { continue }
            if let other = held[message.seq], other.change > message.change { continue }
            held[message.seq] = Held(item: message.asNew, change: message.change)
        }
        let drained = drain()
        fruitless = next == before ? fruitless + 1 : 0
        if fruitless >= ChannelFeed.patience {
            // What was announced cannot be had: go on from what there is.
            fruitless = 0
            return drained + skip(to: highest)
        }
        return drained + askForMissing()
    }

    /// The messages changed after the change that was asked for, in the order of their changes.
    mutating func fetchedChanges(_ messages: [Fetched]) -> [Action] {
        guard isFetchingChanges, let after = doubt else { return [] }
        var actions: [Action] = []
        var highest = after
        for message in messages {
            highest = max(highest, message.change)
            // What comes as a new message comes in its newest state.
            guard let next, message.seq < next, isNews(message.seq, message.change) else { continue }
            actions.append(.change(seq: message.seq, change: message.change, message.asChange))
        }
        change = max(change, highest)
        if highest > after, messages.count >= ChannelFeed.page || changesAreDue {
            changesAreDue = false
            doubt = highest
            actions.append(.fetchChanges(after: highest))
        } else if changesAreDue {
            changesAreDue = false
            actions.append(.fetchChanges(after: after))
        } else {
            isFetchingChanges = false
            doubt = nil
        }
        return actions
    }

    /// The service did not answer; `retry` asks again.
    mutating func fetchFailed() {
        if isFetching { fetchIsDue = true }
        isFetching = false
    }

    mutating func fetchOfChangesFailed() {
        if isFetchingChanges { changesAreDue = true }
        isFetchingChanges = false
    }

    /// What is still wanted after a failure.
    mutating func retry() -> [Action] {
        var actions: [Action] = []
        if fetchIsDue {
            fetchIsDue = false
            actions += askForMissing()
        }
        if changesAreDue, !isFetchingChanges, let doubt {
            changesAreDue = false
            isFetchingChanges = true
            actions.append(.fetchChanges(after: doubt))
        }
        return actions
    }

    /// Notes the state of a message; false when that or a newer one was known.
    private mutating func isNews(_ seq: Int64, _ change: Int64) -> Bool {
        if let state = states[seq], change <= state { return false }
        states[seq] = change
        if states.count > ChannelFeed.mostStates {
            let median = states.values.sorted()[states.count / 2]
            states = states.filter { $0.value >= median }
        }
        return true
    }

    private var highest: Int64 {
        max(last, max(held.keys.max() ?? 0, heldChanges.map(\.seq).max() ?? 0))
    }

    /// What can be delivered of that which waits.
    private mutating func drain() -> [Action] {
        guard var next else { return [] }
        var actions: [Action] = []
        while let message = held.removeValue(forKey: next) {
            actions.append(.message(seq: next, change: message.change, message.item))
            _ = isNews(next, message.change)
            heldChanges.removeAll { $0.seq == next && $0.change <= message.change }
            next += 1
        }
        self.next = next
        guard !heldChanges.isEmpty else { return actions }
        for waiting in heldChanges where waiting.seq < next {
            actions.append(.change(seq: waiting.seq, change: waiting.change, waiting.item))
        }
        heldChanges.removeAll { $0.seq < next }
        return actions
    }

    private mutating func askForMissing() -> [Action] {
        guard let next, !isFetching else { return [] }
        if heldCount > Int(ChannelFeed.most) { return skip(to: highest) }
        guard highest >= next else { return [] }
        isFetching = true
        return [.fetch(after: next - 1)]
    }

    private mutating func skip(to last: Int64) -> [Action] {
        guard let next, last >= next, last < .max else { return [] }
        self.next = last + 1
        held.removeAll()
        heldChanges.removeAll()
        isFetchingChanges = false
        changesAreDue = false
        doubt = nil
        return [.resync(last: last, change: change)]
    }
}

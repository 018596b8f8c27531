// SPDX-License-Identifier: Apache-2.0
// What one connection has got of each channel, while that may differ from what its event loop has delivered.

import Domain

/// Joins what a connection missed and what comes live into one order.
///
/// Until `finish`, everything that comes live is kept. Then a channel's position tells what of it was among the missed
/// already. A position is forgotten once the loop has come as far: a connection at rest holds none.
struct CatchUp<Item> {
    struct Position: Equatable {
        /// The number of the next message that the connection has not got.
        var next: Int64
        /// Changes up to this one are known to it.
        var change: Int64
    }

    enum Kind {
        case message(ChannelID, seq: Int64, change: Int64)
        case change(ChannelID, seq: Int64, change: Int64)
        /// Whoever has not got everything until `last` must load it.
        case resync(ChannelID, last: Int64)
        case other
    }

    enum Verdict: Equatable {
        case emit, keep, drop
        /// The connection has the message, but in an older state.
        case emitAsChange
        /// More came meanwhile than is kept.
        case overflow
    }

    static var most: Int { 2000 }

    private(set) var isReady = false
    private(set) var positions: [ChannelID: Position] = [:]
    private var kept: [(kind: Kind, item: Item)] = []

    /// What to do with something that came live.
    mutating func offer(_ kind: Kind, _ item: @autoclosure () -> Item) -> Verdict {
        guard isReady else {
            guard kept.count < CatchUp.most else { return .overflow }
            kept.append((kind, item()))
            return .keep
        }
        return judge(kind)
    }

    /// Everything of the channel until these was sent.
    mutating func replayed(_ channel: ChannelID, last: Int64, change: Int64) {
        guard last < .max else { return }
        positions[channel] = Position(next: last + 1, change: change)
    }

    /// All that was missed has been sent: what came meanwhile follows, and from now on the rest as it comes.
    mutating func finish() -> [(item: Item, isChange: Bool)] {
        isReady = true
        var items: [(Item, Bool)] = []
        for (kind, item) in kept {
            switch judge(kind) {
            case .emit: items.append((item, false))
            case .emitAsChange: items.append((item, true))
            case .keep, .drop, .overflow: break
            }
        }
        kept = []
        return items
    }

    /// The loop has delivered everything of the channel before `next` and until `change`.
    mutating func settle(_ channel: ChannelID, next: Int64, change: Int64) {
        guard let position = positions[channel], position.next <= next, position.change <= change else { return }
        positions[channel] = nil
    }

    private mutating func judge(_ kind: Kind) -> Verdict {
        guard !positions.isEmpty else { return .emit }
        switch kind {
        case .message(let channel, let seq, let change):
            guard let position = positions[channel] else { return .emit }
            guard seq >= position.next, seq < .max else { return change > position.change ? .emitAsChange : .drop }
            positions[channel]?.next = seq + 1
            return .emit
        case .change(let channel, _, let change):
            guard let position = positions[channel] else { return .emit }
            return change > position.change ? .emit : .drop
        case .resync(let channel, let last):
            guard let position = positions[channel] else { return .emit }
            guard last >= position.next else { return .drop }
            positions[channel] = nil
            return .emit
        case .other: return .emit
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The order of the relay, without a broker.

import Domain
import Events
import Testing

@testable import Outbox

@Suite struct RelayStateTests {
    private var state = RelayState()

    /// - Parameter type: one of its own, so that of a subject only one goes at a time.
    private func row(
        _ id: Int64,
        _ subject: String,
        type: String? = nil,
        to audience: Audience = .services
    ) -> OutboxRow {
        OutboxRow(
            id: id,
            eventID: "e\(id)",
            type: type ?? "t\(id)",
            subject: subject,
            audience: audience.rawValue,
            envelope: []
        )
    }

    private mutating func fetch(_ rows: OutboxRow...) { _ = state.fetched(rows, epoch: state.epoch) }

    @Test mutating func `rows of different subjects go together, of one subject one after the other`() {
        fetch(row(1, "a"), row(2, "a"), row(3, "b"), row(4, "a"))
        let first = state.nextBatch() ?? []
        #expect(first.map(\.id) == [1, 3])
        #expect(state.nextBatch() == nil)
        state.settled(first.map { ($0, .confirmed) })
        let second = state.nextBatch() ?? []
        #expect(second.map(\.id) == [2])
        #expect(state.takeConfirmed() == [1, 3])
        state.settled([(second[0], .confirmed)])
        #expect(state.nextBatch()?.map(\.id) == [4])
    }

    @Test mutating func `rows of one subject that take the same way go together`() {
        fetch(row(1, "a", type: "t"), row(2, "a", type: "t"), row(3, "a", type: "u"), row(4, "a", type: "t"))
        let first = state.nextBatch() ?? []
        #expect(first.map(\.id) == [1, 2])
        fetch(row(5, "a", type: "t"))
        #expect(state.nextBatch() == nil)
        state.settled(first.map { ($0, .confirmed) })
        let second = state.nextBatch() ?? []
        #expect(second.map(\.id) == [3])
        state.settled(second.map { ($0, .confirmed) })
        #expect(state.nextBatch()?.map(\.id) == [4, 5])
    }

    @Test mutating func `what is live and what is kept of one subject do not wait for each other`() {
        fetch(
            row(1, "a", type: "t"),
            row(2, "a", type: "l", to: .live),
            row(3, "a", type: "t"),
            row(4, "a", type: "l", to: .live),
            row(5, "a", type: "m", to: .live)
        )
        let kept = state.nextBatch() ?? []
        let live = state.nextBatch() ?? []
        #expect(kept.map(\.id) == [1, 3] && live.map(\.id) == [2, 4])
        state.settled([(kept[0], .confirmed), (kept[1], .failed)])
        state.settled(live.map { ($0, .confirmed) })
        // What was kept failed; what is live goes on.
        #expect(state.nextBatch()?.map(\.id) == [5])
        fetch(row(6, "a", type: "t"))
        #expect(state.nextBatch() == nil)
    }

    @Test mutating func `those behind wait when one of several that went together failed`() {
        fetch(row(1, "a", type: "t"), row(2, "a", type: "t"), row(3, "a", type: "u"))
        let batch = state.nextBatch() ?? []
        state.settled([(batch[0], .confirmed), (batch[1], .failed)])
        #expect(state.nextBatch() == nil)
        #expect(state.takeConfirmed() == [1] && state.takeFailed() == [2])
        state.forget([1, 2])
        #expect(state.nextBatch() == nil && state.known.isEmpty)
    }

    @Test mutating func `of one subject no more go together than fit a batch`() {
        _ = state.fetched((0..<150).map { row($0, "a", type: "t") }, epoch: 0)
        let first = state.nextBatch() ?? []
        #expect(first.count == RelayState.batchSize)
        #expect(state.nextBatch() == nil)
        state.settled(first.map { ($0, .confirmed) })
        #expect(state.nextBatch()?.map(\.id) == Array(100..<150))
    }

    @Test mutating func `what is known is not taken twice until it is forgotten`() {
        fetch(row(1, "a"))
        let batch = state.nextBatch() ?? []
        fetch(row(1, "a"))
        #expect(state.nextBatch() == nil)
        state.settled([(batch[0], .confirmed)])
        fetch(row(1, "a"))
        #expect(state.nextBatch() == nil)
        state.forget(state.takeConfirmed())
        #expect(state.known.isEmpty && state.isIdle)
    }

    @Test mutating func `nobody overtakes a row that failed`() {
        fetch(row(1, "a"), row(2, "a"), row(3, "b"))
        let batch = state.nextBatch() ?? []
        state.settled([(batch[0], .failed), (batch[1], .confirmed)])
        #expect(state.nextBatch() == nil)
        // Read while the failure is being written: still behind it.
        fetch(row(4, "a"))
        #expect(state.nextBatch() == nil)
        let stale = state.epoch
        #expect(state.takeFailed() == [1])
        state.forget([1])
        // Read before the failure was written: read again.
        let mustReadAgain = state.fetched([row(2, "a")], epoch: stale)
        #expect(mustReadAgain)
        #expect(state.nextBatch() == nil)
        #expect(state.known == [3])
    }

    @Test mutating func `a row that is refused for good lets those behind it go`() {
        fetch(row(1, "a"), row(2, "a"))
        let batch = state.nextBatch() ?? []
        state.settled([(batch[0], .refused("too large"))])
        #expect(state.nextBatch()?.map(\.id) == [2])
        #expect(!state.isIdle)
        #expect(state.takeRefused().map(\.id) == [1])
        #expect(state.takeConfirmed().isEmpty && state.takeFailed().isEmpty)
    }

    private mutating func record(_ rows: (row: OutboxRow, previous: Int64?)...) -> Bool {
        state.recorded(rows.map { RecordedRow(row: $0.row, previous: $0.previous) })
    }

    @Test mutating func `what was recorded here goes without being read, and behind what is known of its subject`() {
        let mustRead = record((row(1, "a"), nil), (row(2, "b"), nil))
        #expect(!mustRead)
        let first = state.nextBatch() ?? []
        #expect(first.map(\.id) == [1, 2])
        let mustReadBehind = record((row(3, "a"), 1))
        #expect(!mustReadBehind)
        #expect(state.nextBatch() == nil)
        state.settled(first.map { ($0, .confirmed) })
        #expect(state.nextBatch()?.map(\.id) == [3])
        // Whoever wrote before the deletion was seen still speaks of the row that went.
        state.forget(state.takeConfirmed())
        let mustReadAfter = record((row(4, "b"), 2))
        #expect(!mustReadAfter)
        #expect(state.nextBatch()?.map(\.id) == [4])
    }

    @Test mutating func `what was recorded here does not overtake what another process recorded`() {
        // 5 is the other's; 7 was written with 6 and does not know of it.
        let mustRead = record((row(6, "a"), 5), (row(7, "a"), nil), (row(8, "b"), nil))
        #expect(mustRead)
        #expect(state.nextBatch()?.map(\.id) == [8])
        fetch(row(5, "a"), row(6, "a"), row(7, "a"), row(8, "b"))
        #expect(state.nextBatch()?.map(\.id) == [5])
    }

    @Test mutating func `what was recorded here does not overtake a failed row that nobody knows any more`() {
        fetch(row(1, "a"))
        let batch = state.nextBatch() ?? []
        state.settled([(batch[0], .failed)])
        state.forget(state.takeFailed())
        let mustRead = record((row(2, "a"), 1))
        #expect(mustRead)
        #expect(state.nextBatch() == nil && state.known.isEmpty)
    }

    @Test mutating func `what was recorded here does not overtake a failed row that another hides`() {
        fetch(row(1, "a", type: "t"), row(2, "a", type: "t"))
        let batch = state.nextBatch() ?? []
        state.settled([(batch[0], .failed), (batch[1], .confirmed)])
        state.forget(state.takeFailed())
        // The other has gone, and is not deleted yet.
        let mustRead = record((row(3, "a"), 2))
        #expect(mustRead)
        #expect(state.nextBatch() == nil)
        fetch(row(1, "a", type: "t"), row(3, "a"))
        let again = state.nextBatch() ?? []
        #expect(again.map(\.id) == [1])
        state.settled([(again[0], .confirmed)])
        #expect(state.nextBatch()?.map(\.id) == [3])
        let mustReadAfter = record((row(4, "a"), 3))
        #expect(!mustReadAfter)
    }

    @Test mutating func `what was recorded here is not taken beyond what fits`() {
        _ = state.fetched((0..<1000).map { row($0, "s\($0)") }, epoch: 0)
        let mustRead = record((row(2000, "z"), nil))
        #expect(mustRead)
        #expect(state.known.count == RelayState.mostKnown)
    }

    @Test mutating func `what the broker has is not taken again by whoever read before it was deleted`() {
        _ = record((row(1, "a"), nil))
        let batch = state.nextBatch() ?? []
        state.settled([(batch[0], .confirmed)])
        state.forget(state.takeConfirmed())
        fetch(row(1, "a"))
        #expect(state.nextBatch() == nil && state.known.isEmpty)
    }

    @Test mutating func `batches and flights are bounded`() {
        _ = state.fetched((0..<1000).map { row($0, "s\($0)") }, epoch: 0)
        #expect(!state.hasRoom)
        var sizes: [Int] = []
        while let batch = state.nextBatch() { sizes.append(batch.count) }
        #expect(sizes == Array(repeating: RelayState.batchSize, count: RelayState.largestFlight))
    }

    @Test mutating func `what is live goes while all that may be under way of what is kept is`() {
        _ = state.fetched((0..<300).map { row($0, "s\($0)") }, epoch: 0)
        while state.nextBatch() != nil {}
        _ = record((row(1000, "a", to: .live), nil))
        let live = state.nextBatch() ?? []
        #expect(live.map(\.id) == [1000])
        state.settled(live.map { ($0, .confirmed) })
        #expect(state.nextBatch() == nil && !state.isIdle)
    }

    @Test func `event ids are UUIDs of version 7 that sort by time`() {
        let ids = (0..<100).map { EventID.new(at: .init(milliseconds: 1_767_323_045_678 + $0)) }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { $0.count == 36 && Array($0)[14] == "7" && "89ab".contains(Array($0)[19]) })
        #expect(ids[0].hasPrefix("019b7ca9-8f2e-7"))
        #expect(Set(ids).count == 100)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Which rows of the outbox may be published next.

import DequeModule
import Events

/// A row of the outbox.
struct OutboxRow: Sendable, Equatable {
    /// 0 until it is written.
    var id: Int64
    let eventID: String
    let type: String
    let subject: String
    let audience: String
    let envelope: [UInt8]

    /// Whether the broker takes both to the same queues.
    func takesTheWay(of other: OutboxRow) -> Bool { type == other.type && audience == other.audience }

    /// Rows that arrive in their order.
    struct Line: Hashable {
        let subject: String
        /// What is live goes to queues of its own, where nobody sees it beside what is kept.
        let isLive: Bool
    }

    var line: Line { Line(subject: subject, isLive: audience == Audience.live.rawValue) }
}

/// A row as the transaction that wrote it knows it.
struct RecordedRow: Sendable, Equatable {
    var row: OutboxRow
    /// The last row of its line that was in the outbox by then.
    var previous: Int64?
}

/// What became of a row.
enum Fate: Sendable, Equatable {
    case confirmed
    /// To be tried again later; those behind it wait.
    case failed
    /// Never: it is set aside with the reason, and those behind it go on.
    case refused(String)
}

/// What the relay knows of the outbox: pure, so that its order can be tested without a broker.
///
/// Of one line, which is what is kept or what is live of a subject, only rows of one type are on their way at a time, in their order
/// and in one batch; the next wait for their confirms. One way leads all of them to the same queues, so that the broker takes them in
/// that order. Rows of different lines go together, several batches at once.
///
/// Rows are read from the table, or handed over by the transaction of this process that wrote them. The latter says which row
/// of the line was there before, whoever wrote it: only where that is known here, and with it all before it, may the new one go without
/// the table being read.
struct RelayState {
    static let batchSize = 100
    /// Batches under way, of what is kept and of what is live: what comes meanwhile goes together into the next.
    static let largestFlight = 2
    static let mostKnown = 1000
    /// Rows that went and are remembered.
    private static let mostGone = 4096

    /// What is live waits for no disk, and for nothing that does.
    private struct Traffic {
        /// Rows that may go.
        var ready: Deque<OutboxRow> = []
        var batchesInFlight = 0

        mutating func nextBatch(_ behind: inout [OutboxRow.Line: Deque<OutboxRow>]) -> [OutboxRow]? {
            guard batchesInFlight < RelayState.largestFlight, !ready.isEmpty else { return nil }
            var batch: [OutboxRow] = []
            while batch.count < RelayState.batchSize, let row = ready.popFirst() {
                batch.append(row)
                // Those behind it that take the same way go along.
                let line = row.line
                while batch.count < RelayState.batchSize, let next = behind[line]?.first, next.takesTheWay(of: row) {
                    batch.append(next)
                    behind[line]?.removeFirst()
                }
            }
            batchesInFlight += 1
            return batch
        }
    }

    /// Rows that must not be fetched again: on their way, waiting, or not yet deleted.
    private(set) var known: Set<Int64> = []
    private var kept = Traffic()
    private var live = Traffic()
    /// Lines that have a row ready or on its way, with the rows behind it.
    private var behind: [OutboxRow.Line: Deque<OutboxRow>] = [:]
    private var confirmed: [Int64] = []
    private var refused: [(id: Int64, reason: String)] = []
    private var failed: [Int64] = []
    /// Rows that failed and are not yet marked so, with their lines: until then nobody behind them may be fetched.
    private var postponed: [Int64: OutboxRow.Line] = [:]
    /// Rows that are marked as failed, until they go after all: another of their line that went with them may hide them from who
    /// looks for the row before.
    private var putOff: [OutboxRow.Line: Set<Int64>] = [:]
    /// Rises when rows were put off: what was read before that may hold rows that must wait behind them.
    private(set) var epoch = 0
    /// Rows that the broker has: who read or wrote at that moment may still speak of them.
    private var gone: Set<Int64> = []
    private var goneInOrder: Deque<Int64> = []

    var hasRoom: Bool { known.count < RelayState.mostKnown }
    var isIdle: Bool {
        kept.batchesInFlight == 0 && live.batchesInFlight == 0 && confirmed.isEmpty && refused.isEmpty && failed.isEmpty
    }
    /// How many rows are to be deleted, and whether others are to be marked.
    var toWrite: (confirmed: Int, isOther: Bool) { (confirmed.count, !failed.isEmpty || !refused.isEmpty) }

    /// Takes rows as they were read, by rising id.
    ///
    /// - Parameter epoch: what `epoch` was before they were read.
    /// - Returns: whether they must be read again.
    mutating func fetched(_ rows: [OutboxRow], epoch: Int) -> Bool {
        guard epoch == self.epoch else { return true }
        for row in rows { take(row) }
        return rows.count == RelayState.batchSize
    }

    /// Takes rows that a transaction of this process has written, in their order.
    ///
    /// - Returns: whether the table must be read for some of them.
    mutating func recorded(_ rows: [RecordedRow]) -> Bool {
        // Rows that were written together do not know of each other.
        var left: Set<OutboxRow.Line> = []
        for recorded in rows {
            let line = recorded.row.line
            if hasRoom, !left.contains(line), putOff[line] == nil, isKnown(recorded.previous) {
                take(recorded.row)
            } else {
                left.insert(line)
            }
        }
        return !left.isEmpty
    }

    private func isKnown(_ previous: Int64?) -> Bool {
        guard let previous else { return true }
        return known.contains(previous) || gone.contains(previous)
    }

    private mutating func take(_ row: OutboxRow) {
        guard !gone.contains(row.id), known.insert(row.id).inserted else { return }
        if behind[row.line] == nil {
            behind[row.line] = []
            prepare(row)
        } else {
            behind[row.line]?.append(row)
        }
    }

    private mutating func prepare(_ row: OutboxRow) {
        if row.line.isLive { live.ready.append(row) } else { kept.ready.append(row) }
    }

    /// Rows to publish now; nil when none may go.
    mutating func nextBatch() -> [OutboxRow]? {
        if let batch = kept.nextBatch(&behind) { return batch }
        return live.nextBatch(&behind)
    }

    /// The broker answered for a batch.
    mutating func settled(_ outcomes: [(row: OutboxRow, fate: Fate)]) {
        if outcomes.first?.row.line.isLive == true { live.batchesInFlight -= 1 } else { kept.batchesInFlight -= 1 }
        var lines = Set(outcomes.map(\.row.line))
        for (row, fate) in outcomes {
            switch fate {
            case .confirmed:
                confirmed.append(row.id)
                remember(row)
            case .refused(let reason):
                refused.append((row.id, reason))
                remember(row)
            case .failed:
                failed.append(row.id)
                postponed[row.id] = row.line
                lines.remove(row.line)
            }
        }
        for line in lines { goOn(line) }
    }

    private mutating func remember(_ row: OutboxRow) {
        if putOff[row.line]?.remove(row.id) != nil, putOff[row.line]?.isEmpty == true { putOff[row.line] = nil }
        guard gone.insert(row.id).inserted else { return }
        goneInOrder.append(row.id)
        if goneInOrder.count > RelayState.mostGone, let oldest = goneInOrder.popFirst() { gone.remove(oldest) }
    }

    private mutating func goOn(_ line: OutboxRow.Line) {
        if let next = behind[line]?.popFirst() {
            prepare(next)
        } else {
            behind[line] = nil
        }
    }

    /// Rows that the broker will never have: to be set aside.
    mutating func takeRefused() -> [(id: Int64, reason: String)] {
        defer { refused = [] }
        return refused
    }

    /// Rows that the broker has: to be deleted.
    mutating func takeConfirmed() -> [Int64] {
        defer { confirmed = [] }
        return confirmed
    }

    /// Rows to be tried again later.
    mutating func takeFailed() -> [Int64] {
        defer { failed = [] }
        return failed
    }

    /// The rows are deleted, or marked for a later try.
    mutating func forget(_ ids: [Int64]) {
        known.subtract(ids)
        for id in ids {
            guard let line = postponed.removeValue(forKey: id) else { continue }
            // Those behind are fetched again when their turn comes.
            for waiting in behind[line] ?? [] { known.remove(waiting.id) }
            behind[line] = nil
            putOff[line, default: []].insert(id)
            epoch += 1
        }
    }
}

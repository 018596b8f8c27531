// SPDX-License-Identifier: Apache-2.0
// Which rows of the outbox may be published next.

import DequeModule

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
}

/// A row as the transaction that wrote it knows it.
struct RecordedRow: Sendable, Equatable {
    var row: OutboxRow
    /// Rows of the same subject that were in the outbox by then, the oldest of them at most `mostEarlier`.
    var earlier: [Int64] = []

    static let mostEarlier = 100
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
/// Of one subject only rows of one type are on their way at a time, in their order and in one batch; the next wait for their
/// confirms. One way leads all of them to the same queues, so that the broker takes them in that order. Rows of different
/// subjects go together, several batches at once.
///
/// Rows are read from the table, or handed over by the transaction of this process that wrote them. The latter says which rows
/// of the subject were there before, whoever wrote them: only where all of those are known here may it go without the table being read.
struct RelayState {
    static let batchSize = 100
    static let largestFlight = 8
    static let mostKnown = 1000
    /// Rows that went and are remembered.
    private static let mostGone = 4096

    /// Rows that must not be fetched again: on their way, waiting, or not yet deleted.
    private(set) var known: Set<Int64> = []
    private var ready: Deque<OutboxRow> = []
    /// Subjects that have a row ready or on its way, with the rows behind it.
    private var behind: [String: Deque<OutboxRow>] = [:]
    private(set) var batchesInFlight = 0
    private var confirmed: [Int64] = []
    private var refused: [(id: Int64, reason: String)] = []
    private var failed: [Int64] = []
    /// Rows that failed and are not yet marked so, with their subjects: until then nobody behind them may be fetched.
    private var postponed: [Int64: String] = [:]
    /// Rises when rows were put off: what was read before that may hold rows that must wait behind them.
    private(set) var epoch = 0
    /// Rows that the broker has: who read or wrote at that moment may still speak of them.
    private var gone: Set<Int64> = []
    private var goneInOrder: Deque<Int64> = []

    var hasRoom: Bool { known.count < RelayState.mostKnown }
    var isIdle: Bool { batchesInFlight == 0 && confirmed.isEmpty && refused.isEmpty && failed.isEmpty }
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
        var left: Set<String> = []
        for recorded in rows {
            if hasRoom, !left.contains(recorded.row.subject), isKnown(recorded.earlier) {
                take(recorded.row)
            } else {
                left.insert(recorded.row.subject)
            }
        }
        return !left.isEmpty
    }

    /// A list that is as long as it may be does not tell of all.
    private func isKnown(_ earlier: [Int64]) -> Bool {
        earlier.count < RecordedRow.mostEarlier && earlier.allSatisfy { known.contains($0) || gone.contains($0) }
    }

    private mutating func take(_ row: OutboxRow) {
        guard !gone.contains(row.id), known.insert(row.id).inserted else { return }
        if behind[row.subject] == nil {
            behind[row.subject] = []
            ready.append(row)
        } else {
            behind[row.subject]?.append(row)
        }
    }

    /// Rows to publish now; nil when none may go.
    mutating func nextBatch() -> [OutboxRow]? {
        guard batchesInFlight < RelayState.largestFlight, !ready.isEmpty else { return nil }
        var batch: [OutboxRow] = []
        while batch.count < RelayState.batchSize, let row = ready.popFirst() {
            batch.append(row)
            // Those behind it that take the same way go along.
            while batch.count < RelayState.batchSize, let next = behind[row.subject]?.first, next.takesTheWay(of: row) {
                batch.append(next)
                behind[row.subject]?.removeFirst()
            }
        }
        batchesInFlight += 1
        return batch
    }

    /// The broker answered for a batch.
    mutating func settled(_ outcomes: [(row: OutboxRow, fate: Fate)]) {
        batchesInFlight -= 1
        var subjects = Set(outcomes.map(\.row.subject))
        for (row, fate) in outcomes {
            switch fate {
            case .confirmed:
                confirmed.append(row.id)
                remember(row.id)
            case .refused(let reason):
                refused.append((row.id, reason))
                remember(row.id)
            case .failed:
                failed.append(row.id)
                postponed[row.id] = row.subject
                subjects.remove(row.subject)
            }
        }
        for subject in subjects { goOn(subject) }
    }

    private mutating func remember(_ id: Int64) {
        guard gone.insert(id).inserted else { return }
        goneInOrder.append(id)
        if goneInOrder.count > RelayState.mostGone, let oldest = goneInOrder.popFirst() { gone.remove(oldest) }
    }

    private mutating func goOn(_ subject: String) {
        if let next = behind[subject]?.popFirst() {
            ready.append(next)
        } else {
            behind[subject] = nil
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
            guard let subject = postponed.removeValue(forKey: id) else { continue }
            // Those behind are fetched again when their turn comes.
            for waiting in behind[subject] ?? [] { known.remove(waiting.id) }
            behind[subject] = nil
            epoch += 1
        }
    }
}

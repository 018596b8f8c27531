// SPDX-License-Identifier: Apache-2.0
// What a transaction writes into the outbox, and how the relay hears of it.

import Postgres
import Synchronization

/// The events of one transaction: written by one statement, right before the commit, and handed to the relay of this process
/// after it, so that the relay need not read them.
///
/// That they are written last keeps what rows promise: of one subject, whose lock is held by then, a row with a greater id was
/// committed later.
final class Recording: TransactionEnding {
    /// Rows, and bytes of their envelopes, that one statement writes at most.
    private static let most = (rows: 500, bytes: 4 << 20)

    private let database: ObjectIdentifier
    private let rows = Mutex<[OutboxRow]>([])

    init(_ database: ObjectIdentifier) { self.database = database }

    func add(_ row: OutboxRow) { rows.withLock { $0.append(row) } }

    func statements() -> [SQL] {
        var parts: [ArraySlice<OutboxRow>] = []
        let rows = rows.withLock { $0 }
        var (start, bytes) = (0, 0)
        for (index, row) in rows.enumerated() {
            if index > start, index - start == Recording.most.rows || bytes + row.envelope.count > Recording.most.bytes
            {
                parts.append(rows[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += row.envelope.count
        }
        if start < rows.count { parts.append(rows[start...]) }
        return parts.map { OutboxStore.insertion(of: Array($0)) }
    }

    func committed(_ results: [Rows]) {
        let rows = rows.withLock { $0 }
        let read = try? results.flatMap {
            try $0.all { (id: try $0.next(Int64.self), previous: try $0.next(Int64?.self)) }
        }
        guard let read, read.count == rows.count else { return RelayBell.hand([], of: database) }
        let recorded = zip(rows, read).map { row, read in
            var row = row
            row.id = read.id
            return RecordedRow(row: row, previous: read.previous)
        }
        RelayBell.hand(recorded, of: database)
    }

    /// A commit of which nobody knows may have written the rows: the relay looks.
    func undone() { RelayBell.hand([], of: database) }
}

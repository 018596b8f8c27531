// SPDX-License-Identifier: Apache-2.0
// Messages as they are answered, kept between pages, so that a page that shows one again reads and writes none of it.

import Domain
import Events
import Postgres
import Serving
import Views

/// Which state of a message, and of all that its answer shows besides it, is the present one.
struct MessageEdition: Hashable, Joined {
    let message: RowEdition
    let createdAt: Timestamp
    /// The transactions that wrote its author and its card.
    let author: Int64?
    let card: Int64?
    /// The newest change to an answer in its thread.
    let thread: Int64?
    /// The versions of its files, as far as they are known; nil without files.
    let files: [Int64]?
    let channelType: ChannelType
    let playgroundID: PlaygroundID?

    var id: MessageID { MessageID(message.id) }

    /// What `list` is read from, as `x`, with the message's channel as `e`.
    static let source: SQL = """
        SELECT x.id, x.xmin AS writer, x.created_at, x.author_id, x.link_hash, x.attachment_ids FROM messages x
        """

    static let list =
        ColumnList("x", "id, writer, created_at")
        + ColumnList("(SELECT a.xmin FROM accounts a WHERE a.id = x.author_id)")
        + ColumnList("(SELECT k.xmin FROM cards k WHERE k.hash = x.link_hash)")
        + ColumnList("(SELECT max(r.change) FROM messages r WHERE r.thread_id = x.id)")
        + ColumnList(
            """
            CASE WHEN x.attachment_ids <> '{}' THEN ARRAY(
                SELECT f.version FROM media f WHERE f.id = ANY (x.attachment_ids) ORDER BY f.id
            ) END
            """
        )
        + ColumnList("e", "type, playground_id")

    init(columns: inout Columns) throws {
        message = try columns.next()
        createdAt = try columns.next()
        author = try columns.next()
        card = try columns.next()
        thread = try columns.next()
        files = try columns.next()
        channelType = try columns.next()
        playgroundID = try columns.next()
    }
}

/// A message as it was read last.
struct KeptMessage: View {
    private enum Form {
        case json([UInt8])
        /// Of one whose JSON does not last: links to its files end.
        indirect case row(MessageRow, Site)
    }

    private let form: Form
    /// Whatever it shows besides what its channel says, as `changes` names it; nil for one whose JSON does not last.
    let subjects: [Int64]?

    init(_ entry: MessageStore.Entry, site: Site) {
        let row = entry.message
        let isLasting = row.attachmentIDs.isEmpty
        form = isLasting ? .json(MessageView(message: row, site: site).json()) : .row(row, site)
        subjects = isLasting ? [row.author.id.rawValue, entry.link].compactMap(\.self) : nil
    }

    func write(to json: inout JSONWriter) {
        switch form {
        case .json(let kept): json.raw(kept)
        case .row(let row, let site): MessageView(message: row, site: site).write(to: &json)
        }
    }
}

/// The messages that were shown last.
struct KeptMessages: Sendable {
    private let kept: KeptEditions<MessageID, MessageEdition, KeptMessage>

    init(capacity: Int = 4096) { kept = KeptEditions(capacity: capacity) }

    /// The messages by their ids, without those that are gone meanwhile.
    func shown(_ editions: [MessageEdition], _ dependencies: Dependencies) async throws -> [MessageID: KeptMessage] {
        try await kept.values(of: editions.lazy.map { (id: $0.id, edition: $0) }) { ids in
            try await MessageStore.entries(of: ids, in: dependencies.database)
                .map { ($0.edition.id, $0.edition, KeptMessage($0, site: dependencies.site)) }
        }
    }
}

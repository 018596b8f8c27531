// SPDX-License-Identifier: Apache-2.0
// What a service has of somebody, as files of an archive.

public import Domain
public import Events
public import Postgres

/// A row of a file as it is written there: one JSON value, or a line.
public struct ExportedText: Sendable {
    /// By which the file is sorted; what comes behind it is asked for by it.
    let key: [Int64]
    let text: String

    public init(key: [Int64], text: String) { (self.key, self.text) = (key, text) }
}

/// A row of a file that is a table.
public struct ExportedRow: Sendable {
    let key: [Int64]
    let fields: [String]

    public init(key: [Int64], fields: [String]) { (self.key, self.fields) = (key, fields) }
}

/// Whose rows, after which key, and how many at most.
public struct ExportPlace: Sendable {
    public let account: AccountID
    private let key: [Int64]
    public let limit: Int

    public init(of account: AccountID, after key: [Int64] = [], limit: Int) {
        self.account = account
        self.key = key
        self.limit = limit
    }

    /// A part of the key behind which it goes on; the least number, below every key, at the beginning.
    public subscript(_ part: Int) -> Int64 { key.indices.contains(part) ? key[part] : .min }
}

/// A file of an archive, and how it is read, page by page.
public struct ExportSection: Sendable {
    /// Some rows as text, and the key of the last; no key when nothing comes behind them.
    struct Page: Sendable {
        let rows: [String]
        let last: [Int64]?
    }

    /// Its path within the archive.
    public let file: String
    let about: ExportWords
    /// What stands before the first row, between two, and behind the last.
    let opening: String
    let separator: String
    let closing: String
    let page: @Sendable (ExportPlace, Transaction) async throws -> Page

    /// One JSON array.
    ///
    /// - Parameter rows: as many as are asked for, or all that are left.
    public static func list(
        _ file: String,
        _ about: ExportWords,
        _ rows: @escaping @Sendable (ExportPlace, Transaction) async throws -> [ExportedText]
    ) -> ExportSection {
        ExportSection(file: file, about: about, opening: "[\n", separator: ",\n", closing: "\n]\n") {
            place,
            transaction in
            let rows = try await rows(place, transaction)
            return Page(rows: rows.map(\.text), last: rows.count < place.limit ? nil : rows.last?.key)
        }
    }

    /// One JSON object, or null where there is none.
    public static func object(
        _ file: String,
        _ about: ExportWords,
        _ json: @escaping @Sendable (AccountID, Transaction) async throws -> String?
    ) -> ExportSection {
        ExportSection(file: file, about: about, opening: "", separator: "", closing: "\n") { place, transaction in
            Page(rows: [try await json(place.account, transaction) ?? "null"], last: nil)
        }
    }

    /// A table as text (RFC 4180).
    ///
    /// - Parameter header: the names of its columns.
    public static func table(
        _ file: String,
        _ about: ExportWords,
        header: [String],
        _ rows: @escaping @Sendable (ExportPlace, Transaction) async throws -> [ExportedRow]
    ) -> ExportSection {
        lines(file, about, header: CSV.line(header)) { place, transaction in
            try await rows(place, transaction).map { ExportedText(key: $0.key, text: CSV.line($0.fields)) }
        }
    }

    /// A table whose lines are written elsewhere, each with its end.
    public static func lines(
        _ file: String,
        _ about: ExportWords,
        header: String,
        _ lines: @escaping @Sendable (ExportPlace, Transaction) async throws -> [ExportedText]
    ) -> ExportSection {
        ExportSection(file: file, about: about, opening: header, separator: "", closing: "") { place, transaction in
            let lines = try await lines(place, transaction)
            return Page(rows: lines.map(\.text), last: lines.count < place.limit ? nil : lines.last?.key)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Numbered SQL files, as they lie in their folder.

internal import Glibc

/// Numbered SQL files of one folder (`0001_name.sql`, forward only) under a name such as `posts` or `outbox`.
public struct MigrationSource: Sendable {
    public let name: String
    public let directory: String

    public init(name: String, directory: String) {
        self.name = name
        self.directory = directory
    }

    /// The files in their order; numbers may be left out, none is there twice.
    func files() throws(Migrator.Failure) -> [MigrationFile] {
        guard let folder = opendir(directory) else { throw .failed(name, "cannot read the folder \(directory)") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".sql") { names.append(name) }
        }
        var files: [MigrationFile] = []
        for name in names.sorted() {
            let stem = name.dropLast(4)
            let title = stem.dropFirst(5)
            guard stem.utf8.count > 5, stem.prefix(4).utf8.allSatisfy({ (48...57).contains($0) }),
                stem.dropFirst(4).first == "_", let number = Int(stem.prefix(4)), number > files.last?.number ?? 0
            else { throw .numbering("\(self.name)/\(stem)") }
            let text = try read("\(directory)/\(name)")
            files.append(MigrationFile(source: self.name, number: number, title: String(title), text: text))
        }
        return files
    }

    /// The texts of the files in their order.
    public func texts() throws -> [String] { try files().map(\.text) }

    private func read(_ path: String) throws(Migrator.Failure) -> String {
        guard let file = fopen(path, "r") else { throw .failed(name, "cannot read \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer.prefix(count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// One migration.
struct MigrationFile: Sendable {
    let source: String
    let number: Int
    let title: String
    let text: String

    /// Such as `posts/0001_init`.
    var name: String {
        let digits = String(number)
        return "\(source)/\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)_\(title)"
    }

    /// Whether it must not run in a transaction: it builds an index concurrently, say.
    var isOutsideTransaction: Bool { text.hasPrefix("-- no transaction") }

    /// The release of Madang that brought it, from a line `-- release 3` at the top. The first two releases did without: the
    /// numbers of the first are below 10.
    var release: Int {
        for line in text.split(separator: "\n").prefix(while: { $0.hasPrefix("--") })
        where line.hasPrefix("-- release ") {
            return Int(line.dropFirst(11)) ?? .max
        }
        return number < 10 ? 1 : 2
    }

    /// The statements one by one: each ends with a semicolon at the end of a line.
    var statements: [String] {
        var statements: [String] = []
        var lines: [Substring] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("--") {
            lines.append(line)
            guard line.hasSuffix(";") else { continue }
            statements.append(lines.joined(separator: "\n"))
            lines = []
        }
        let rest = lines.joined(separator: "\n")
        if rest.contains(where: { !$0.isWhitespace }) { statements.append(rest) }
        return statements
    }
}

/// What the database says was applied.
struct AppliedMigration {
    let source: String
    let number: Int
    let name: String
    let checksum: String
    let release: Int
}

/// Compares what is applied with what there is.
///
/// A program runs on the schema of its own release, and on that of the next one, which only adds (expand first): so both
/// releases run side by side during an upgrade, and the way back is open.
///
/// - Returns: what is still to be applied, in order.
func pendingMigrations(
    _ files: [(MigrationFile, checksum: String)],
    applied: [AppliedMigration],
    release: Int
) throws(Migrator.Failure) -> [(MigrationFile, checksum: String)] {
    for row in applied {
        guard let known = files.first(where: { $0.0.source == row.source && $0.0.number == row.number }) else {
            let name = "\(row.source)/\(row.name)"
            if row.release > release + 1 { throw .tooNew(name, release: row.release, known: release) }
            if row.release <= release { throw .unknown(name) }
            continue
        }
        guard known.checksum == row.checksum else { throw .edited(known.0.name) }
    }
    var pending: [(MigrationFile, checksum: String)] = []
    for file in files {
        let isApplied = applied.contains { $0.source == file.0.source && $0.number == file.0.number }
        if !isApplied {
            pending.append(file)
        } else if let hole = pending.first(where: { $0.0.source == file.0.source }) {
            throw .numbering(hole.0.name)
        }
    }
    return pending
}

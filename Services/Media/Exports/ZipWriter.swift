// SPDX-License-Identifier: Apache-2.0
// ZIP archives (APPNOTE.TXT 6.3.9 of PKWARE), written once from their beginning to their end.

import Domain
import Glibc
import NIOCore
import Web

/// Writes files one after the other. What they are called, how long they are and where is kept in a file besides until the end, so
/// that memory grows with neither their sizes nor their number.
struct ZipWriter {
    /// Where fields of 32 bits end, and those of 64 begin (section 4.5.3).
    private static let wide: Int64 = 0xFFFF_FFFF
    /// Names are UTF-8 (section 4.4.4, bit 11).
    private static let flags: UInt16 = 1 << 11

    /// The file that is being written.
    private struct Entry {
        let name: [UInt8]
        let start: Int64
        let moment: (date: UInt16, time: UInt16)
        let isWide: Bool
        /// Nil for what is stored as it is.
        let deflater: Deflater?
        var sum: UInt32 = 0
        var size: Int64 = 0
        var packed: Int64 = 0

        var method: UInt16 { deflater == nil ? 0 : 8 }
        var version: UInt16 { isWide ? 45 : 20 }
    }

    struct Misuse: Error {}
    struct NoMemory: Error {}

    private let path: String
    private let file: IncomingFile
    private let listPath: String
    private let list: IncomingFile
    private var entry: Entry?
    private var count: Int64 = 0
    private var listed: Int64 = 0
    /// Bytes written so far.
    private(set) var size: Int64 = 0

    init(path: String) throws {
        self.path = path
        listPath = path + ".list"
        file = try IncomingFile(path: path)
        list = try IncomingFile(path: listPath)
    }

    // MARK: A file

    /// - Parameters:
    ///   - name: with `/` between folders.
    ///   - packing: whether it gets smaller by compression.
    ///   - expecting: bytes that it will have at most.
    mutating func begin(_ name: String, at moment: Timestamp, packing: Bool, expecting: Int64) async throws {
        guard entry == nil, name.utf8.count <= Int(UInt16.max) else { throw Misuse() }
        var deflater: Deflater?
        if packing {
            guard let new = Deflater() else { throw NoMemory() }
            deflater = new
        }
        let new = Entry(
            name: Array(name.utf8),
            start: size,
            moment: Self.moment(moment),
            // What does not compress grows a little.
            isWide: expecting >= Self.wide / 8 * 7,
            deflater: deflater
        )
        entry = new
        try await append(Self.header(of: new))
    }

    mutating func write(_ bytes: [UInt8]) async throws {
        guard var entry else { throw Misuse() }
        entry.sum = Deflater.checksum(bytes, after: entry.sum)
        entry.size += Int64(bytes.count)
        let packed = entry.deflater?.deflate(bytes, isLast: false) ?? bytes
        entry.packed += Int64(packed.count)
        self.entry = entry
        try await append(packed)
    }

    mutating func end() async throws {
        guard var entry else { throw Misuse() }
        if let rest = entry.deflater?.deflate([], isLast: true) {
            entry.packed += Int64(rest.count)
            try await append(rest)
        }
        guard entry.isWide || max(entry.size, entry.packed) < Self.wide else { throw Misuse() }
        // By now its length and its sum are known.
        try await file.write(Self.header(of: entry), at: Int(entry.start))
        let line = Self.line(of: entry)
        try await list.write(line, at: Int(listed))
        listed += Int64(line.count)
        count += 1
        self.entry = nil
    }

    // MARK: The end

    /// Writes the list of files and brings everything to the disk.
    mutating func finish() async throws {
        guard entry == nil else { throw Misuse() }
        let start = size
        if listed > 0 {
            guard let lines = OpenFile(path: listPath) else { throw StorageFailure("open", listPath) }
            while size - start < listed {
                let part = try await lines.read(min(lines.piece, Int(listed - (size - start))), at: Int(size - start))
                try await append(Array(part.readableBytesView))
            }
        }
        try await append(Self.close(count: count, start: start, length: listed))
        try await file.finish(length: Int(size))
        _ = unlink(listPath)
    }

    private mutating func append(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await file.write(bytes, at: Int(size))
        size += Int64(bytes.count)
    }

    // MARK: Records

    /// A local file header (section 4.3.7); a wide one has its lengths in the ZIP64 extra field.
    private static func header(of entry: Entry) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(0x0403_4B50 as UInt32)
        bytes.add(common(entry))
        bytes.add(short(entry.isWide ? wide : entry.packed))
        bytes.add(short(entry.isWide ? wide : entry.size))
        bytes.add(UInt16(entry.name.count))
        bytes.add(UInt16(entry.isWide ? 20 : 0))
        bytes += entry.name
        if entry.isWide {
            bytes.add(1 as UInt16)
            bytes.add(16 as UInt16)
            bytes.add(UInt64(entry.size))
            bytes.add(UInt64(entry.packed))
        }
        return bytes
    }

    /// A line of the central directory (section 4.3.12).
    private static func line(of entry: Entry) -> [UInt8] {
        let isFar = entry.start >= wide
        var extra: [UInt8] = []
        if entry.isWide {
            extra.add(UInt64(entry.size))
            extra.add(UInt64(entry.packed))
        }
        if isFar { extra.add(UInt64(entry.start)) }
        var bytes: [UInt8] = []
        bytes.add(0x0201_4B50 as UInt32)
        // Made as on Unix, so that the mode below counts.
        bytes.add(3 << 8 | 45 as UInt16)
        bytes.add(common(entry))
        bytes.add(short(entry.isWide ? wide : entry.packed))
        bytes.add(short(entry.isWide ? wide : entry.size))
        bytes.add(UInt16(entry.name.count))
        bytes.add(UInt16(extra.isEmpty ? 0 : extra.count + 4))
        // No comment, on the first disk, no internal attributes.
        bytes += [0, 0, 0, 0, 0, 0]
        // A plain file that its owner reads and writes.
        bytes.add(0o100600 << 16 as UInt32)
        bytes.add(short(entry.start))
        bytes += entry.name
        if !extra.isEmpty {
            bytes.add(1 as UInt16)
            bytes.add(UInt16(extra.count))
            bytes += extra
        }
        return bytes
    }

    /// What a header and a line have in common: version, flags, method, moment and sum.
    private static func common(_ entry: Entry) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(entry.version)
        bytes.add(flags)
        bytes.add(entry.method)
        bytes.add(entry.moment.time)
        bytes.add(entry.moment.date)
        bytes.add(entry.sum)
        return bytes
    }

    /// The end of the archive (sections 4.3.14 to 4.3.16).
    static func close(count: Int64, start: Int64, length: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        if count >= 0xFFFF || start >= wide || length >= wide {
            bytes.add(0x0606_4B50 as UInt32)
            bytes.add(44 as UInt64)
            bytes.add(3 << 8 | 45 as UInt16)
            bytes.add(45 as UInt16)
            bytes.add(0 as UInt64)
            bytes.add(UInt64(count))
            bytes.add(UInt64(count))
            bytes.add(UInt64(length))
            bytes.add(UInt64(start))
            bytes.add(0x0706_4B50 as UInt32)
            bytes.add(0 as UInt32)
            bytes.add(UInt64(start + length))
            bytes.add(1 as UInt32)
        }
        bytes.add(0x0605_4B50 as UInt32)
        bytes.add(0 as UInt32)
        let few = UInt16(min(count, 0xFFFF))
        bytes.add(few)
        bytes.add(few)
        bytes.add(short(length))
        bytes.add(short(start))
        bytes.add(0 as UInt16)
        return bytes
    }

    private static func short(_ number: Int64) -> UInt32 { UInt32(min(number, wide)) }

    /// MS-DOS date and time (section 4.4.6), in UTC, from 1980 to 2107.
    private static func moment(_ moment: Timestamp) -> (date: UInt16, time: UInt16) {
        var seconds = time_t(moment.seconds)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil, (80...207).contains(parts.tm_year) else { return (1 << 5 | 1, 0) }
        let date = (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday
        return (UInt16(date), UInt16(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2))
    }
}

extension [UInt8] {
    fileprivate mutating func add(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func add(_ bytes: [UInt8]) { self += bytes }
}

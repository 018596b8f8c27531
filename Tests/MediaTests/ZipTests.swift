// SPDX-License-Identifier: Apache-2.0
// Archives as others read them.

import Domain
import Foundation
import Support
import Testing

@testable import MediaService

@Suite struct ZipTests {
    private static let moment = Timestamp(milliseconds: 1_767_323_045_678)

    private struct Listed: Decodable, Equatable {
        let name: String
        let size: Int
        let type: Int
        let sum: String
        let moment: [Int]
    }

    /// What Python's zipfile makes of an archive, whose sums it checks: its files and the SHA-256 of their contents.
    private static func listed(_ path: String) throws -> [Listed] {
        let program = """
            import hashlib, json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(json.dumps([
                {"name": i.filename, "size": i.file_size, "type": i.compress_type, "moment": list(i.date_time),
                 "sum": hashlib.sha256(archive.read(i)).hexdigest()}
                for i in archive.infolist()
            ]))
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program, path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try JSONDecoder().decode([Listed].self, from: json)
    }

    private static func withPath(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "madang-zip-\(UInt64.random(in: 0 ... .max)).zip"
        ).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test func `files are read back as they were written, packed or not`() async throws {
        try await Self.withPath { path in
            var zip = try ZipWriter(path: path)
            let text = Array(repeating: Array("마당에서 만나요. ".utf8), count: 20_000).flatMap(\.self)
            let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255) }
            for (name, packing, bytes) in [
                ("글/인사.txt", true, text), ("noise.bin", true, noise), ("stored.bin", false, noise), ("empty", true, []),
            ] {
                try await zip.begin(name, at: Self.moment, packing: packing, expecting: Int64(bytes.count))
                for start in stride(from: 0, to: bytes.count, by: 70_000) {
                    try await zip.write(Array(bytes[start..<min(bytes.count, start + 70_000)]))
                }
                try await zip.end()
            }
            try await zip.finish()
            let listed = try Self.listed(path)
            #expect(listed.map(\.name) == ["글/인사.txt", "noise.bin", "stored.bin", "empty"])
            #expect(listed.map(\.size) == [text.count, noise.count, noise.count, 0])
            #expect(listed.map(\.type) == [8, 8, 0, 8])
            #expect(listed[1].sum == listed[2].sum)
            #expect(listed[0].moment == [2026, 1, 2, 3, 4, 4])
            let size = try #require(
                try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            )
            #expect(zip.size == Int64(size) && size < text.count / 10 + 2 * noise.count + 10_000)
            #expect(!FileManager.default.fileExists(atPath: path + ".list"))
        }
    }

    @Test func `a file that may be large has fields of 64 bits`() async throws {
        try await Self.withPath { path in
            var zip = try ZipWriter(path: path)
            for packing in [true, false] {
                try await zip.begin("large \(packing)", at: Self.moment, packing: packing, expecting: 5 << 30)
                try await zip.write(Array("little".utf8))
                try await zip.end()
            }
            try await zip.finish()
            #expect(try Self.listed(path).map(\.size) == [6, 6])
        }
    }

    @Test func `more files than 16 bits count`() async throws {
        try await Self.withPath { path in
            var zip = try ZipWriter(path: path)
            for number in 0..<65_600 {
                try await zip.begin("\(number)", at: Self.moment, packing: false, expecting: 1)
                try await zip.end()
            }
            try await zip.finish()
            #expect(try Self.listed(path).count == 65_600)
        }
    }

    @Test func `the end of an archive larger than 32 bits names its list by 64`() {
        let small = ZipWriter.close(count: 3, start: 100, length: 200)
        let large = ZipWriter.close(count: 3, start: 5 << 30, length: 200)
        #expect(small.count == 22 && large.count == 22 + 56 + 20)
        #expect(large.starts(with: [0x50, 0x4B, 6, 6]) && Array(large.suffix(6).prefix(4)) == [255, 255, 255, 255])
    }

    @Test func `nothing is written outside of a file`() async throws {
        try await Self.withPath { path in
            var zip = try ZipWriter(path: path)
            await #expect(throws: ZipWriter.Misuse.self) { try await zip.write([1]) }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Folders that become entries of the catalogue of GIFs.

import Domain
import Foundation
import Support
import Synchronization
import Testing
import Web

@testable import MediaService

@Suite struct GifImportTests {
    private final class Told: Sendable {
        let all = Mutex<[String: ImportGifs.Outcome]>([:])
        var outcomes: [String: ImportGifs.Outcome] { all.withLock { $0 } }
    }

    private func run(
        _ world: MediaWorld,
        _ folder: String,
        usual: [(String, String)] = []
    ) async throws -> [String: ImportGifs.Outcome] {
        let work = ImportGifs(
            dependencies: world.dependencies,
            logger: MediaWorld.logger,
            folder: folder,
            usual: usual
        )
        let told = Told()
        try await work.run(work.files()) { path, outcome in told.all.withLock { $0[path] = outcome } }
        return told.outcomes
    }

    private func write(_ content: String, _ path: String, in folder: String) throws {
        let file = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
    }

    private func folder(of world: MediaWorld) -> String { "\(world.root)/to-import" }

    @Test func aFolderIsImportedOnce() async throws {
        try await MediaWorld.runGifs { world in
            let folder = folder(of: world)
            let signature = MediaWorld.signature
            try write("\(signature)a", "Animals/Cats/angry-cat_2.gif", in: folder)
            try write("\(signature)b", "plain.gif", in: folder)
            try write("\(signature)b", "the same bytes.gif", in: folder)
            try write("\(signature)refuse", "bad.gif", in: folder)
            try write("no picture", "worse.png", in: folder)
            try write("", "empty.webp", in: folder)
            try write("\(signature)c", ".hidden/x.gif", in: folder)
            try write("read me", "README.txt", in: folder)
            try write("\(signature)l", "listed.gif", in: folder)
            try write(
                #"{"files":[{"file":"listed.gif","title":"From the list","tags":["a","b"],"rating":"pg","kind":"sticker"}]}"#,
                "catalogue.json",
                in: folder
            )
            let first = try await run(world, folder, usual: [("rating", "y")])
            #expect(first.count == 7)
            #expect(first["Animals/Cats/angry-cat_2.gif"] == .imported && first["listed.gif"] == .imported)
            let same = [first["plain.gif"], first["the same bytes.gif"]]
            #expect(same.contains(.imported) && same.contains(.known), "the same bytes are one")
            for bad in ["bad.gif", "worse.png", "empty.webp"] {
                guard case .failed(let reason) = first[bad] else {
                    Issue.record("\(bad): \(String(describing: first[bad]))")
                    continue
                }
                #expect(!reason.isEmpty)
            }
            let cat = try #require(try await world.gifs("/search", "q=angry").data.first)
            #expect(cat.title == "angry cat 2" && cat.rating == "y" && cat.user == nil)
            #expect(try await world.gifs("/categories/animals/cats").titles == ["angry cat 2"])
            let listed = try await world.gifs("/search", "q=list&kind=sticker").data
            #expect(listed.map(\.title) == ["From the list"] && listed.first?.rating == "pg")
            #expect(try await world.names("/tags", "q=a") == ["a", "angry"])

            let again = try await run(world, folder)
            #expect(again.values.filter { $0 == .known }.count == 4 && !again.values.contains(.imported))
            #expect(try await world.gifs("/trending").pagination?.total_count == 2)
            #expect(world.incoming == [] && world.workplaces == [])
        }
    }

    @Test func aListMayBeCSV() async throws {
        try await MediaWorld.runGifs { world in
            let folder = folder(of: world)
            try write("\(MediaWorld.signature)a", "a.gif", in: folder)
            try write("\(MediaWorld.signature)b", "b.gif", in: folder)
            let list =
                "\u{FEFF}file,title,tags,rating\r\na.gif,\"A \"\"cat\"\", sleeping\",cat|sleepy cat,pg\r\nb.gif,,,x\r\n"
            try write(list, "catalogue.csv", in: folder)
            let outcomes = try await run(world, folder)
            #expect(outcomes["a.gif"] == .imported)
            guard case .failed = outcomes["b.gif"] else {
                Issue.record("an unknown rating")
                return
            }
            let cat = try #require(try await world.gifs("/search", "q=sleepy").data.first)
            #expect(cat.title == #"A "cat", sleeping"# && cat.rating == "pg")
            #expect(try await world.names("/tags", "q=s") == ["sleepy cat"])
        }
    }

    @Test func aListThatCannotBeReadIsTold() async throws {
        try await MediaWorld.runGifs { world in
            let folder = folder(of: world)
            try write("\(MediaWorld.signature)a", "a.gif", in: folder)
            try write("{", "catalogue.json", in: folder)
            await #expect(throws: ImportList.Unreadable.self) { try await run(world, folder) }
            try FileManager.default.removeItem(atPath: "\(folder)/catalogue.json")
            try write("name,title\n", "catalogue.csv", in: folder)
            await #expect(throws: ImportList.Unreadable.self) { try await run(world, folder) }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What the operator asks for at the command line.

import Domain
import Events
import Foundation
import Support
import Testing
import Web

@testable import AuthService

@Suite struct RuleCommandTests {
    private func blocks(_ world: AuthWorld) -> Blocks {
        let audit = Audit(
            actor: "operator test",
            database: world.database,
            ids: world.dependencies.ids,
            now: { world.clock.now },
            logger: AuthWorld.logger
        )
        return Blocks(
            database: world.database,
            ids: world.dependencies.ids,
            now: { world.clock.now },
            audit: audit
        )
    }

    @Test func blocksListsAndFrees() async throws {
        try await AuthWorld.run { world in
            let blocks = blocks(world)
            func run(_ arguments: String...) async throws -> [String] {
                try await RuleCommands.perform(RuleCommands.work(arguments), blocks)
            }
            _ = try await run("block", "나쁜말", "--report", "--digits")
            _ = try await run("block-domain", "Trash.Example", "mail")
            _ = try await run("block-domain", "trash.example", "links")
            let listed = try await run("blocked")
            #expect(listed.count == 2)
            #expect(listed.first?.hasSuffix("report digits 나쁜말") == true)
            #expect(listed.last?.hasSuffix("mail+links trash.example") == true)
            #expect(try await run("unblock", "나쁜말") == ["나쁜말 is blocked no more"])
            #expect(try await run("unblock", "나쁜말") == ["나쁜말 was not blocked"])
            #expect(try await run("unblock-domain", "trash.example", "mail").first?.hasSuffix("no more") == true)
            #expect(try await run("blocked").count == 1)
        }
    }

    @Test func publishesFiles() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
        try "- 친절하게".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try await AuthWorld.run { world in
            let today = Day(world.clock.now)
            let later = today.advanced(by: 7)
            let work = try RuleCommands.work(
                ["publish", "rules", "ko=\(file.path)", "--from", later.description, "--agree-within", "14"],
                today: today
            )
            let said = try await RuleCommands.perform(work, blocks(world))
            #expect(said == ["rules version 1 takes effect on \(later)"])
        }
    }

    @Test(arguments: [
        [], ["block"], ["block", "a", "--hard"], ["block", "..."], ["unblock"], ["block-domain", "a.example"],
        ["block-domain", "a.example", "posts"], ["blocked", "all"], ["publish"], ["publish", "hopes", "en=/dev/null"],
        ["publish", "rules", "/dev/null"], ["publish", "rules", "fr=/dev/null"], ["publish", "rules", "en=/dev/null"],
        ["publish", "rules", "en=/nowhere/at/all"], ["publish", "rules", "--from", "soon"],
        ["publish", "rules", "--agree-within"],
    ])
    func saysWhatIsWrong(arguments: [String]) {
        #expect(throws: RuleCommands.Failure.self) { try RuleCommands.work(arguments) }
    }
}

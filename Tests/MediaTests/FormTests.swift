// SPDX-License-Identifier: Apache-2.0
// Forms of other services, whose files are taken here.

import Domain
import Events
import Foundation
import HTTPTypes
import MediaWork
import Support
import Synchronization
import Testing
import Web

@testable import MediaService

@Suite struct FormTests {
    /// A part of a form; a file where it has a file's name.
    private struct Part {
        let name: String
        var file: String?
        let content: String

        static func field(_ name: String, _ content: String) -> Part { Part(name: name, content: content) }
        static func file(_ name: String, _ content: String) -> Part {
            Part(name: name, file: "a.jpg", content: content.isEmpty ? "" : MediaWorld.signature + content)
        }
    }

    private static let profile = "fields=avatar:avatar:1,header:header:1"
    private static let message = "fields=files:attachment:2"

    private static func body(_ parts: [Part], end: String = "--b--\r\n") -> String {
        parts.map { part in
            let file = part.file.map { "; filename=\"\($0)\"" } ?? ""
            return "--b\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n\r\n\(part.content)\r\n"
        }.joined() + end
    }

    private static func send(
        _ world: MediaWorld,
        _ parts: [Part] = [],
        _ query: String = profile,
        as person: Somebody? = MediaWorld.minji,
        body: String? = nil
    ) async throws -> Answer {
        try await world.send(
            .post,
            "/internal/forms",
            query: query,
            as: person,
            headers: [.contentType: "multipart/form-data; boundary=b"],
            upload: UploadBody(Array((body ?? Self.body(parts)).utf8))
        )
    }

    /// The values of the form that came back, in their order.
    private static func pairs(_ answer: Answer) -> [[String]] {
        answer.text.split(separator: "&").map { pair in
            pair.split(separator: "=", omittingEmptySubsequences: false).map { PercentCoding.repaired($0.utf8) }
        }
    }

    @Test func filesBecomeUploadsAndTheRestComesBack() async throws {
        try await MediaWorld.run { world in
            let answer = try await Self.send(
                world,
                [
                    .field("display_name", "민지 & co=1"), .file("avatar", "me"),
                    .field("fields_attributes[0][name]", "a"), .file("header", "a yard"),
                ]
            )
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/x-www-form-urlencoded")
            let pairs = Self.pairs(answer)
            #expect(pairs.map { $0.first } == ["display_name", "fields_attributes[0][name]", "avatar", "header"])
            #expect(pairs.prefix(2).map { $0.last } == ["민지 & co=1", "a"])
            try await world.workAll()
            for (pair, owner) in zip(pairs.suffix(2), [MediaWorld.minji, MediaWorld.minji]) {
                let shown = try await world.send(.get, "/api/v1/media/\(pair[1])", as: owner)
                #expect(shown.status == .ok, "\(pair)")
            }
            #expect(try await world.told().map(\.ownerID) == [MediaWorld.minji.id, MediaWorld.minji.id])
        }
    }

    @Test func theWorkerIsToldWhatAFileIsFor() async throws {
        let orders = Shared<[WorkOrder.Purpose]>([])
        try await MediaWorld.run(
            worker: { order in
                orders.value.withLock { $0.append(order.purpose) }
                return try await MediaWorld.copying(order)
            }
        ) { world in
            _ = try await Self.send(world, [.file("header", "wide"), .file("avatar", "square")])
            _ = try await Self.send(world, [.file("files", "one"), .file("files[]", "two")], Self.message)
            try await world.workAll()
            #expect(orders.value.withLock { $0 } == [.header, .avatar, .attachment, .attachment])
        }
    }

    @Test func severalFilesOfAFieldAreAList() async throws {
        try await MediaWorld.run { world in
            let answer = try await Self.send(
                world,
                [.file("files", "one"), .field("content", ""), .file("files", "two")],
                Self.message
            )
            #expect(Self.pairs(answer).map { $0.first } == ["content", "files[]", "files[]"])
            let most = try await Self.send(
                world,
                [.file("files", "1"), .file("files", "2"), .file("files", "3")],
                Self.message
            )
            #expect(most.status == .unprocessableContent && most.text.contains(#""name":"files","code":"too_many""#))
            let both = try await Self.send(world, [.file("avatar", "1"), .file("avatar", "2")])
            #expect(both.status == .unprocessableContent && both.text.contains(#""name":"avatar""#))
            try await world.workAll()
            #expect(try await world.told().count == 2 && world.incoming == [], "nothing stays of what was refused")
        }
    }

    @Test func aFileWithoutAByteIsNone() async throws {
        try await MediaWorld.run { world in
            let answer = try await Self.send(world, [.file("avatar", ""), .field("note", "n"), .file("other", "")])
            #expect(answer.status == .ok && answer.text == "note=n")
            #expect(world.incoming == [])
        }
    }

    @Test(arguments: ["unsupported", "damaged", "too_large"])
    func whatIsNoPictureIsToldByItsField(reason: String) async throws {
        try await MediaWorld.run { world in
            var dependencies = world.dependencies
            dependencies.limits.longPatience = .seconds(30)
            let patient = world.with(dependencies)
            async let answer = Self.send(patient, [.file("avatar", "fine"), .file("header", "refuse \(reason)")])
            try await eventually("the form being taken") { world.incoming.count == 2 }
            while try await patient.work() {}
            try await eventually("the work being done") {
                _ = try await patient.work()
                return world.incoming == []
            }
            let refused = try await answer
            #expect(
                refused.status == .unprocessableContent && refused.text.contains(#""name":"header""#),
                "\(refused.text)"
            )
            try await world.workAll()
            #expect(try await world.uploads() == 0, "nothing is done of the form")
        }
    }

    @Test func whatIsSeenAtOnceIsToldByItsFieldToo() async throws {
        try await MediaWorld.run { world in
            let answer = try await Self.send(
                world,
                body: Self.body([Part(name: "avatar", file: "a.jpg", content: "MZ")])
            )
            #expect(answer.status == .unprocessableContent && answer.text.contains(#""name":"avatar""#))
            let other = try await Self.send(world, [.file("thumbnail", "x")])
            #expect(other.status == .unprocessableContent && other.text.contains(#""name":"thumbnail""#))
            #expect(try await world.uploads() == 0 && world.incoming == [])
        }
    }

    @Test func aFormHasItsLimits() async throws {
        var limits = Limits()
        limits.sizes = MediaLimits(image: 1000, video: 5000)
        limits.otherFields = 100
        limits.quota = 2500
        try await MediaWorld.run(limits: limits) { world in
            let large = try await Self.send(world, [.file("avatar", String(repeating: "x", count: 1000))])
            #expect(large.status == .contentTooLarge && large.text.contains(#""name":"avatar""#), "\(large.text)")
            let long = try await Self.send(world, [.field("note", String(repeating: "x", count: 101))])
            #expect(long.status == .contentTooLarge)
            let nine = String(repeating: "x", count: 900)
            #expect(try await Self.send(world, [.file("avatar", nine), .file("header", nine)]).status == .ok)
            let full = try await Self.send(world, [.file("avatar", nine)])
            #expect(full.status == .unprocessableContent && full.text.contains("quota"))
            #expect(world.incoming.count == 2)
        }
    }

    @Test func whatCannotBeReadLeavesNothing() async throws {
        try await MediaWorld.run { world in
            let picture = Part.file("avatar", "me")
            for body in [
                "", "--b", "--b\r\n\r\n\r\n--b--", Self.body([picture], end: ""), Self.body([picture], end: "--b-x"),
                Self.body([picture], end: "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--"),
                String(Self.body([picture]).dropLast(30)), String(repeating: "\r\n", count: 40_000),
            ] {
                let answer = try await Self.send(world, body: body)
                #expect(answer.status == .badRequest, "\(body.prefix(80)) \(answer.text)")
            }
            for query in ["fields=avatar", "fields=avatar:avatar:0", "fields=avatar:everything:1", "fields=:avatar:1"] {
                #expect(try await Self.send(world, [picture], query).status == .badRequest)
            }
            #expect(try await Self.send(world, [picture], as: nil).status == .unauthorized)
            #expect(try await world.uploads() == 0 && world.incoming == [])
        }
    }

    @Test func filesOfASignUpWaitForTheirOwner() async throws {
        try await MediaWorld.run { world in
            let form = Self.body([.file("avatar", "me"), .field("username", "minji")])
            func signUp() async throws -> [String] {
                let answer = try await world.send(
                    .post,
                    "/internal/forms",
                    query: Self.profile,
                    app: true,
                    headers: [.contentType: "multipart/form-data; boundary=b"],
                    upload: UploadBody(Array(form.utf8))
                )
                #expect(answer.status == .ok, "\(answer.text)")
                return try #require(Self.pairs(answer).last)
            }
            func claim(_ ids: [String], _ owner: Int64, secret: String = MediaWorld.secret) async throws -> Answer {
                try await world.send(
                    .post,
                    "/internal/claims",
                    as: nil,
                    headers: [.internalSecret: secret],
                    form: ids.map { "ids[]=\($0)&" }.joined() + "owner=\(owner)"
                )
            }
            let (first, second) = (try await signUp()[1], try await signUp()[1])
            #expect(try await !world.work(), "nobody's files are not worked on")
            #expect(try await claim([first], 1, secret: "other").status == .notFound)
            #expect(try await claim([first], 0).status == .badRequest)
            #expect(try await claim([first], 1).status == .ok)
            try await world.workAll()
            #expect(try await world.told().map(\.ownerID) == [AccountID(1)])
            // What has an owner keeps it.
            #expect(try await claim([first], 2).status == .ok)
            #expect(try await world.send(.get, "/api/v1/media/\(first)").status == .ok)
            world.clock.advance(.seconds(601))
            #expect(try await Sweeps.unused(world.dependencies) == 1)
            #expect(try await claim([second], 1).status == .ok)
            #expect(try await !world.work() && world.incoming == [])
        }
    }

    @Test func aSenderWhoLeavesLeavesNothing() async throws {
        try await MediaWorld.run { world in
            let whole = Array(Self.body([.file("avatar", String(repeating: "x", count: 5000))]).utf8)
            let answer = try await world.send(
                .post,
                "/internal/forms",
                query: Self.profile,
                headers: [.contentType: "multipart/form-data; boundary=b"],
                upload: UploadBody(Array(whole.prefix(2000)), length: whole.count)
            )
            #expect(answer.status == .badRequest)
            #expect(try await world.uploads() == 0 && world.incoming == [])
        }
    }
}

/// A value behind a lock, shared by reference.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}

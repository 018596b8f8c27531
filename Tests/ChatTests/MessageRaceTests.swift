// SPDX-License-Identifier: Apache-2.0
// Many at the same time: numbers without gaps, one message a wish, positions that end at the highest.

import Domain
import Events
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import ChatService

@Suite struct MessageRaceTests {
    @Test func numbersHaveNoGaps() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            // Some are refused half-way: what they had taken is given back.
            let codes = try await world.atOnce(20) { index in
                var codes: [Int] = []
                for turn in 0..<10 {
                    let wish: [String: any Sendable] = turn == 5 ? ["reply_to_id": "1"] : [:]
                    codes.append(
                        try await world.say("\(index)-\(turn)", in: room, as: index % 2 == 0 ? a : b, wish).code
                    )
                }
                return codes
            }
            #expect(codes.flatMap { $0 }.filter { $0 == 201 }.count == 180)
            let seqs = try await world.database.query("SELECT seq, change FROM messages ORDER BY seq").map { row in
                var columns = row.columns
                return [try columns.next(Int64.self), try columns.next(Int64.self)]
            }
            #expect(seqs == (1...180).map { [$0, $0] })
            #expect(try await world.number("SELECT last_seq FROM channels") == 180)
            // Each is told once, with its number.
            let told = try await world.updates().filter { $0.event == "message" }.compactMap(\.seq)
            #expect(told.sorted() == Array(1...180))
            // Whoever spoke last has read everything.
            let unread = [try await world.unread(room, as: a), try await world.unread(room, as: b)]
            #expect(unread.contains([0, 0]))
        }
    }

    /// What comes at the same time shares transactions, in two processes, which meet the channels in different orders.
    @Test func channelsShareTransactionsAndNothingElse() async throws {
        try await ChatWorld.run { world in
            let twin = ChatWorld(world.database, slot: 1)
            let people = try await world.atOnce(12) { try await world.person("p\($0)") }
            let outsider = try await world.person("outsider")
            var rooms: [String] = []
            for _ in 0..<4 { rooms.append(try await world.room(people, type: "private")) }
            let codes = try await world.atOnce(24) { [rooms] index in
                var codes: [Int] = []
                for turn in 0..<8 {
                    let room = rooms[(index % 2 == 0 ? turn : rooms.count - 1 - turn % rooms.count) % rooms.count]
                    let wish: [String: any Sendable] = turn == 5 ? ["reply_to_id": "1"] : ["client_id": "\(turn)"]
                    let speaker = turn == 3 ? outsider : people[index / 2]
                    let process = index % 2 == 0 ? world : twin
                    codes.append(try await process.say("\(index)-\(turn)", in: room, as: speaker, wish).code)
                }
                return codes
            }
            #expect(codes.allSatisfy { $0[3] == 404 && $0[5] == 422 })
            #expect(codes.allSatisfy { $0.enumerated().allSatisfy { [3, 5].contains($0) || $1 == 201 } })
            for room in rooms {
                let id = try #require(ChannelID(room))
                let stored = try await world.database.query(
                    "SELECT seq, change FROM messages WHERE channel_id = \(id) ORDER BY seq"
                ).all { [try $0.next(Int64.self), try $0.next(Int64.self)] }
                #expect(stored == stored.indices.map { [Int64($0 + 1), Int64($0 + 1)] })
                #expect(!stored.isEmpty)
                #expect(
                    try await world.number("SELECT last_seq FROM channels WHERE id = \(id)") == stored.count
                )
                let told = try await world.updates().filter { $0.channelID == id && $0.event == "message" }
                #expect(told.compactMap(\.seq) == stored.map { $0[0] })
                // Whoever spoke last has read everything.
                let last = try await world.number(
                    "SELECT max(last_read_seq) FROM channel_members WHERE channel_id = \(id)"
                )
                #expect(last == stored.count)
            }
            #expect(try await world.number("SELECT count(*) FROM messages") == 24 * 6)
            #expect(try await world.recorded(MessageSent.self).count == 24 * 6)
        }
    }

    @Test func whatOneSaysAtOnceStaysInItsOrder() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            @Sendable func texts(_ index: Int, _ turn: Int) -> [String] { (0..<5).map { "\(index)-\(turn)-\($0)" } }
            let codes = try await world.atOnce(8) { index in
                var codes: [Int] = []
                for turn in 0..<4 {
                    var said = texts(index, turn).map { ["text": $0, "client_id": $0] }
                    // What is refused takes nobody with it.
                    if turn == 2 { said[3]["reply_to_id"] = "1" }
                    let answer = try await world.post(
                        "/internal/channels/\(room)/messages",
                        as: index % 2 == 0 ? a : b,
                        ["messages": said]
                    )
                    let answers = try #require(try answer.object["answers"] as? [[String: Any]], "\(answer.text)")
                    #expect(answers.count == 5)
                    codes += answers.compactMap { $0["status"] as? Int }
                    // Asked again it is the same message.
                    if turn == 3 {
                        let again = try await world.post(
                            "/internal/channels/\(room)/messages",
                            as: index % 2 == 0 ? a : b,
                            ["messages": said]
                        )
                        let repeated = try #require(try again.object["answers"] as? [[String: Any]])
                        #expect(repeated.map { $0["status"] as? Int } == [200, 200, 200, 200, 200])
                        let ids = [answers, repeated].map {
                            $0.map { ($0["body"] as? [String: Any])?["id"] as? String }
                        }
                        #expect(ids[0] == ids[1])
                    }
                }
                return codes
            }
            #expect(codes.allSatisfy { $0.count == 20 && $0[13] == 422 && $0.filter { $0 == 201 }.count == 19 })
            let stored = try await world.database.query("SELECT seq, text FROM messages ORDER BY seq").map { row in
                var columns = row.columns
                return (seq: try columns.next(Int64.self), text: try columns.next(String.self))
            }
            #expect(stored.map(\.seq) == Array(1...152))
            for index in 0..<8 {
                let wanted = (0..<4).flatMap { texts(index, $0) }.filter { $0 != "\(index)-2-3" }
                #expect(stored.map(\.text).filter { $0.hasPrefix("\(index)-") } == wanted)
            }
            #expect(try await world.recorded(MessageSent.self).count == 152)
        }
    }

    @Test func oneWishIsOneMessage() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let answers = try await world.atOnce(20) { _ in
                try await world.say("once", in: room, as: a, ["client_id": "k"])
            }
            #expect(answers.filter { $0.code == 201 }.count == 1)
            #expect(answers.filter { $0.code == 200 }.count == 19)
            #expect(Set(answers.map(\.text)).count == 1)
            #expect(try await world.said("next", in: room, as: a).isEmpty == false)
            #expect(try await world.number("SELECT last_seq FROM channels") == 2)
            #expect(try await world.recorded(MessageSent.self).count == 2)
        }
    }

    @Test func changesOfOneMessageAreCountedOneByOne() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let people = try await world.atOnce(10) { try await world.person("p\($0)") }
            let room = try await world.room([a] + people)
            let id = try await world.said("hi", in: room, as: a)
            let codes = try await world.atOnce(10) { index in
                let path = "/api/v1/messages/\(id)"
                return [
                    try await world.put("\(path)/reactions/👍", as: people[index]).code,
                    try await world.patch(path, as: a, ["text": "edit \(index)"]).code,
                    try await world.say("more", in: room, as: people[index]).code,
                    try await world.delete("\(path)/reactions/👍", as: people[index]).code,
                ]
            }
            #expect(Set(codes) == [[200, 200, 201, 200]])
            #expect(try await world.number("SELECT last_seq FROM channels") == 11)
            #expect(try await world.number("SELECT last_change FROM channels") == 41)
            let changes = try await world.updates().filter { $0.channelID != nil }.count
            #expect(changes == 41)
            #expect(try await world.message(id, as: a)["reactions"] as? [String] == [])
        }
    }

    @Test func twoDeletionsAreOne() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let id = try await world.said("hi", in: room, as: a)
            let answers = try await world.atOnce(10) { index in
                index % 2 == 0
                    ? try await world.delete("/api/v1/messages/\(id)", as: a)
                    : try await world.patch("/api/v1/messages/\(id)", as: a, ["text": "edit \(index)"])
            }
            #expect(answers.allSatisfy { $0.code == 200 || $0.code == 404 })
            #expect(try await world.recorded(MessageDeleted.self).count == 1)
            #expect(try await world.message(id, as: a)["text"] as? String == "")
        }
    }

    @Test func readingEndsAtTheHighest() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            for index in 1...20 { try await world.said("m\(index)", in: room, as: a) }
            let distances = try await world.atOnce(20) { index in
                let seq = (index * 7) % 20 + 1
                let answer = try await world.post("/api/v1/channels/\(room)/read", as: b, ["seq": seq])
                return try answer.int("last_read_seq").map { $0 - seq } ?? -1
            }
            #expect(distances.allSatisfy { $0 >= 0 })
            #expect(try await world.unread(room, as: b) == [0, 0])
            // What is told rises, and so do the versions.
            let read = try await world.recorded(ConversationRead.self)
            #expect(read.map(\.lastReadSeq) == read.map(\.lastReadSeq).sorted())
            #expect(read.last?.lastReadSeq == 20)
            #expect(zip(read, read.dropFirst()).allSatisfy { $0.subjectVersion < $1.subjectVersion })
        }
    }

    @Test func whoIsRemovedSaysNothing() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try #require(ChannelID(try await world.room([a, b], type: "private")))
            let codes = try await world.atOnce(12) { index in
                if index == 5 {
                    try await world.database.transaction { transaction in
                        ChannelStore.hold(room, in: transaction)
                        transaction.enqueue("DELETE FROM channel_members WHERE account_id = \(b.id)")
                    }
                    return 0
                }
                return try await world.say("\(index)", in: room.description, as: b).code
            }
            let sent = codes.filter { $0 == 201 }.count
            #expect(codes.allSatisfy { [0, 201, 403, 404].contains($0) })
            #expect(try await world.number("SELECT last_seq FROM channels") == sent)
            #expect(try await world.number("SELECT count(*) FROM messages") == sent)
        }
    }

    /// Somebody writes while the other one's block is being written: it holds for whatever comes after it.
    @Test(arguments: ["send", "edit", "react"]) func aBlockHoldsAtItsVeryMoment(act: String) async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let id = try await world.direct(a, b)
            let message = try await world.said("before", in: id, as: a)
            let progress = Progress()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await eventually("the block") { progress.isWritten.withLock { $0 } }
                    let answer =
                        switch act {
                        case "send": try await world.say("during", in: id, as: a)
                        case "edit": try await world.patch("/api/v1/messages/\(message)", as: a, ["text": "during"])
                        default: try await world.put("/api/v1/messages/\(message)/reactions/👍", as: a)
                        }
                    progress.code.withLock { $0 = answer.code }
                }
                group.addTask {
                    try await world.database.transaction { transaction in
                        let work = Work(world.dependencies, transaction)
                        try await BlockChanged.react(
                            AccountBlocked(actorID: b.id, targetID: a.id, subjectVersion: 1),
                            active: true,
                            in: work
                        )
                        _ = try await transaction.query("SELECT 1")
                        progress.isWritten.withLock { $0 = true }
                        try await eventually("whoever writes waits, or is done") {
                            let waiting = try await world.number(
                                """
                                SELECT count(*) FROM pg_stat_activity
                                WHERE datname = current_database() AND wait_event_type = 'Lock'
                                """
                            )
                            return waiting > 0 || progress.code.withLock { $0 != nil }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(progress.code.withLock { $0 } == 403)
            #expect(try await world.texts(id, as: a) == ["before"])
            #expect(try await world.number("SELECT count(*) FROM reactions") == 0)
            #expect(try await world.number("SELECT last_seq FROM channels WHERE party IS NOT NULL") == 1)
        }
    }

    /// Whoever waited behind a change that leaves them their voice is heard all the same.
    @Test func aChangeMeanwhileIsNoRefusal() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let playground = try await world.playground(of: a)
            let channel = try await world.channel("talk", in: playground, by: a)
            let codes = try await world.atOnce(24) { index in
                index.isMultiple(of: 4)
                    ? try await world.patch("/api/v1/channels/\(channel)", as: a, ["name": "talk \(index)"]).code
                    : try await world.say("\(index)", in: channel, as: a).code
            }
            #expect(codes.allSatisfy { [200, 201].contains($0) }, "\(codes)")
            #expect(try await world.number("SELECT count(*) FROM messages") == 18)
        }
    }
}

/// How far two who act at the same time have come.
private final class Progress: Sendable {
    let isWritten = Mutex(false)
    let code = Mutex<Int?>(nil)
}

// SPDX-License-Identifier: Apache-2.0
// What reaches devices, in which order, how often, and what does not.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct DeliveryTests {
    /// Account 1 has a post that some people like.
    private static func liked(by people: [AccountID]) -> [Happening] {
        var world = World()
        world.post(901, by: 1)
        for person in people { world.like(901, by: person) }
        return world.history
    }

    @Test func `what happened first arrives first, one at a time, whoever sends`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            try await stage.register("tablet", of: 1, 9)
            try await stage.apply(DeliveryTests.liked(by: [2, 3, 4, 5, 6]))
            let (one, other) = (stage.worker, stage.worker)
            async let first = one.finish()
            async let second = other.finish()
            _ = try await (first, second)
            // What one put off because the other had the device.
            stage.clock.value = stage.clock.value + .seconds(120)
            try await stage.worker.finish()
            let expected = try await stage.list(1).map(\.id).reversed()
            for token in ["phone", "tablet"] {
                let arrived = sender.pushes.filter { $0.address == .firebase(token: token) }
                #expect(arrived.compactMap { $0.alert?.data["notification_id"] } == Array(expected))
            }
            #expect(!sender.hasMet)
            #expect(Set(sender.pushes.map(\.id)).count == sender.pushes.count)
            #expect(try await stage.log(phone, of: 1).map(\.state) == Array(repeating: "sent", count: 5))
        }
    }

    @Test func `nobody is pushed what is told again, or happened long ago`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            stage.clock.value = stage.clock.value + .seconds(2 * 86_400)
            try await stage.apply(DeliveryTests.liked(by: [2]))
            #expect(try await stage.list(1).count == 1)
            try await stage.worker.finish()
            #expect(sender.pushes.isEmpty)
        }
    }

    @Test func `an event that comes twice is pushed once`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            let history = DeliveryTests.liked(by: [2])
            try await stage.apply(history + history)
            try await stage.worker.finish()
            try await stage.apply(history)
            try await stage.worker.finish()
            #expect(sender.pushes.map(\.summary) == ["favourite"])
        }
    }

    @Test func `a provider that asks for patience is asked again no sooner, by the same id`() async throws {
        let sender = RecordingSender { _, number in
            number == 0 ? .later(reason: "TooManyRequests", after: .seconds(30)) : .accepted(name: nil)
        }
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            try await stage.apply(DeliveryTests.liked(by: [2, 3]))
            try await stage.worker.finish()
            stage.clock.value = stage.clock.value + .seconds(29)
            try await stage.worker.finish()
            #expect(sender.pushes.count == 1)
            #expect(try await stage.log(phone, of: 1).first?.reason == "TooManyRequests")
            stage.clock.value = stage.clock.value + .seconds(2)
            try await stage.worker.finish()
            #expect(sender.pushes.count == 3)
            #expect(sender.pushes[0].id == sender.pushes[1].id && sender.pushes[1].id != sender.pushes[2].id)
            #expect(try await stage.log(phone, of: 1).map(\.attempts) == [2, 1])
        }
    }

    @Test func `a provider that asks for patience with everything gets it from every device`() async throws {
        let sender = RecordingSender { _, number in
            number == 0
                ? .later(reason: "ServiceUnavailable", after: .seconds(30), ofAll: true) : .accepted(name: nil)
        }
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            try await stage.register("tablet", of: 1, 9)
            try await stage.apply(DeliveryTests.liked(by: [2]))
            let (flight, deliver) = try #require(
                await stage.worker.claim(beside: [.apple: DeliveryWorker.most - 1]).first
            )
            // It took off before the provider said so, and finds it out.
            let (other, late) = try #require(
                await stage.worker.claim(beside: [.apple: DeliveryWorker.most - 1]).first
            )
            try await deliver.run(flight)
            try await late.run(other)
            for seconds in [0, 15, 14] {
                stage.clock.value = stage.clock.value + .seconds(seconds)
                try await stage.worker.finish()
                #expect(sender.pushes.count == 1)
            }
            #expect(!stage.dependencies.rests.isMisconfigured(.firebase))
            stage.clock.value = stage.clock.value + .seconds(2)
            try await stage.worker.finish()
            #expect(sender.pushes.count == 3)
        }
    }

    @Test func `the rest of a provider grows with each time in a row, and is its own`() {
        let (rests, start) = (SenderRests(), Stage.soon)
        func end(_ moment: Timestamp) -> Int {
            (0...2000).first { !rests.isResting(.apple, at: moment + .seconds($0)) } ?? -1
        }
        for _ in 0..<32 { rests.wait(.apple, at: start, asked: nil, chance: 1) }
        #expect(end(start) == 1, "those who were on their way count once")
        #expect(!rests.isResting(.firebase, at: start) && !rests.isMisconfigured(.apple))
        rests.wait(.apple, at: start + .seconds(10), asked: nil, chance: 1)
        #expect(end(start + .seconds(10)) == 2)
        rests.wait(.apple, at: start + .seconds(20), asked: .seconds(1200), chance: 0)
        #expect(end(start + .seconds(20)) == 1200)
        // What was on its way arrives: the provider's word stands.
        rests.forgive(.apple, at: start + .seconds(30))
        #expect(end(start + .seconds(20)) == 1200)
        rests.forgive(.apple, at: start + .seconds(2000))
        rests.wait(.apple, at: start + .seconds(3000), asked: nil, chance: 1)
        #expect(end(start + .seconds(3000)) == 1)
    }

    @Test func `strangers' push services hold half of the flights at most`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            for session in 100..<130 {
                let form = "platform=web&" + DeviceTests.subscription("https://push.example/\(session)")
                let (account, session) = (AccountID(Int64(session / 10)), SessionID(Int64(session)))
                let answer = try await stage.respond(
                    .post,
                    "/api/v1/devices",
                    form: form,
                    as: account,
                    session: session
                )
                #expect(answer.status == .ok)
            }
            var world = World()
            for account in 10..<13 { world.follow(AccountID(Int64(account)), by: 2) }
            try await stage.apply(world.history)
            #expect(await stage.worker.claim(beside: [.web: 13]).map(\.1.platform) == [.web, .web, .web])
            #expect(await stage.worker.claim(beside: [.web: 3]).count == 13)
            try await stage.register("phone", of: 20)
            try await stage.apply(world.follow(20, by: 2))
            #expect(await stage.worker.claim(beside: [.web: 16]).map(\.1.platform) == [.firebase])
        }
    }

    @Test func `what nobody takes ends when it expires`() async throws {
        let sender = RecordingSender { _, _ in .later(reason: "ServiceUnavailable", after: nil) }
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            try await stage.apply(DeliveryTests.liked(by: [2]))
            for _ in 0..<20 {
                try await stage.worker.finish()
                stage.clock.value = stage.clock.value + .seconds(600)
            }
            let attempts = sender.pushes.count
            // Doubled from a second up to ten minutes.
            #expect((12...20).contains(attempts) && Set(sender.pushes.map(\.id)).count == 1)
            stage.clock.value = stage.clock.value + .seconds(86_400)
            try await stage.worker.finish()
            #expect(sender.pushes.count == attempts)
            #expect(try await stage.log(phone, of: 1).map(\.state) == ["expired"])
        }
    }

    @Test func `a pause is never shorter than asked for, and grows`() {
        for attempt in [-1, 0, 1, 5, 10, 1000] {
            for chance in [0, 0.5, 1] {
                let own = DeliveryPatience.pause(afterAttempt: attempt, asked: nil, chance: chance)
                #expect(own >= .milliseconds(500) && own <= .seconds(600))
                let asked = DeliveryPatience.pause(afterAttempt: attempt, asked: .seconds(40), chance: chance)
                #expect(asked >= .seconds(40) && asked <= .seconds(340))
            }
        }
        let early = DeliveryPatience.pause(afterAttempt: 1, asked: nil, chance: 1)
        #expect(early < DeliveryPatience.pause(afterAttempt: 4, asked: nil, chance: 0))
        #expect(DeliveryPatience.pause(afterAttempt: 0, asked: .seconds(-5), chance: 0) == .zero)
        #expect(DeliveryPatience.pause(afterAttempt: 0, asked: .seconds(1 << 40), chance: 0) == .seconds(86_400))
    }

    @Test func `of a talkative channel only the newest arrives`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            var world = ChatWorld()
            world.open(81, .public, "general", with: [1, 2])
            world.open(83, .direct, with: [1, 2])
            for id in 901...905 { world.say(MessageID(Int64(id)), in: 81, by: 2, "@minji \(id)", naming: [1]) }
            for id in 911...913 { world.say(MessageID(Int64(id)), in: 83, by: 2, "tea \(id)") }
            try await stage.apply(world.history)
            try await stage.worker.finish()
            #expect(sender.pushes.compactMap { $0.alert?.data["message_id"] } == ["905", "913"])
            #expect(sender.pushes.map(\.collapseKey) == ["channel-81", "channel-83"])
            #expect(sender.pushes.map(\.badge) == [2, 2])
            #expect(try await stage.log(phone, of: 1).filter { $0.state == "collapsed" }.count == 6)
        }
    }

    @Test func `what was read elsewhere before it left does not arrive`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            world.say(911, in: 83, by: 2, "tea?")
            world.read(83, by: 1)
            try await stage.apply(world.history)
            try await stage.apply(DeliveryTests.liked(by: [2, 3]))
            let ids = try await stage.list(1).map(\.id)
            let form = "notifications[last_read_id]=\(ids[1])"
            #expect(try await stage.respond(.post, "/api/v1/markers", form: form, as: 1, session: 9).status == .ok)
            try await stage.worker.finish()
            #expect(sender.pushes.map(\.summary) == ["favourite"])
            #expect(
                try await stage.log(phone, of: 1).map(\.state) == ["read", "collapsed", "read", "sent", "unneeded"]
            )
        }
    }

    @Test func `who is there is not told of a message unless it stays unread`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            stage.connected.value = [1]
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            world.open(84, .direct, with: [1, 3])
            world.say(910, in: 83, by: 2, "hello")
            world.say(911, in: 83, by: 2, "tea?")
            world.say(912, in: 84, by: 3, "coffee?")
            stage.clock.value = world.messages[912]?.createdAt ?? Stage.soon
            try await stage.register("phone", of: 1)
            try await stage.apply(world.history)
            try await stage.worker.finish()
            #expect(sender.pushes.isEmpty)
            try await stage.apply(world.read(83, by: 1))
            stage.clock.value = stage.clock.value + .seconds(61)
            try await stage.worker.finish()
            #expect(sender.pushes.compactMap { $0.alert?.data["message_id"] } == ["912"])
        }
    }

    @Test func `a device that is gone is forgotten, unless it was registered anew since`() async throws {
        let gone = Box<Date?>(nil)
        let sender = RecordingSender { push, _ in
            push.address == .firebase(token: "old")
                ? .deviceGone(reason: "Unregistered", since: gone.value)
                : .accepted(name: nil)
        }
        try await Stage.push(sender) { stage in
            gone.value = Date(timeIntervalSince1970: Double(stage.clock.value.milliseconds) / 1000 - 60)
            try await stage.register("old", of: 1)
            var world = World()
            world.post(901, by: 1)
            world.like(901, by: 2)
            try await stage.apply(world.history)
            try await stage.worker.finish()
            // Gone since before it was registered: that was said of its time before.
            #expect(try await stage.devices(of: 1).count == 1)
            try await stage.register("new", of: 1)
            stage.clock.value = stage.clock.value + .seconds(60)
            try await stage.worker.finish()
            #expect(sender.pushes.map(\.address) == [.firebase(token: "old"), .firebase(token: "new")])
            #expect(Set(sender.pushes.map(\.id)).count == 1)
            gone.value = nil
            try await stage.register("old", of: 1)
            try await stage.apply(try #require(world.boost(901, by: 4)))
            try await stage.worker.finish()
            #expect(try await stage.devices(of: 1).isEmpty)
        }
    }

    @Test func `what is refused is set aside with its reason, and the next goes on`() async throws {
        let sender = RecordingSender { _, number in
            number == 0 ? .refused(reason: "PayloadTooLarge") : .accepted(name: nil)
        }
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            try await stage.apply(DeliveryTests.liked(by: [2, 3]))
            try await stage.worker.finish()
            let log = try await stage.log(phone, of: 1)
            #expect(log.map(\.state) == ["refused", "sent"])
            #expect(log.first?.reason == "PayloadTooLarge")
        }
    }

    @Test func `a sender whose keys are wrong rests, and nothing is lost`() async throws {
        let sender = RecordingSender { _, number in
            number == 0 ? .misconfigured(reason: "InvalidProviderToken") : .accepted(name: nil)
        }
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            try await stage.register("tablet", of: 1, 9)
            try await stage.apply(DeliveryTests.liked(by: [2]))
            // One flight at a time, so that the other device's does not begin beside it.
            let (flight, deliver) = try #require(
                await stage.worker.claim(beside: [.apple: DeliveryWorker.most - 1]).first
            )
            try await deliver.run(flight)
            #expect(stage.dependencies.rests.isMisconfigured(.firebase))
            try await stage.worker.finish()
            #expect(sender.pushes.count == 1)
            stage.clock.value = stage.clock.value + .seconds(61)
            try await stage.worker.finish()
            #expect(sender.pushes.count == 3)
            #expect(!stage.dependencies.rests.isMisconfigured(.firebase))
        }
    }

    @Test func `a process that dies between sending and marking leaves the same id to the next`() async throws {
        let stageBox = Box<Stage?>(nil)
        let sender = RecordingSender { _, number in
            guard number == 0, let stage = stageBox.value else { return .accepted(name: "second") }
            // As if this process hung here until its lease was over; another finds the device.
            stage.clock.value = stage.clock.value + .seconds(61)
            _ = try? await stage.worker.finish()
            return .accepted(name: "first")
        }
        try await Stage.push(sender) { stage in
            stageBox.value = stage
            let phone = try await stage.register("phone", of: 1)
            try await stage.apply(DeliveryTests.liked(by: [2, 3]))
            try await stage.worker.finish()
            #expect(sender.pushes.count == 3)
            #expect(sender.pushes[0].id == sender.pushes[1].id)
            #expect(try await stage.log(phone, of: 1).map(\.state) == ["sent", "sent"])
            #expect(try await stage.log(phone, of: 1).map(\.attempts) == [2, 1])
        }
    }

    @Test func `a session's device ends with it`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            try await stage.register("tablet", of: 1, 9)
            try await stage.apply(DeliveryTests.liked(by: [2]))
            try await stage.apply(
                Happening(SessionEnded(sessionID: 8, accountID: 1), at: stage.clock.value, number: 900_001)
            )
            try await stage.worker.finish()
            #expect(sender.pushes.map(\.address) == [.firebase(token: "tablet")])
            // A registration that was under way comes too late.
            let late = try await stage.respond(
                .post,
                "/api/v1/devices",
                form: "platform=firebase&token=phone",
                as: 1,
                session: 8
            )
            #expect(late.status == .unauthorized)
            #expect(try await stage.devices(of: 1).count == 1)
        }
    }

    @Test func `what has served is forgotten`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            try await stage.apply(DeliveryTests.liked(by: [2]))
            try await stage.apply(
                Happening(SessionEnded(sessionID: 77, accountID: 1), at: stage.clock.value, number: 900_002)
            )
            try await stage.worker.finish()
            stage.clock.value = stage.clock.value + .seconds(15 * 86_400)
            #expect(try await stage.sweep() == 2)
            #expect(try await stage.log(phone, of: 1).isEmpty)
        }
    }
}

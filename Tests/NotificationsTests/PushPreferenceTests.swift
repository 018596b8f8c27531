// SPDX-License-Identifier: Apache-2.0
// What people want to be told by push, when, and how much of it is seen.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct PushPreferenceTests {
    private static let path = "/api/v1/push/preferences"

    private static func liked() -> World {
        var world = World()
        world.post(901, by: 1, "The secret of tea")
        world.like(901, by: 2)
        return world
    }

    private static func save(_ form: String, on stage: Stage) async throws -> String {
        let answer = try await stage.respond(.put, path, form: form, as: 1)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .ok, "\(text)")
        return text
    }

    @Test func `the narrower word counts: of the device, of the app, of the account`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let phone = try await stage.register("phone", of: 1)
            try await stage.register("tablet", of: 1, 9)
            _ = try await PushPreferenceTests.save(
                "kinds[favourite]=false&devices[0][device_id]=\(phone)&devices[0][kinds][favourite]=true",
                on: stage
            )
            var world = PushPreferenceTests.liked()
            try await stage.apply(world.history)
            try await stage.worker.finish()
            #expect(sender.pushes.map(\.address) == [.firebase(token: "phone")])
            _ = try await PushPreferenceTests.save("apps[0][app_id]=7&apps[0][kinds][reblog]=false", on: stage)
            try await stage.apply(try #require(world.boost(901, by: 3)), try #require(world.like(901, by: 4)))
            try await stage.worker.finish()
            #expect(Set(sender.pushes.map(\.summary)) == ["favourite"])
            #expect(sender.pushes.count == 3)
        }
    }

    @Test func `what was said is shown, all of it`() async throws {
        try await Stage.push(RecordingSender()) { stage in
            let phone = try await stage.register("phone", of: 1)
            let foreign = try await stage.register("other", of: 2, 9)
            let said = try await PushPreferenceTests.save(
                "kinds[follow]=false&preview=sender&quiet_hours[from]=22:30&quiet_hours[to]=07:00"
                    + "&quiet_hours[time_zone]=Asia/Tokyo&apps[0][app_id]=7&apps[0][preview]=none"
                    + "&devices[0][device_id]=\(phone)&devices[0][preview]=full&devices[1][device_id]=\(foreign)",
                on: stage
            )
            #expect(said.contains(#""follow":false"#) && said.contains(#""mention":true"#))
            #expect(said.contains(#""quiet_hours":{"from":"22:30","to":"07:00","time_zone":"Asia/Tokyo"}"#))
            #expect(said.contains(#""apps":[{"app_id":"7","kinds":{},"preview":"none"}]"#))
            #expect(said.contains(#""devices":[{"device_id":"\#(phone)","kinds":{},"preview":"full"}]"#))
            let shown = try await stage.respond(.get, PushPreferenceTests.path, as: 1)
            #expect(String(decoding: shown.body, as: UTF8.self) == said)
            #expect(
                try await PushPreferenceTests.save("", on: stage).contains(
                    #""quiet_hours":null,"apps":[],"devices":[]"#
                )
            )
        }
    }

    @Test func `what means nothing is refused`() async throws {
        let bad = [
            "kinds[poke]=true", "kinds=1", "kinds[mention]=perhaps", "preview=half", "quiet_hours[from]=22:00",
            "quiet_hours[from]=24:00&quiet_hours[to]=07:00", "quiet_hours[from]=7:0&quiet_hours[to]=08:00",
            "quiet_hours[from]=22:00&quiet_hours[to]=07:00&quiet_hours[time_zone]=Mars/Base", "apps[0][app_id]=x",
            "apps[0][preview]=full", "devices=1", "apps[0][app_id]=7&apps[1][app_id]=7",
        ]
        try await Stage.run { stage in
            for form in bad {
                let answer = try await stage.respond(.put, PushPreferenceTests.path, form: form, as: 1)
                #expect([400, 422].contains(answer.status.code), "\(form) \(answer.status)")
            }
        }
    }

    /// At a moment of the day, by the clock of a zone, between two hours: when it is sent.
    @Test(arguments: [
        ("2026-01-02T03:20:00Z", "13:00", "12:00", "Asia/Seoul", "2026-01-02T03:20:00Z"),
        // 12:20 in Seoul.
        ("2026-01-02T03:20:00Z", "12:00", "13:00", "Asia/Seoul", "2026-01-02T04:00:00Z"),
        ("2026-01-02T03:20:00Z", "22:00", "07:00", "UTC", "2026-01-02T07:00:00Z"),
        ("2026-01-02T23:20:00Z", "22:00", "07:00", "UTC", "2026-01-03T07:00:00Z"),
        ("2026-01-02T21:59:00Z", "22:00", "07:00", "UTC", "2026-01-02T21:59:00Z"),
        // The night in which clocks go forward in New York: 07:00 is 11:00 in UTC, not 12:00.
        ("2026-03-08T05:00:00Z", "22:00", "07:00", "America/New_York", "2026-03-08T11:00:00Z"),
    ])
    func `quiet hours are kept, by the person's clock`(
        moment: String,
        start: String,
        end: String,
        zone: String,
        sent: String
    ) async throws {
        let sender = RecordingSender()
        let (moment, sent) = (try #require(Timestamp(rfc3339: moment)), try #require(Timestamp(rfc3339: sent)))
        try await Stage.push(sender) { stage in
            stage.clock.value = moment
            try await stage.register("phone", of: 1)
            _ = try await PushPreferenceTests.save(
                "quiet_hours[from]=\(start)&quiet_hours[to]=\(end)&quiet_hours[time_zone]=\(zone)",
                on: stage
            )
            let world = PushPreferenceTests.liked(at: moment)
            try await stage.apply(world)
            if sent > moment {
                stage.clock.value = sent - .seconds(1)
                try await stage.worker.finish()
                #expect(sender.pushes.isEmpty)
            }
            stage.clock.value = sent
            try await stage.worker.finish()
            #expect(sender.pushes.count == 1)
        }
    }

    /// A favourite given at a moment.
    private static func liked(at moment: Timestamp) -> [Happening] {
        var world = World(at: moment + .seconds(-2))
        world.post(901, by: 1)
        world.like(901, by: 2)
        return world.history
    }

    @Test func `a locked screen shows as much as is wanted, in the device's language`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let devices = [("full", "en"), ("sender", "ko"), ("none", "ja")]
            var form: [String] = []
            for (index, (preview, language)) in devices.enumerated() {
                let id = try await stage.register(
                    preview,
                    of: 1,
                    SessionID(Int64(50 + index)),
                    more: "language=\(language)"
                )
                form.append("devices[\(index)][device_id]=\(id)&devices[\(index)][preview]=\(preview)")
            }
            _ = try await PushPreferenceTests.save(form.joined(separator: "&"), on: stage)
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            world.say(911, in: 83, by: 2, "<b>tea</b>\n at \u{202E}four?")
            try await stage.apply(world.history)
            try await stage.worker.finish()
            var said: [String: [String]] = [:]
            for push in sender.pushes {
                guard case .firebase(let token) = push.address, let alert = push.alert else { continue }
                said[token] = [alert.title, alert.body]
            }
            #expect(said["full"] == ["Person 2", "<b>tea</b>  at four?"])
            #expect(said["sender"] == ["Person 2", "메시지를 보냈습니다"])
            #expect(said["none"] == ["localhost:3000", "新しい通知があります"])
            let hidden = sender.pushes.first { $0.address == .firebase(token: "none") }
            #expect(hidden?.alert?.data["account_id"] == nil)
        }
    }

    @Test(arguments: TestSeed.list([1, 2] as [UInt64]))
    func `what is too long is cut between characters, and has room`(seed: UInt64) {
        var dice = TestSeed(seed)
        let letters = ["a", "\"", "\\", "가", "é", "🍵", "👩‍👩‍👧‍👦", "🇰🇷", "か\u{3099}"]
        for _ in 0..<200 {
            let make: (Int) -> String = { most in
                (0..<Int.random(in: 0...most, using: &dice)).map { _ in letters.randomElement(using: &dice) ?? "" }
                    .joined()
            }
            let (title, body, room) = (make(100), make(2000), Int.random(in: 300...4000, using: &dice))
            var text = PushText(title: title, body: body)
            let bytes = BuildPush.fit(&text, room) { text in Array("{\(text.title)|\(text.body)}".utf8) }
            #expect(bytes == Array("{\(text.title)|\(text.body)}".utf8))
            #expect(bytes.count <= room)
            for (part, whole) in [(text.title, title), (text.body, body)] where part != whole {
                let kept = part.isEmpty ? "" : String(part.dropLast())
                #expect(whole.hasPrefix(kept) && (part.isEmpty || part.hasSuffix("…")))
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Devices and subscriptions: who is reached where, and what each wants to hear.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct DeviceTests {
    private static let token = String(repeating: "0aF3", count: 16)
    /// The point from which P-256 begins.
    static let key =
        "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
    /// Has the form of a point, and lies on no curve.
    private static let beside = Base64.encoded([4] + [UInt8](repeating: 7, count: 64), url: true)
    private static let secret = Base64.encoded([UInt8](repeating: 9, count: 16), url: true)

    static func subscription(_ endpoint: String, _ data: String = "", key: String = key) -> String {
        "subscription[endpoint]=\(endpoint)&subscription[keys][p256dh]=\(key)&subscription[keys][auth]=\(secret)"
            + (data.isEmpty ? "" : "&" + data)
    }

    @Test func `a device says where it is, and nobody is shown its token`() async throws {
        try await Stage.push(RecordingSender()) { stage in
            let answer = try await stage.respond(
                .post,
                "/api/v1/devices",
                form: "platform=apple&token=\(DeviceTests.token)&environment=sandbox&time_zone=Asia/Seoul&mutable=true",
                as: 1,
                language: .korean
            )
            #expect(answer.status == .ok)
            #expect(!String(decoding: answer.body, as: UTF8.self).lowercased().contains("0af3"))
            let device = try #require(try await stage.devices(of: 1).first)
            #expect(device.platform == "apple" && device.environment == "sandbox" && device.topic == "app.madang")
            #expect(device.language == "ko" && device.time_zone == "Asia/Seoul" && device.current && device.reached)
        }
    }

    @Test func `what is no device is refused by the field`() async throws {
        let (token, long) = (DeviceTests.token, String(repeating: "a", count: 5000))
        let bad = [
            ("", "platform"), ("platform=palm", "platform"), ("platform=apple", "token"),
            ("platform=apple&token=zz", "token"),
            ("platform=apple&token=\(token)0", "token"), ("platform=apple&token=\(token)&topic=a%20b", "topic"),
            ("platform=apple&token=\(token)&environment=home", "environment"),
            ("platform=firebase&token=\(long)", "token"),
            ("platform=firebase&token=a&language=xx", "language"),
            ("platform=firebase&token=a&time_zone=Mars/Base", "time_zone"),
            ("platform=firebase&token=a&time_zone=';--", "time_zone"), ("platform=web", "subscription"),
            ("platform=web&\(DeviceTests.subscription("http://a.example/1"))", "subscription[endpoint]"),
            ("platform=web&\(DeviceTests.subscription("https://"))", "subscription[endpoint]"),
            ("platform=web&\(DeviceTests.subscription("https://a.example/1"))x", "subscription[keys][auth]"),
            (
                "platform=web&\(DeviceTests.subscription("https://a.example/1", key: DeviceTests.beside))",
                "subscription[keys][p256dh]"
            ),
        ]
        try await Stage.push(RecordingSender()) { stage in
            for (form, field) in bad {
                let answer = try await stage.respond(.post, "/api/v1/devices", form: form, as: 1)
                #expect(answer.status == .unprocessableContent, "\(form)")
                #expect(String(decoding: answer.body, as: UTF8.self).contains("\"name\":\"\(field)\""), "\(form)")
            }
            #expect(try await stage.devices(of: 1).isEmpty)
        }
    }

    @Test func `a token moves with who registers it last`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            try await stage.register("phone", of: 2, 9)
            var world = World()
            world.post(901, by: 1)
            world.post(902, by: 2)
            world.like(901, by: 3)
            world.like(902, by: 4)
            try await stage.apply(world.history)
            try await stage.worker.finish()
            #expect(sender.pushes.compactMap { $0.alert?.data["id"] } == ["902"])
            #expect(try await stage.devices(of: 1).isEmpty)
        }
    }

    @Test func `a session has one device on a platform, and an account twenty`() async throws {
        try await Stage.push(RecordingSender()) { stage in
            let first = try await stage.register("one", of: 1)
            #expect(try await stage.register("two", of: 1) == first)
            #expect(try await stage.devices(of: 1).count == 1)
            for number in 0..<RegisterDevice.most {
                stage.clock.value = stage.clock.value + .seconds(1)
                try await stage.register("more\(number)", of: 1, SessionID(Int64(100 + number)))
            }
            let devices = try await stage.devices(of: 1)
            #expect(devices.count == RegisterDevice.most && !devices.contains { $0.id == "\(first)" })
        }
    }

    @Test func `many who register one address at once leave it to one of them`() async throws {
        try await Stage.push(RecordingSender()) { stage in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { try await stage.register("phone", of: 1, SessionID(Int64(200 + number))) }
                }
                try await group.waitForAll()
            }
            #expect(try await stage.devices(of: 1).count == 1)
        }
    }

    @Test func `one's own devices are listed and removed, and no others`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            let own = try await stage.register("phone", of: 1)
            let foreign = try await stage.register("other", of: 2, 9)
            for path in ["/api/v1/devices/\(foreign)", "/api/v1/devices/\(foreign)/deliveries", "/api/v1/devices/x"] {
                let method: HTTPRequest.Method = path.hasSuffix("deliveries") ? .get : .delete
                #expect(try await stage.respond(method, path, as: 1).status == .notFound)
            }
            #expect(try await stage.respond(.delete, "/api/v1/devices/\(own)", as: 1).status == .ok)
            #expect(try await stage.respond(.delete, "/api/v1/devices/\(own)", as: 1).status == .notFound)
            #expect(try await stage.devices(of: 2).count == 1)
        }
    }

    private struct Subscription: Decodable, Equatable {
        let endpoint: String
        let standard: Bool
        let alerts: [String: Bool]
        let server_key: String
        let policy: String
    }

    @Test func `Mastodon's subscription is made, shown, changed and removed`() async throws {
        let path = "/api/v1/push/subscription"
        try await Stage.push(RecordingSender()) { stage in
            func ask(_ method: HTTPRequest.Method, _ form: String? = nil) async throws -> Subscription? {
                let answer = try await stage.respond(method, path, form: form, as: 1)
                guard answer.status == .ok else { return nil }
                return try JSONDecoder().decode(Subscription.self, from: Data(answer.body))
            }
            #expect(try await stage.respond(.get, path, as: 1).status == .notFound)
            #expect(try await stage.respond(.put, path, as: 1).status == .notFound)
            let form = DeviceTests.subscription(
                "https://a.example/1",
                "data[alerts][mention]=true&data[policy]=followed"
            )
            let made = try #require(try await ask(.post, form))
            #expect(made.endpoint == "https://a.example/1" && made.server_key == "BKey" && !made.standard)
            #expect(made.alerts.filter(\.value).keys.sorted() == ["mention"] && made.policy == "followed")
            #expect(try await ask(.get) == made)
            let changed = try #require(try await ask(.put, "data[alerts][follow]=true&data[alerts][mention]=false"))
            #expect(changed.alerts.filter(\.value).keys.sorted() == ["follow"] && changed.policy == "followed")
            #expect(
                try await stage.respond(.put, path, form: "data[policy]=some", as: 1).status == .unprocessableContent
            )
            #expect(try await stage.respond(.delete, path, as: 1).status == .ok)
            #expect(try await ask(.get) == nil)
            #expect(try await stage.respond(.delete, path, as: 1).status == .ok)
        }
    }

    @Test func `a subscription hears of the kinds and the people that it wants`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            for (session, policy) in [(8, "all"), (9, "followed"), (10, "follower"), (11, "none")] {
                let form = DeviceTests.subscription(
                    "https://a.example/\(policy)",
                    "data[alerts][favourite]=1&data[policy]=\(policy)"
                )
                let answer = try await stage.respond(
                    .post,
                    "/api/v1/push/subscription",
                    form: form,
                    as: 1,
                    session: SessionID(Int64(session))
                )
                #expect(answer.status == .ok)
            }
            var world = World()
            world.post(901, by: 1)
            world.follow(1, by: 2)
            world.follow(3, by: 1)
            world.boost(901, by: 2)
            for person in [2, 3, 4] as [AccountID] { world.like(901, by: person) }
            try await stage.apply(world.history)
            try await stage.worker.finish()
            var heard: [String: Set<String>] = [:]
            for push in sender.pushes {
                guard case .web(let endpoint, _, _, let isStandard) = push.address, let alert = push.alert else {
                    continue
                }
                #expect(!isStandard && alert.data["kind"] == "favourite")
                heard[String(endpoint.dropFirst("https://a.example/".count)), default: []]
                    .insert(alert.data["account_id"] ?? "")
            }
            #expect(heard == ["all": ["2", "3", "4"], "followed": ["3"], "follower": ["2"]])
        }
    }

    @Test func `what nobody can send to is kept, and nothing is made for it`() async throws {
        try await Stage.run { stage in
            let form = DeviceTests.subscription("https://a.example/1")
            // The stage has a key and no sender: what is registered is not reached.
            #expect(try await stage.respond(.post, "/api/v1/push/subscription", form: form, as: 1).status == .ok)
            try await stage.register("phone", of: 1)
            #expect(try await stage.devices(of: 1).allSatisfy { !$0.reached })
            stage.clock.value = Stage.soon
            var world = World()
            world.post(901, by: 1)
            world.like(901, by: 2)
            try await stage.apply(world.history)
            #expect(try await stage.database.query("SELECT count(*) FROM deliveries").number() == 0)
        }
    }
}

/// What an app that was let in sees and changes of somebody's devices, and what only the operator's own may.
@Suite(.serialized) struct DeviceScopeTests {
    private static let preferences = "/api/v1/push/preferences"

    /// An app that account 1 let in, which has a device, and what it asks.
    private struct Guest: Sendable {
        let stage: Stage
        let device: String

        init(_ stage: Stage) async throws {
            self.stage = stage
            let form = "platform=firebase&token=guest"
            let answer = try await Guest.ask(.post, "/api/v1/devices", form: form, on: stage)
            #expect(answer.status == .ok)
            device = try JSONDecoder().decode(ShownDevice.self, from: Data(answer.body)).id
        }

        static func ask(
            _ method: HTTPRequest.Method,
            _ path: String,
            form: String? = nil,
            on stage: Stage
        ) async throws -> Answer {
            try await stage.respond(method, path, form: form, as: 1, session: 9, app: 50, isOwnApp: false)
        }

        func ask(_ method: HTTPRequest.Method, _ path: String, _ form: String? = nil) async throws -> Answer {
            try await Guest.ask(method, path, form: form, on: stage)
        }

        func text(_ method: HTTPRequest.Method, _ path: String, _ form: String? = nil) async throws -> String {
            let answer = try await ask(method, path, form)
            #expect(answer.status == .ok)
            return String(decoding: answer.body, as: UTF8.self)
        }
    }

    @Test func `an app that was let in lists, removes and looks into its own devices only`() async throws {
        try await Stage.push(RecordingSender()) { stage in
            let phone = try await stage.register("phone", of: 1)
            let guest = try await Guest(stage)
            let listed = try await guest.text(.get, "/api/v1/devices")
            #expect(listed.contains(#""id":"\#(guest.device)""#) && !listed.contains(#""id":"\#(phone)""#))
            #expect(try await guest.ask(.get, "/api/v1/devices/\(phone)/deliveries").status == .notFound)
            #expect(try await guest.ask(.delete, "/api/v1/devices/\(phone)").status == .notFound)
            #expect(try await stage.devices(of: 1).map(\.id).sorted() == [phone.description, guest.device].sorted())
            #expect(try await guest.ask(.get, "/api/v1/devices/\(guest.device)/deliveries").status == .ok)
            #expect(try await guest.ask(.delete, "/api/v1/devices/\(guest.device)").status == .ok)
            // The operator's own looks after all of them.
            let again = try await Guest(stage)
            #expect(try await stage.log(#require(DeviceID(again.device)), of: 1).isEmpty)
            #expect(try await stage.respond(.delete, "/api/v1/devices/\(again.device)", as: 1).status == .ok)
        }
    }

    @Test func `an app that was let in says what is wanted of itself, and touches nothing else`() async throws {
        try await Stage.push(RecordingSender()) { stage in
            let phone = try await stage.register("phone", of: 1)
            let guest = try await Guest(stage)
            let own =
                "kinds[favourite]=false&preview=sender&quiet_hours[from]=22:00&quiet_hours[to]=07:00"
                + "&apps[0][app_id]=7&apps[0][preview]=full&devices[0][device_id]=\(phone)&devices[0][preview]=none"
            let path = DeviceScopeTests.preferences
            #expect(try await stage.respond(.put, path, form: own, as: 1).status == .ok)
            for form in [
                "kinds[favourite]=true", "preview=none", "quiet_hours[from]=00:00&quiet_hours[to]=23:59",
                "apps[0][app_id]=7&apps[0][kinds][mention]=false",
                "apps[0][app_id]=50&apps[1][app_id]=7&apps[1][preview]=none",
            ] {
                #expect(try await guest.ask(.put, path, form).status == .forbidden, "\(form)")
            }
            let said = try await guest.text(
                .put,
                path,
                "apps[0][app_id]=50&apps[0][kinds][reblog]=false"
                    + "&devices[0][device_id]=\(guest.device)&devices[0][preview]=sender"
                    + "&devices[1][device_id]=\(phone)&devices[1][preview]=full"
            )
            // What stands for the account holds for the guest, too, and is shown.
            #expect(said.contains(#""favourite":false"#) && said.contains(#""from":"22:00""#))
            #expect(said.contains(#""apps":[{"app_id":"50","kinds":{"reblog":false},"preview":null}]"#))
            #expect(said.contains(#""devices":[{"device_id":"\#(guest.device)","kinds":{},"preview":"sender"}]"#))
            #expect(try await guest.text(.get, path) == said)
            _ = try await guest.text(.put, path, "")
            let shown = try await stage.respond(.get, path, as: 1)
            let text = String(decoding: shown.body, as: UTF8.self)
            #expect(text.contains(#""apps":[{"app_id":"7","kinds":{},"preview":"full"}]"#))
            #expect(text.contains(#""devices":[{"device_id":"\#(phone)","kinds":{},"preview":"none"}]"#))
            #expect(text.contains(#""favourite":false"#) && text.contains(#""preview":"sender""#))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Whole exchanges, as they were agreed on.

import Domain
import Events
import Foundation
import HTTPTypes
import Testing
import Web

@Suite(.serialized) struct GoldenTests {
    private struct Exchange {
        var method: HTTPRequest.Method
        var path: String
        var query = ""
        var form: String?
        var account: AccountID? = 1
    }

    /// Exchanges in the file `name`; a missing file is written, for somebody to read and commit.
    private func check(_ name: String, _ exchanges: [Exchange], on stage: Stage) async throws {
        var text = ""
        for exchange in exchanges {
            let answer = try await stage.respond(
                exchange.method,
                exchange.path,
                query: exchange.query,
                form: exchange.form,
                as: exchange.account
            )
            text += "\(exchange.method) \(exchange.path)\(exchange.query.isEmpty ? "" : "?" + exchange.query)\n"
            if let account = exchange.account { text += "as \(account)\n" }
            if let form = exchange.form { text += "\(form)\n" }
            text += "\n\(answer.status.code)\n"
            for name in ["Content-Type", "Link"] {
                if let field = HTTPField.Name(name), let value = answer.headers[field] { text += "\(name): \(value)\n" }
            }
            text += "\(String(decoding: answer.body, as: UTF8.self))\n\n"
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/http/notifications/\(name).txt")
        guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("\(name).txt was missing and has been written: read it and commit it")
            return
        }
        #expect(text == golden)
    }

    @Test func notifications() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1, "Good morning, @haruto #tea", mentioning: [2])
            world.like(901, by: 2)
            world.post(902, by: 2, "@minji Good morning", mentioning: [1], answering: 901)
            world.follow(1, by: 3)
            try await stage.apply(world.history)
            let ids = try await stage.list(1).map(\.id)
            try await check(
                "notifications",
                [
                    Exchange(method: .get, path: "/api/v1/notifications"),
                    Exchange(method: .get, path: "/api/v1/notifications", query: "types[]=follow&limit=1"),
                    Exchange(method: .get, path: "/api/v1/notifications", account: 4),
                    Exchange(method: .get, path: "/api/v1/notifications/\(ids[0])"),
                    Exchange(method: .get, path: "/api/v1/notifications/1"),
                    Exchange(method: .get, path: "/api/v1/notifications/unread_count"),
                    Exchange(method: .post, path: "/api/v1/notifications/\(ids[0])/dismiss"),
                    Exchange(method: .post, path: "/api/v1/notifications/clear"),
                    Exchange(method: .get, path: "/api/v1/notifications"),
                    Exchange(method: .get, path: "/api/v1/notifications", account: nil),
                    Exchange(method: .get, path: "/api/v1/notifications", query: "max_id=x"),
                ],
                on: stage
            )
        }
    }

    @Test func chat() async throws {
        try await Stage.run { stage in
            var world = ChatWorld()
            world.open(81, .public, "general", with: [1, 2])
            world.open(83, .direct, with: [1, 2])
            world.say(901, in: 81, by: 2, "@minji, tea at four?", naming: [1])
            world.say(902, in: 83, by: 2, "And bring a cup. " + String(repeating: "🍵", count: 200))
            try await stage.apply(world.history)
            let types = "types[]=chat_mention&types[]=direct_message&types[]=mention"
            let ids = try await stage.list(1, query: types).map(\.id)
            try await check(
                "chat",
                [
                    Exchange(method: .get, path: "/api/v1/notifications", query: types),
                    Exchange(method: .get, path: "/api/v1/notifications", query: "types[]=chat_mention"),
                    Exchange(method: .get, path: "/api/v1/notifications"),
                    Exchange(method: .get, path: "/api/v1/notifications/\(ids[1])"),
                    Exchange(method: .get, path: "/api/v1/notifications/unread_count", query: types),
                    Exchange(method: .get, path: "/api/v1/notifications/unread_count"),
                    Exchange(method: .post, path: "/api/v1/notifications/\(ids[0])/dismiss"),
                    Exchange(method: .get, path: "/api/v1/notifications", query: types, account: 2),
                    Exchange(method: .post, path: "/api/v1/notifications/clear", query: "types[]=chat_mention"),
                    Exchange(method: .get, path: "/api/v1/notifications", query: types),
                ],
                on: stage
            )
        }
    }

    @Test func markers() async throws {
        try await Stage.run { stage in
            try await check(
                "markers",
                [
                    Exchange(method: .get, path: "/api/v1/markers", query: "timeline[]=home&timeline[]=notifications"),
                    Exchange(
                        method: .post,
                        path: "/api/v1/markers",
                        form: "home[last_read_id]=103194548672408537&notifications[last_read_id]=35050107"
                    ),
                    Exchange(method: .get, path: "/api/v1/markers", query: "timeline[]=home&timeline[]=notifications"),
                    Exchange(
                        method: .post,
                        path: "/api/v1/markers",
                        form: "home[last_read_id]=103194548672408538&home[version]=4"
                    ),
                    Exchange(method: .post, path: "/api/v1/markers", form: "home[last_read_id]=x"),
                ],
                on: stage
            )
        }
    }

    @Test func push() async throws {
        let key = DeviceTests.key
        let secret = Base64.encoded([UInt8](repeating: 9, count: 16), url: true)
        let subscription =
            "subscription[endpoint]=https://push.example/1&subscription[keys][p256dh]=\(key)&subscription[keys][auth]=\(secret)"
            + "&data[alerts][mention]=true&data[policy]=followed"
        let (devices, preferences) = ("/api/v1/devices", "/api/v1/push/preferences")
        let token = String(repeating: "0a1b2c3d", count: 8)
        try await Stage.run { stage in
            try await check(
                "push",
                [
                    Exchange(
                        method: .post,
                        path: devices,
                        form:
                            "platform=apple&token=\(token)&topic=app.madang.ios&environment=sandbox&time_zone=Asia/Seoul"
                            + "&language=ko&mutable=true"
                    ),
                    Exchange(method: .get, path: devices),
                    Exchange(method: .get, path: devices, account: 2),
                    Exchange(method: .post, path: devices, form: "platform=apple&token=12"),
                    Exchange(method: .get, path: "/api/v1/devices/1/deliveries"),
                    Exchange(method: .delete, path: "/api/v1/devices/1"),
                    Exchange(method: .get, path: preferences),
                    Exchange(
                        method: .put,
                        path: preferences,
                        form: "kinds[favourite]=false&preview=sender&quiet_hours[from]=22:00&quiet_hours[to]=07:00"
                            + "&apps[0][app_id]=7&apps[0][kinds][follow]=false"
                    ),
                    Exchange(method: .put, path: preferences, form: "preview=half"),
                    Exchange(method: .get, path: "/api/v1/push/subscription"),
                    Exchange(method: .post, path: "/api/v1/push/subscription", form: subscription),
                    Exchange(method: .put, path: "/api/v1/push/subscription", form: "data[alerts][follow]=true"),
                    Exchange(method: .delete, path: "/api/v1/push/subscription"),
                    Exchange(method: .get, path: devices, account: nil),
                ],
                on: stage
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// No number, moment or cursor that a client sends breaks a route, or shows what is another's.

import Domain
import Foundation
import HTTPTypes
import Support
import Surface
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct BadInputTests {
    private static let values = [
        "0", "-1", "1", "2147483648", "9007199254740993", "9223372036854775806", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "99999999999999999999", "1e400", "1e18", "5.0", "NaN", "", " ",
        "null", "true", "0x10", "٣", "%00", "a%00b", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "%F0%9F%98%80",
        "%E2%80%AEabc", "%FF%FE", "[]", "%7B%7D",
    ]

    private static let names = [
        "limit", "max_id", "since_id", "min_id", "types[]", "exclude_types[]", "account_id", "timeline[]",
        "home[last_read_id]", "home[version]", "notifications[last_read_id]", "notifications[version]", "home", "types",
        "include_filtered", "version", "platform", "token", "topic", "environment", "language", "time_zone", "mutable",
        "subscription[endpoint]", "subscription[keys][p256dh]", "subscription[keys][auth]", "subscription[standard]",
        "subscription", "data[alerts][mention]", "data[policy]", "data", "kinds[mention]", "kinds", "preview",
        "quiet_hours[from]", "quiet_hours[to]", "quiet_hours[time_zone]", "quiet_hours", "apps[0][app_id]", "apps",
        "devices[0][device_id]", "devices[0][kinds][mention]",
    ]

    @Test func `no number, moment or cursor breaks a route`() async throws {
        var dice = TestSeed()
        let seed = dice.seed
        let state = dice.next()
        try await Stage.run { stage in
            var dice = TestSeed(state)
            var world = World()
            world.post(901, by: 1)
            world.like(901, by: 2)
            try await stage.apply(world.history)
            for route in Routes.all {
                for turn in 0..<250 {
                    let id =
                        turn.isMultiple(of: 3)
                        ? "1"
                        : BadInputTests.values.filter { !$0.isEmpty }
                            .randomElement(using: &dice) ?? "1"
                    let path = route.path.replacingOccurrences(of: ":id", with: id)
                    let form = BadInputTests.names.shuffled(using: &dice).prefix(turn < 120 ? 1 : 3).map { name in
                        "\(name)=\(BadInputTests.values.randomElement(using: &dice) ?? "")"
                    }.joined(separator: "&")
                    let asQuery = route.method == .get || turn.isMultiple(of: 2)
                    let answer = try await stage.respond(
                        route.method,
                        path,
                        query: asQuery ? form : "",
                        form: asQuery ? nil : form,
                        as: 1
                    )
                    #expect(
                        answer.status.code < 500,
                        "\(route.method) \(path) \(form) seed \(seed): \(String(decoding: answer.body, as: UTF8.self))"
                    )
                }
            }
        }
    }

    @Test func `a cursor of another list is a place between one's own`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            world.post(902, by: 2)
            for actor in [3, 4, 5] as [AccountID] {
                world.like(901, by: actor)
                world.like(902, by: actor)
            }
            try await stage.apply(world.history)
            let own = try await stage.list(1)
            let foreign = try await stage.list(2)
            #expect(own.count == 3 && foreign.count == 3)
            for cursor in foreign.map(\.id) + ["901", "0", "9223372036854775807"] {
                for name in ["max_id", "min_id", "since_id"] {
                    let shown = try await stage.list(1, query: "\(name)=\(cursor)")
                    let expected = own.filter { entry in
                        guard let id = Int64(entry.id), let place = Int64(cursor) else { return false }
                        return name == "max_id" ? id < place : id > place
                    }
                    #expect(shown == expected, "\(name)=\(cursor)")
                }
            }
            // A dismissed anchor is a place like any other.
            let middle = own[1].id
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(middle)/dismiss", as: 1).status == .ok)
            #expect(try await stage.list(1, query: "max_id=\(middle)") == [own[2]])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Others who do not answer, or answer what is none, and what nobody may learn.

import Domain
import Foundation
import HTTPTypes
import Logging
import Outbound
import ServiceKit
import Support
import Synchronization
import Testing
import Web

@testable import MediaService

@Suite struct GifUpstreamFailureTests {
    private typealias Manner = @Sendable (WebConnection) -> Void

    private static let manners: [(String, Manner)] = [
        ("a fault", { $0.answer(status: "500 Internal Server Error", "") }),
        ("too many", { $0.answer(status: "429 Too Many Requests", "") }),
        ("a bad key", { $0.answer(status: "403 Forbidden", #"{"meta":{"msg":"Unauthorized"}}"#) }),
        ("a page", { $0.answer("<!doctype html><title>no</title>") }),
        ("half of it", { $0.answer(type: "application/json", String(FakeGiphy.answer($0.path, 9).dropLast(5))) }),
        ("no list", { $0.answer(type: "application/json", #"{"data":{"id":"catx0"}}"#) }),
        ("no text", { $0.answer(type: "application/json", [0x7B, 0xFF, 0x7D]) }),
        (
            "too much",
            { $0.answer(type: "application/json", #"{"data":[]}"# + String(repeating: " ", count: 1 << 20)) }
        ),
        ("a nest", { $0.answer(type: "application/json", String(repeating: "[", count: 500_000)) }),
        ("nothing", { _ in }),
    ]

    @Test func onesOwnAreShownWhateverOthersDo() async throws {
        for (name, manner) in Self.manners {
            try await MediaWorld.runUpstream { world, giphy in
                try await world.gif("Cat")
                giphy.instead(manner)
                let page = try await world.gifs("/search", "q=cat")
                #expect(page.titles == ["Cat"], "\(name)")
                #expect(page.pagination == GifList.Pagination(total_count: 1, count: 1, offset: 0), "\(name)")
                #expect(giphy.asked.count == 1, "\(name)")
                // Then they are left alone for half a minute.
                giphy.instead(nil)
                world.clock.advance(.seconds(29))
                #expect(try await world.gifs("/search", "q=cat").titles == ["Cat"], "\(name)")
                #expect(try await world.gifs("/search", "q=dog").titles == [], "\(name)")
                #expect(try await world.gifs("/search", "q=cat&limit=1").pagination?.total_count == 1, "\(name)")
                #expect(giphy.asked.count == 1, "\(name)")
                world.clock.advance(.seconds(2))
                #expect(try await world.gifs("/search", "q=cat&limit=2").titles == ["Cat", "catx0"], "\(name)")
                #expect(giphy.asked.count == 2, "\(name)")
            }
        }
    }

    @Test func noRedirectIsFollowed() async throws {
        let inside = try WebListener { $0.answer(type: "application/json", FakeGiphy.answer($0.path, 9)) }
        defer { inside.close() }
        try await MediaWorld.runUpstream { world, giphy in
            giphy.instead { $0.redirect(to: "http://127.0.0.1:\(inside.port)\($0.path)") }
            let page = try await world.gifs("/search", "q=cat")
            #expect(page.titles == [])
            #expect(giphy.asked.count == 1)
            #expect(inside.connections == 0)
        }
    }

    /// Nobody waits longer than is agreed, not even behind somebody who died.
    @Test func whoIsSilentIsNotWaitedFor() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            try await world.gif("Cat")
            giphy.instead { $0.wait(milliseconds: 60_000) }
            let hasty = world.asking([try giphy.provider()], patience: .milliseconds(300))
            #expect(try await hasty.gifs("/search", "q=cat").titles == ["Cat"])
            giphy.instead(nil)
            // Another process took it upon itself to ask, and is gone.
            let call = GifCall.part(GifSearch("dog", try GifRequest(Self.request, world.dependencies)), number: 0)
            let (now, database) = (world.clock.now, world.dependencies.database)
            let lease = now + .seconds(5)
            #expect(try await GifAnswerStore.claim(call.hash(.giphy), at: now, until: lease, in: database))
            let next = world.asking([try giphy.provider()], patience: .milliseconds(300))
            #expect(try await next.gifs("/search", "q=dog").titles == [])
            #expect(giphy.asked.count == 1)
            world.clock.advance(.seconds(6))
            #expect(try await world.gifs("/search", "q=dog&limit=1").titles == ["dogx0"])
        }
    }

    private static let request = Request(
        method: .get,
        path: "/api/v1/gifs/search",
        query: "q=dog",
        headers: [:],
        requestID: "a-request"
    )

    @Test func whatWasAnsweredTodayServesWhereNothingNewerComes() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            #expect(try await world.gifs("/search", "q=cat&limit=1").titles == ["catx0"])
            giphy.instead { $0.answer(status: "503 Service Unavailable", "") }
            for passed in [700, 12 * 3600, 11 * 3600] {
                world.clock.advance(.seconds(passed))
                let page = try await world.gifs("/search", "q=cat&limit=1")
                #expect(page.titles == ["catx0"] && page.pagination?.total_count == 120)
            }
            #expect(giphy.asked.count == 4)
            world.clock.advance(.seconds(3600))
            #expect(try await world.gifs("/search", "q=cat").titles == [])
        }
    }

    /// That a query is none is no reason to leave them alone.
    @Test func whatTheyCannotReadIsNothing() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            giphy.instead { $0.answer(status: "400 Bad Request", "") }
            let page = try await world.gifs("/search", "q=cat")
            #expect(page.titles == [])
            giphy.instead(nil)
            #expect(try await world.gifs("/search", "q=cat").titles == [])
            #expect(try await world.gifs("/search", "q=dog&limit=1").titles == ["dogx0"])
            #expect(giphy.asked.count == 2)
        }
    }

    @Test func whatNoAppCouldShowIsLeftOut() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            let bad = [
                "null", "7", #""text""#, "{}", #"{"id":"ax1"}"#, #"{"id":"ax1","images":{"original":{"url":1}}}"#,
                FakeGiphy.item("12"), FakeGiphy.item("a/x"), FakeGiphy.item(""), FakeGiphy.item("klipy-gifs-x"),
                FakeGiphy.item(String(repeating: "x", count: 129)),
            ]
            let pages = [
                FakeGiphy.whole(bad + [FakeGiphy.item("goodx")], #","pagination":{"total_count":-7}"#),
                FakeGiphy.whole(bad, #","pagination":{"total_count":99999999999999999}"#),
            ]
            giphy.instead { connection in
                let isFirst = connection.path.contains("q=cat")
                connection.answer(type: "application/json", pages[isFirst ? 0 : 1])
            }
            let page = try await world.gifs("/search", "q=cat")
            #expect(page.ids == ["goodx"] && page.pagination?.total_count == 0)
            #expect(try await world.gifs("/search", "q=dog").pagination?.total_count == GifLimits.found)
        }
    }

    /// Not even where they say it themselves.
    @Test func theKeyStaysHere() async throws {
        let log = RecordedLog()
        try await MediaWorld.runUpstream { world, giphy in
            let told = world.asking([try giphy.provider()], logger: Logger(label: "media") { _ in log })
            giphy.instead { connection in
                let items = [FakeGiphy.item("catx0"), FakeGiphy.item("catx1").replacing("a=b", with: FakeGiphy.key)]
                connection.answer(type: "application/json", FakeGiphy.whole(items, ""))
            }
            let answer = try await told.send(.get, "/api/v1/gifs/search", query: "q=cat", as: nil)
            #expect(answer.text.contains("catx0") && !answer.text.contains(FakeGiphy.key))
            giphy.instead { $0.answer(status: "404 Not Found", "The key \(FakeGiphy.key) is invalid") }
            let failed = try await told.send(.get, "/api/v1/gifs/search", query: "q=dog", as: nil)
            #expect(failed.status == .ok && !failed.text.contains(FakeGiphy.key))
            world.clock.advance(.seconds(31))
            giphy.instead { $0.answer(FakeGiphy.key) }
            _ = try await told.gifs("/search", "q=dog")
            #expect(giphy.asked.count == 3 && giphy.asked.allSatisfy { $0.contains(FakeGiphy.key) })
            let rows = try await world.keptAnswers()
            #expect(rows.contains("catx0") && !rows.contains(FakeGiphy.key))
            // A minute has one warning, whatever happens in it.
            let lines = log.lines.withLock { $0 }.filter { $0.contains("a catalogue of GIFs") }
            #expect(lines.count == 1 && lines[0].contains("giphy") && lines[0].contains("404"))
            #expect(!log.lines.withLock { $0 }.joined().contains(FakeGiphy.key))
        }
    }

    @Test func keysAreSettings() throws {
        func read(_ environment: [String: String]) throws -> [GifProvider] {
            var settings = Settings(environment: environment)
            let providers = GifProvider.read(&settings)
            #expect(!settings.effective.contains { $0.value.contains("secret") })
            try settings.finish()
            return providers
        }
        #expect(try read([:]).isEmpty)
        #expect(try read(["MADANG_GIPHY_KEY": "", "MADANG_GIPHY_URL": "http://proxy.example"]).isEmpty)
        let both = try read([
            "MADANG_KLIPY_KEY": "a-secret-key", "MADANG_GIPHY_KEY": "Another_secret",
            "MADANG_GIPHY_URL": "http://proxy.example:8080/",
        ])
        #expect(both.map(\.name) == [.giphy, .klipy])
        #expect(both.map(\.key) == ["Another_secret", "a-secret-key"])
        #expect(both.map(\.server.origin) == ["http://proxy.example:8080", "https://api.klipy.com"])
        for (name, value) in [
            ("MADANG_GIPHY_KEY", "secret"), ("MADANG_KLIPY_KEY", "secret/../other"),
            ("MADANG_KLIPY_KEY", "secret key?"),
            ("MADANG_GIPHY_URL", "ftp://giphy.example"), ("MADANG_GIPHY_URL", "https://giphy.example/path"),
        ] {
            let error = #expect(throws: Settings.Invalid.self, "\(value)") { _ = try read([name: value]) }
            let problem = try #require(error).description
            #expect(problem.contains(name) && !problem.contains("secret"))
        }
    }
}

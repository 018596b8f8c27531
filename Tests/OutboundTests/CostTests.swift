// SPDX-License-Identifier: Apache-2.0
// What an answer costs at most, however it comes (B11), and that what is asked arrives.

import CZlib
import Support
import Testing

@testable import Outbound

@Suite struct CostTests {
    private static let mebibyte = 1 << 20

    /// 4 MiB of zeros, 1:1000.
    private static func bomb() -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        var count = compressBound(UInt(zeros.count))
        var bomb = [UInt8](repeating: 0, count: Int(count))
        compress2(&bomb, &count, zeros, UInt(zeros.count), 9)
        return Array(bomb.prefix(Int(count)))
    }

    private func server(_ answer: @escaping @Sendable (WebConnection) -> Void) throws -> (WebListener, String) {
        let listener = try WebListener(answer: answer)
        return (listener, "http://127.0.0.1:\(listener.port)/")
    }

    @Test func requestAndAnswerArrive() async throws {
        let (listener, url) = try server { connection in
            connection.answer(
                status: "404 Not Found",
                type: "text/plain",
                headers: ["X-One:  a b \t"],
                Array(connection.head.utf8)
            )
        }
        defer { listener.close() }
        let answer = try await OutboundClient().send(
            OutboundRequest(
                .get,
                url + "a?b=c#d",
                headers: [("User-Agent", "Madang"), ("Accept", "text/html")],
                guard: .operators("127.0.0.1", port: listener.port)
            )
        )
        #expect(answer.status == 404)
        #expect(answer.header("x-one") == "a b")
        #expect(answer.text.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(answer.text.contains("User-Agent: Madang\r\n"))
        #expect(answer.text.contains("Accept: text/html\r\n"))
        #expect(answer.text.contains("Accept-Encoding: gzip, deflate\r\n"))
        #expect(!answer.text.contains("Cookie"))
        #expect(!answer.isCut)
    }

    @Test func headersThatWouldSplitAreRefused() async throws {
        for header in [("A", "b\r\nC: d"), ("A\nB", "c"), ("", "a"), ("A:", "b")] {
            let failed = await failure {
                try await OutboundClient().send(OutboundRequest(.get, "http://127.0.0.1/", headers: [header]))
            }
            #expect(failed == .badRequest)
        }
    }

    @Test func oneByteASecondEnds() async throws {
        let (listener, url) = try server { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while connection.write("a") { connection.wait(milliseconds: 100) }
        }
        defer { listener.close() }
        let failed = await failure {
            try await ask(url, allowing: [listener], limits: OutboundRequest.Limits(time: .seconds(1)))
        }
        #expect(failed == .late)
    }

    /// Also where each hop by itself would be in time.
    @Test func redirectsShareOneTime() async throws {
        let (listener, url) = try server { connection in
            connection.wait(milliseconds: 600)
            connection.redirect(to: "/next")
        }
        defer { listener.close() }
        let failed = await failure {
            try await ask(url, allowing: [listener], limits: OutboundRequest.Limits(time: .seconds(1)))
        }
        #expect(failed == .late)
        #expect(listener.connections <= 2)
    }

    @Test func thirtyRedirectsAreThree() async throws {
        let (listener, url) = try server { connection in
            let number = Int(connection.path.dropFirst()) ?? 0
            if number < 30 { connection.redirect(to: "/\(number + 1)") } else { connection.answer("there") }
        }
        defer { listener.close() }
        #expect(await failure { try await ask(url + "0", allowing: [listener]) } == .tooManyRedirects)
        #expect(listener.connections == 4)
        let answer = try await ask(url + "27", allowing: [listener])
        #expect(answer.text == "there")
        #expect(answer.url == url + "30")
    }

    @Test(arguments: [false, true]) func fiveGibibytesAreCut(isChunked: Bool) async throws {
        let (listener, url) = try server { connection in
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(5 << 30)"
            connection.write("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
            let part = Array("4000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x4000) + Array("\r\n".utf8)
            while connection.write(isChunked ? part : [UInt8](repeating: 0x61, count: 0x4000)) {}
        }
        defer { listener.close() }
        let answer = try await ask(url, allowing: [listener])
        #expect(answer.isCut)
        #expect(answer.body.count == Self.mebibyte)
    }

    @Test func bodiesOfRedirectsAreCut() async throws {
        let (listener, url) = try server { connection in
            connection.write("HTTP/1.1 302 Found\r\nLocation: /next\r\nTransfer-Encoding: chunked\r\n\r\n")
            let part = Array("4000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x4000) + Array("\r\n".utf8)
            while connection.write(part) {}
        }
        defer { listener.close() }
        let answer = try await ask(url, allowing: [listener])
        #expect(answer.isCut && answer.body.isEmpty)
    }

    @Test func bombsAreCut() async throws {
        let bomb = Self.bomb()
        #expect(bomb.count < 5000)
        let (listener, url) = try server { connection in
            connection.answer(headers: ["Content-Encoding: deflate"], bomb)
        }
        defer { listener.close() }
        let answer = try await ask(url, allowing: [listener])
        #expect(answer.isCut)
        #expect(answer.body.count == Self.mebibyte)
        let whole = try await ask(
            url,
            allowing: [listener],
            limits: OutboundRequest.Limits(bytes: 8 << 20, time: .seconds(600))
        )
        #expect(whole.body.count == 4 << 20)
        #expect(!whole.isCut)
    }

    @Test func endlessHeadersEnd() async throws {
        let (listener, url) = try server { connection in
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write("A: \(String(repeating: "a", count: 1000))\r\n") {}
        }
        defer { listener.close() }
        let failed = await failure { try await ask(url, allowing: [listener]) }
        #expect(failed != nil && failed != .late)
    }

    @Test func moreThanAreTakenAtATimeAreAllAnswered() async throws {
        let gauge = Gauge()
        let (listener, url) = try server { connection in
            gauge.during { connection.wait(milliseconds: 5) }
            connection.answer("here")
        }
        defer { listener.close() }
        let client = OutboundClient()
        let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { try await ask(url, client, allowing: [listener]).text == "here" } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 200)
        #expect(gauge.most <= 64)
    }

    @Test func whoeverIsCancelledWaitsNoLonger() async throws {
        let (listener, url) = try server { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while connection.write("a") { connection.wait(milliseconds: 100) }
        }
        defer { listener.close() }
        let asking = Task { try await ask(url, allowing: [listener]) }
        try await eventually { listener.connections == 1 }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }
}

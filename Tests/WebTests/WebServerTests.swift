// SPDX-License-Identifier: Apache-2.0
// The server over real sockets, with requests that no library would send.

import Domain
import Foundation
import HTTPTypes
import Logging
import ServiceKit
import ServiceLifecycle
import Support
import Surface
import Synchronization
import Testing
import Threads

@testable import Web

/// Runs a server on a free port for the time of `body`; returns what it logged.
private func withServer(
    ready: Bool = true,
    drain: Drain? = nil,
    _ body: @Sendable @escaping (_ port: Int, _ metrics: Metrics) async throws -> Void,
    whileStopping: @Sendable @escaping (_ port: Int) async throws -> Void = { _ in }
) async throws -> [String] {
    let lines = LogLines()
    let logger = Logger(label: "web") { label in JSONLines(label: label) { lines.add($0) } }
    let metrics = Metrics()
    let (ports, announce) = AsyncStream<Int>.makeStream()
    let server = WebServer(
        host: "127.0.0.1",
        port: 0,
        responder: Responder(
            routes: [
                Route(.post("/echo/:name", .anyone)) { request, _ in
                    .text("\(request.pathParameters) \(try request.parameters().string("a") ?? "-")")
                },
                Route(.get("/who", .account("read"))) { request, _ in .text(try request.requireAccount().username.text)
                },
                Route(.post("/upload", .anyone, body: .upload)) { request, _ in
                    let most = request.query.isEmpty ? Int.max : Int(request.query) ?? 0
                    var (count, sum) = (0, UInt64(0))
                    try await request.upload?.read { bytes in
                        count += bytes.count
                        for byte in bytes { sum &+= UInt64(byte) }
                        guard count <= most else { throw Problem(.contentTooLarge, "content-too-large") }
                    }
                    return .text("\(count) \(sum)")
                },
                Route(.get("/file", .anyone)) { request, _ in
                    let file = try OpenFile(path: request.query).found()
                    var answer = Answer()
                    answer.file = FileBody(file, 1..<file.size)
                    return answer
                },
                Route(.get("/trace", .anyone)) { _, _ in .text(TraceContext.current?.traceparent ?? "none") },
            ],
            dependencies: (),
            deadline: .seconds(60),
            logger: logger
        ),
        verifier: try #require(PrincipalVerifier(publicKey: try testSigner().publicKey)),
        bodyLimit: 64 * 1024,
        ready: { ["database": ready] },
        started: { announce.yield($0) },
        metrics: metrics,
        logger: logger
    )
    let services: [any Service] = [server] + (drain.map { [$0] } ?? [])
    let group = ServiceGroup(
        configuration: .init(services: services, logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
    )
    try await Turns.servers.take {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await Drain.$current.withValue(drain) { try await group.run() } }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            do { try await body(port, metrics) } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await whileStopping(port)
            try await tasks.waitForAll()
        }
    }
    return lines.all
}

private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    var all: [String] { lines.withLock { $0 } }
}

/// One exchange over a connection of its own, on a thread that may wait for the server's.
private func exchange(_ port: Int, _ text: String) async -> String {
    await onThread(named: "client") {
        guard let socket = Socket(port: port) else { return "refused" }
        socket.send(text)
        return socket.read()
    }
}

@Suite(.serialized) struct WebServerTests {
    static let close = "Host: a\r\nConnection: close\r\n"

    @Test func requestsAreAnsweredLoggedAndCounted() async throws {
        let lines = try await withServer { port, metrics in
            let body = "a=secret"
            let answer = await exchange(
                port,
                "POST /echo/x?token=hidden HTTP/1.1\r\n\(Self.close)X-Request-Id: request-12345\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.lowercased().contains("x-request-id: request-12345"))
            #expect(answer.hasSuffix(#"["name": "x"] secret"#))
            let metricsText = await exchange(port, "GET /metrics HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(
                metricsText.contains(#"madang_http_requests_total{method="POST",route="/echo/:name",status="200"} 1"#)
            )
            #expect(metricsText.contains(#"madang_http_request_seconds_count{method="POST",route="/echo/:name"} 1"#))
        }
        let line = try #require(lines.first { $0.contains(#""message":"Request""#) })
        #expect(line.contains(#""request_id":"request-12345""#) && line.contains(#""status":200"#))
        #expect(!lines.joined().contains("secret") && !lines.joined().contains("hidden"))
    }

    @Test func anUploadIsReadWhileItComes() async throws {
        _ = try await withServer { port, _ in
            let body = String(repeating: "x", count: 3 << 20)
            let length = "Content-Length: \(body.utf8.count)\r\n"
            let whole = await exchange(port, "POST /upload HTTP/1.1\r\n\(Self.close)\(length)\r\n\(body)")
            #expect(whole.hasPrefix("HTTP/1.1 200") && whole.hasSuffix("\(3 << 20) \((3 << 20) * 120)"))
            let none = await exchange(port, "POST /upload HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(none.hasSuffix("0 0"))
            // Whoever is refused in the middle reads why.
            let refused = await exchange(port, "POST /upload?1000 HTTP/1.1\r\nHost: a\r\n\(length)\r\n\(body)")
            #expect(refused.hasPrefix("HTTP/1.1 413"), "\(refused.prefix(100))")
            // Every other route has its limit.
            let other = await exchange(port, "POST /echo/x HTTP/1.1\r\nHost: a\r\n\(length)\r\n\(body)")
            #expect(other.hasPrefix("HTTP/1.1 413"))
            let chunked = await exchange(
                port,
                "POST /upload HTTP/1.1\r\n\(Self.close)Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"
            )
            #expect(chunked.hasSuffix("5 495"))
        }
    }

    @Test func aFileIsSentFromTheDisk() async throws {
        let path = "/tmp/madang-web-\(UInt64.random(in: 0 ... .max))"
        let content = String((0..<300_000).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        _ = try await withServer { port, _ in
            let answer = await exchange(port, "GET /file?\(path) HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(answer.lowercased().contains("content-length: 299999\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n" + content.dropFirst()))
            let head = await exchange(port, "HEAD /file?\(path) HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(head.lowercased().contains("content-length: 299999\r\n") && head.hasSuffix("\r\n\r\n"))
            let folder = await exchange(port, "GET /file?/tmp HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(folder.hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test func principalsAreVerified() async throws {
        let value = try testSigner().sign(testPrincipal())
        let forged = try testSigner(8).sign(testPrincipal())
        let lines = try await withServer { port, _ in
            func who(_ header: String) async -> String {
                await exchange(port, "GET /who HTTP/1.1\r\n\(Self.close)\(header)\r\n")
            }
            #expect(await who("X-Madang-Principal: \(value)\r\n").hasSuffix("minji"))
            #expect(await who("X-Madang-Principal: \(forged)\r\n").hasPrefix("HTTP/1.1 401"))
            #expect(await who("").hasPrefix("HTTP/1.1 401"))
        }
        #expect(!lines.joined().contains(value))
    }

    @Test func traceContextIsCarriedOn() async throws {
        _ = try await withServer { port, _ in
            let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            let answer = await exchange(port, "GET /trace HTTP/1.1\r\n\(Self.close)traceparent: \(parent)\r\n\r\n")
            #expect(answer.contains("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
            #expect(!answer.contains("00f067aa0ba902b7"))
            #expect(await exchange(port, "GET /trace HTTP/1.1\r\n\(Self.close)\r\n").contains("\r\n\r\n00-"))
        }
    }

    @Test func healthTellsWhatFails() async throws {
        _ = try await withServer { port, _ in
            #expect(await exchange(port, "GET /health/live HTTP/1.1\r\n\(Self.close)\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(
                await exchange(port, "GET /health/ready HTTP/1.1\r\n\(Self.close)\r\n").contains(#""database":true"#)
            )
        }
        _ = try await withServer(ready: false) { port, _ in
            let answer = await exchange(port, "GET /health/ready HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(
                answer.hasPrefix("HTTP/1.1 503") && answer.contains(#"{"status":"failing","parts":{"database":false}}"#)
            )
        }
    }

    @Test func aStoppingProcessIsNotReadyButStillAnswers() async throws {
        let drain = Drain(for: .seconds(2))
        _ = try await withServer(drain: drain) { port, _ in
            #expect(await exchange(port, "GET /health/ready HTTP/1.1\r\n\(Self.close)\r\n").hasPrefix("HTTP/1.1 200"))
        } whileStopping: { port in
            while !drain.isDraining { await Task.yield() }
            let ready = await exchange(port, "GET /health/ready HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(ready.hasPrefix("HTTP/1.1 503") && ready.contains("stopping"))
            // Whoever keeps the connection learns that it ends.
            let answer = await exchange(port, "GET /trace HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        }
    }

    @Test func headHasNoBodyAndKeepAliveWorks() async throws {
        _ = try await withServer { port, _ in
            let answer = await exchange(port, "HEAD /trace HTTP/1.1\r\n\(Self.close)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("\r\n\r\n"))
            let two = await exchange(
                port,
                "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nGET /health/live HTTP/1.1\r\n\(Self.close)\r\n"
            )
            #expect(two.components(of: "HTTP/1.1 200") == 2)
        }
    }

    @Test func bodiesOverTheLimitAreRefused() async throws {
        _ = try await withServer { port, _ in
            let big = String(repeating: "a", count: 200_000)
            let announced = await exchange(
                port,
                "POST /echo/x HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n\(big)"
            )
            #expect(announced.hasPrefix("HTTP/1.1 413"))
            let chunked = await exchange(
                port,
                "POST /echo/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n\(big)\r\n0\r\n\r\n"
            )
            #expect(chunked.hasPrefix("HTTP/1.1 413"))
            let absurd = await exchange(
                port,
                "POST /echo/x HTTP/1.1\r\n\(Self.close)Content-Length: 99999999999999999999999\r\n\r\n"
            )
            #expect(absurd.hasPrefix("HTTP/1.1 4"))
            #expect(await exchange(port, "GET /health/live HTTP/1.1\r\n\(Self.close)\r\n").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func malformedRequestsAreRefusedAndHarmNobody() async throws {
        let many = (0..<100_000).map { "x\($0): 1\r\n" }.joined()
        let long = String(repeating: "a", count: 1 << 20)
        let deep = #"{"a":"# + String(repeating: "[", count: 30_000)
        let requests = [
            "GET / HTTP/9.9\r\n\r\n", "NONSENSE\r\n\r\n", "\u{16}\u{3}\u{1}", "GET /\u{0} HTTP/1.1\r\n\r\n",
            "GET /trace HTTP/1.1\r\n\(Self.close)\(many)\r\n",
            "GET /trace HTTP/1.1\r\n\(Self.close)x: \(long)\r\n\r\n",
            "GET /\(long) HTTP/1.1\r\n\(Self.close)\r\n",
            "GET /\(String(repeating: "a", count: 10_000)) HTTP/1.1\r\n\(Self.close)\r\n",
            "POST /echo/x HTTP/1.1\r\n\(Self.close)Transfer-Encoding: chunked\r\n\r\n\(String(repeating: "f", count: 64))\r\n",
            "POST /echo/x HTTP/1.1\r\n\(Self.close)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "POST /echo/x HTTP/1.1\r\n\(Self.close)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo/x HTTP/1.1\r\n\(Self.close)Content-Length: -1\r\n\r\n",
            "POST /echo/x HTTP/1.1\r\n\(Self.close)Content-Type: application/json\r\nContent-Length: \(deep.utf8.count)\r\n\r\n\(deep)",
            "OPTIONS * HTTP/1.1\r\n\(Self.close)\r\n",
            "CONNECT a:1 HTTP/1.1\r\n\(Self.close)\r\n", "TRACE /trace HTTP/1.1\r\n\(Self.close)\r\n",
            "GET /trace%zz?%ff HTTP/1.1\r\n\(Self.close)\r\n",
        ]
        _ = try await withServer { port, _ in
            for request in requests {
                let answer = await exchange(port, request)
                #expect(
                    answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"),
                    "\(request.prefix(80)) → \(answer.prefix(40))"
                )
                #expect(
                    await exchange(port, "GET /health/live HTTP/1.1\r\n\(Self.close)\r\n").hasPrefix("HTTP/1.1 200")
                )
            }
        }
    }

    @Test func aBodyCutShortHarmsNobody() async throws {
        _ = try await withServer { port, _ in
            for _ in 0..<20 {
                guard let socket = Socket(port: port) else { continue }
                socket.send("POST /echo/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
            }
            #expect(await exchange(port, "GET /health/live HTTP/1.1\r\n\(Self.close)\r\n").hasPrefix("HTTP/1.1 200"))
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

// SPDX-License-Identifier: Apache-2.0
// Nobody inside is spoken with, whatever he is called (S19).

import Support
import Testing

@testable import Outbound

@Suite struct GuardTests {
    /// Of every special range its ends and something between.
    static let addresses = [
        "0.0.0.0", "0.0.0.1", "0.255.255.255", "10.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.0",
        "100.100.100.200",
        "100.127.255.255", "127.0.0.0", "127.0.0.1", "127.0.0.53", "127.1.2.3", "127.255.255.255", "169.254.0.0",
        "169.254.169.254",
        "169.254.255.255", "172.16.0.0", "172.17.0.1", "172.31.255.255", "192.0.0.0", "192.0.0.8", "192.0.0.170",
        "192.0.0.255",
        "192.0.2.0", "192.0.2.255", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.88.99.255", "192.168.0.0",
        "192.168.0.1",
        "192.168.255.255", "192.175.48.1", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255",
        "203.0.113.0",
        "203.0.113.255", "224.0.0.0", "224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255",
        "::", "::1", "::2", "::7f00:1", "::ffff:0:0", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1", "64:ff9b::", "64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::",
        "64:ff9b:1::10.0.0.1", "100::",
        "100::1", "100:0:0:1::1", "2001::", "2001::7f00:1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:1::1",
        "2001:1::2", "2001:2::",
        "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1",
        "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::",
        "2001:db8::1", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:7f00:1::", "2002:a00:1::1",
        "2002:a9fe:a9fe::",
        "2620:4f:8000::1", "3ffe::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "fc00::", "fc00::1", "fd00::1",
        "fd12:3456::1",
        "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::", "fe80::1", "febf::1", "fec0::1", "feff::1", "ff00::",
        "ff01::1", "ff02::1",
        "ff05::2", "ff0e::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ]

    /// Other ways to write this machine.
    static let names = [
        "2130706433", "0x7f000001", "0x7F000001", "017700000001", "0177.0.0.1", "0177.0.0.01", "0x7f.0.0.1", "0x7f.1",
        "127.1", "127.0.1",
        "0", "0x0", "00", "127.0.0.1.", "localhost", "localhost.", "LOCALHOST", "LocalHost", "a.localhost", "127。0。0。1",
        "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127．0．0．1", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]",
        "[::127.0.0.1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[0::0:1]", "[fe80::1%25lo]", "[::1%25lo]",
        "a@127.0.0.1",
        "a:b@127.0.0.1", "example.com@127.0.0.1", "example.com%40127.0.0.1", ":@127.0.0.1", "@127.0.0.1",
        "127.0.0.1%00.example.com",
        "127.0.0.1%09", "127.0.0.1%20.example.com", "127.0.0.256", "4294967297", "0x17f000001",
    ]

    static let schemes = [
        "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "file:/etc/passwd", "FILE:///etc/passwd",
        "data:text/html,<title>a</title>",
        "gopher://127.0.0.1:PORT/_GET", "ftp://127.0.0.1:PORT/", "ftps://127.0.0.1:PORT/", "dict://127.0.0.1:PORT/d:a",
        "ldap://127.0.0.1:PORT/", "smb://127.0.0.1:PORT/a", "telnet://127.0.0.1:PORT/", "tftp://127.0.0.1:PORT/a",
        "imap://127.0.0.1:PORT/", "pop3://127.0.0.1:PORT/", "smtp://127.0.0.1:PORT/", "rtsp://127.0.0.1:PORT/",
        "scp://127.0.0.1:PORT/a",
        "sftp://127.0.0.1:PORT/a", "mqtt://127.0.0.1:PORT/a", "ws://127.0.0.1:PORT/", "jar:http://127.0.0.1:PORT/!a",
        "javascript:0",
        "unix:///var/run/docker.sock", "netdoc:///etc/passwd", "//127.0.0.1:PORT/", "http:///etc/passwd", "http://", "",
    ]

    private static func host(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }

    private static func listener() throws -> WebListener { try WebListener("::") { $0.answer("inside") } }

    /// All that is asked for, at a listener's port where one can be said.
    private static func targets(_ port: Int) -> [String] {
        addresses.map { "http://\(host($0)):\(port)/" } + names.map { "http://\($0):\(port)/" }
            + schemes.map { $0.replacing("PORT", with: "\(port)") }
    }

    @Test func targetsAreRefusedBeforeASocketIsOpened() async throws {
        let inside = try Self.listener()
        defer { inside.close() }
        let client = OutboundClient()
        let targets = Self.targets(inside.port)
        #expect(targets.count >= 150)
        for target in targets {
            let failed = await failure { try await ask(target, client, ports: [80, 443, inside.port]) }
            #expect(failed != nil && failed != .late, "\(target): \(String(describing: failed))")
        }
        for address in Self.addresses {
            let url = "http://\(Self.host(address)):\(inside.port)/"
            let failed = await failure { try await ask(url, client, ports: [inside.port]) }
            #expect(failed?.isRefusal == true, "\(address): \(String(describing: failed))")
        }
        #expect(inside.connections == 0)
        // The listener hears whoever may come.
        let answer = try await ask("http://127.0.0.1:\(inside.port)/", client, allowing: [inside])
        #expect(answer.text == "inside")
        #expect(inside.connections == 1)
    }

    @Test func redirectsToThemAreRefused() async throws {
        let inside = try Self.listener()
        let targets = Self.targets(inside.port)
        let outside = try WebListener { connection in
            connection.redirect(to: targets[Int(connection.path.dropFirst()) ?? 0])
        }
        defer { [inside, outside].forEach { $0.close() } }
        let client = OutboundClient()
        for (index, target) in targets.enumerated() {
            // What is no address of its own leads back to who sent it.
            let isRelative = ["", "//"].contains { target == $0 }
            if isRelative { continue }
            let answer = try? await ask(
                "http://127.0.0.1:\(outside.port)/\(index)",
                client,
                allowing: [outside],
                ports: [80, 443, inside.port]
            )
            #expect(answer == nil || answer?.text != "inside", "\(target)")
        }
        #expect(inside.connections == 0)
        #expect(outside.connections >= targets.count - 2)
    }

    /// What a name server says, also when it says more than one thing, or something else than before.
    @Test func namesForThemAreRefused() async throws {
        let inside = try Self.listener()
        defer { inside.close() }
        for address in Self.addresses {
            let client = OutboundClient(names: ["innocent.example:\(inside.port):\(Self.host(address))"])
            let failed = await failure {
                try await ask("http://innocent.example:\(inside.port)/", client, ports: [inside.port])
            }
            #expect(failed?.isRefusal == true, "\(address): \(String(describing: failed))")
        }
        let many = OutboundClient(names: ["many.example:\(inside.port):127.0.0.1,[::1],10.0.0.1,[::ffff:127.0.0.1]"])
        let failed = await failure { try await ask("http://many.example:\(inside.port)/", many, ports: [inside.port]) }
        #expect(failed?.isRefusal == true)
        #expect(inside.connections == 0)
    }

    @Test func portsOfOthersAreRefused() throws {
        let address = try #require(NetworkAddress("93.184.215.14"))
        let six = try #require(NetworkAddress("2606:2800:21f:cb07:6820:80da:af6b:8b2c"))
        for there in [address, six] {
            #expect(there.isPublic)
            for port in [80, 443] { #expect(Guard.anybody().admits(there, port: port)) }
            for port in [
                0, 1, 21, 22, 23, 25, 53, 79, 81, 110, 442, 444, 3306, 5432, 5672, 6379, 8080, 8443, 9200, 11211,
                65_535,
            ] {
                #expect(!Guard.anybody().admits(there, port: port))
            }
        }
    }

    @Test func whatIsAllowedIsOneAddressAtOnePort() throws {
        let here = try #require(NetworkAddress("10.1.2.3"))
        let next = try #require(NetworkAddress("10.1.2.4"))
        let open = Guard.anybody(allowing: [Guard.Endpoint(here, port: 8080)])
        #expect(open.admits(here, port: 8080))
        #expect(!open.admits(here, port: 80))
        #expect(!open.admits(next, port: 8080))
    }

    @Test func operatorsNameOneHost() async throws {
        let inside = try Self.listener()
        let other = try WebListener { $0.redirect(to: "http://127.0.0.1:\(inside.port)/") }
        defer { [inside, other].forEach { $0.close() } }
        let client = OutboundClient()
        func send(_ url: String, _ port: Int) async throws -> OutboundAnswer {
            try await client.send(OutboundRequest(.get, url, guard: .operators("127.0.0.1", port: port)))
        }
        #expect(try await send("http://127.0.0.1:\(inside.port)/", inside.port).text == "inside")
        #expect(await failure { try await send("http://127.0.0.1:\(inside.port)/", other.port) } == .badRequest)
        #expect(await failure { try await send("http://localhost:\(inside.port)/", inside.port) } == .badRequest)
        #expect(inside.connections == 1)
        // A redirect is an answer.
        let answer = try await send("http://127.0.0.1:\(other.port)/", other.port)
        #expect(answer.status == 302)
        #expect(answer.header("location") == "http://127.0.0.1:\(inside.port)/")
        #expect(inside.connections == 1)
    }
}

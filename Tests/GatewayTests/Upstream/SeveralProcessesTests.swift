// SPDX-License-Identifier: Apache-2.0
// A service of which several processes run.

import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct SeveralProcessesTests {
    @Test func addressesAreAList() {
        let several = UpstreamAddress(urls: "http://a:1,http://b:2/")
        #expect(several?.port == 1 && several?.others == [UpstreamAddress(host: "b", port: 2)])
        #expect(UpstreamAddress(urls: "http://a:1")?.others == [])
        for bad in ["", ",", "http://a:1,", "a:1", "http://a:1,ftp://b:2"] {
            #expect(UpstreamAddress(urls: bad) == nil, "\(bad)")
        }
    }

    @Test func theOtherProcessAnswersForOneThatIsDown() async throws {
        let other = try await FakeService { _ in .answer(.ok, [], "the other") }
        // Port 1: nobody listens.
        let urls = "http://127.0.0.1:1,http://127.0.0.1:\(other.port)"
        try await TestGateway.run(limits: { $0.upstreamIdle = 0 }, postsURL: urls) { gateway in
            for _ in 0..<20 {
                // Not keyed, so that nothing is ever sent twice: the first try must have found the one that lives.
                let answer = try await gateway.ask("POST", "/api/v1/statuses/1/favourite", token: "good-7-9")
                #expect(answer.hasSuffix("the other"), "\(answer)")
            }
        }
        try await other.stop()
    }

    @Test func bothProcessesAreAsked() async throws {
        let one = try await FakeService { _ in .answer(.ok, [("connection", "close")], "one") }
        let two = try await FakeService { _ in .answer(.ok, [("connection", "close")], "two") }
        let urls = "http://127.0.0.1:\(one.port),http://127.0.0.1:\(two.port)"
        try await TestGateway.run(postsURL: urls) { gateway in
            for _ in 0..<20 { _ = try await gateway.ask("GET", "/api/v1/timelines/public") }
            #expect(one.asked.count + two.asked.count == 20)
            #expect(one.asked.count >= 5 && two.asked.count >= 5)
        }
        try await one.stop()
        try await two.stop()
    }
}

// SPDX-License-Identifier: Apache-2.0
// Budgets: whose, how large, and that they cannot be dodged.

import Surface
import Testing

@testable import GatewayService

@Suite struct RateLimitTests {
    private func address(_ text: String) throws -> ClientAddress { try #require(ClientAddress(text)) }

    @Test func countsDownAndBecomesWholeAgain() {
        var window = RateWindow(limit: 2, length: 1000)
        #expect(window.take(1, now: 5100) == Budget(limit: 2, remaining: 1, reset: 6000, isAllowed: true))
        #expect(window.take(1, now: 5200)?.remaining == 0)
        #expect(window.take(1, now: 5300) == Budget(limit: 2, remaining: 0, reset: 6000, isAllowed: false))
        #expect(window.take(2, now: 5300)?.isAllowed == true)
        #expect(window.take(1, now: 6000)?.remaining == 1)
    }

    @Test func staysBoundedWhenManyCome() {
        var window = RateWindow(limit: 1, length: 1000, capacity: 4)
        for key in 0..<4 { #expect(window.take(UInt64(key) + 1000, now: 0)?.isAllowed == true) }
        var allowed = 0
        for key in 0..<10_000 where window.take(UInt64(key) + 5000, now: 0)?.isAllowed == true { allowed += 1 }
        #expect(allowed <= 256)
    }

    @Test func zeroIsUnlimited() throws {
        let limiter = RateLimiter(RateLimits())
        #expect(limiter.take(.write, account: 1, address: try address("10.0.0.1"), now: 0) == nil)
    }

    @Test func accountsAndAddressesHaveBudgetsOfTheirOwn() throws {
        let limiter = RateLimiter(RateLimits(account: 1, address: 1))
        let here = try address("10.0.0.1")
        #expect(limiter.take(.read, account: 1, address: here, now: 0)?.isAllowed == true)
        #expect(limiter.take(.write, account: 1, address: try address("10.0.0.2"), now: 0)?.isAllowed == false)
        #expect(limiter.take(.read, account: 2, address: here, now: 0)?.isAllowed == true)
        #expect(limiter.take(.read, account: nil, address: here, now: 0)?.isAllowed == true)
        #expect(limiter.isExhausted(here, now: 0) != nil)
        #expect(limiter.take(.signIn, account: 3, address: here, now: 0)?.isAllowed == false)
    }

    @Test func deletionsAndSignUpsAreScarcer() throws {
        let limiter = RateLimiter(RateLimits(account: 100, address: 100, signUp: 2, delete: 1))
        let here = try address("10.0.0.1")
        #expect(limiter.take(.delete, account: 1, address: here, now: 0)?.remaining == 0)
        let refused = limiter.take(.delete, account: 1, address: here, now: 0)
        #expect(refused == Budget(limit: 1, remaining: 0, reset: 1_800_000, isAllowed: false))
        #expect(limiter.take(.write, account: 1, address: here, now: 0)?.remaining == 98)
        for _ in 0..<2 { #expect(limiter.take(.signUp, account: 9, address: here, now: 0)?.isAllowed == true) }
        #expect(limiter.take(.signUp, account: 10, address: here, now: 0)?.isAllowed == false)
    }

    @Test func aNetworkOfIPv6IsOneAddress() throws {
        let limiter = RateLimiter(RateLimits(address: 1))
        #expect(limiter.take(.read, account: nil, address: try address("2001:db8::1"), now: 0)?.isAllowed == true)
        #expect(limiter.take(.read, account: nil, address: try address("2001:db8::ffff:2"), now: 0)?.isAllowed == false)
        #expect(limiter.take(.read, account: nil, address: try address("2001:db8:0:1::1"), now: 0)?.isAllowed == true)
        #expect(try address("::ffff:10.0.0.1").network == address("10.0.0.1").network)
    }

    @Test func forwardedAddressesAreBelievedOfTrustedProxiesOnly() throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8, 192.168.1.1"))
        let proxy = try address("10.1.2.3")
        #expect(proxies.client(of: proxy, forwarded: ["1.2.3.4, 5.6.7.8, 192.168.1.1"]).text == "5.6.7.8")
        #expect(proxies.client(of: proxy, forwarded: []).text == "10.1.2.3")
        #expect(proxies.client(of: proxy, forwarded: ["nonsense"]).text == "10.1.2.3")
        #expect(proxies.client(of: try address("9.9.9.9"), forwarded: ["1.2.3.4"]).text == "9.9.9.9")
        #expect(TrustedProxies("10.0.0.0/33") == nil)
        #expect(TrustedProxies("somewhere") == nil)
    }
}

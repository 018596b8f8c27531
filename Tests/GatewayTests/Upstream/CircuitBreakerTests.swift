// SPDX-License-Identifier: Apache-2.0
// When a service is no longer asked, and when again.

import Testing

@testable import GatewayService

@Suite struct CircuitBreakerTests {
    @Test func opensAfterFailuresInARow() {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { breaker.failed(now: 0) }
        #expect(breaker.ask(now: 0) == .yes)
        breaker.failed(now: 0)
        #expect(breaker.state == .open)
        #expect(breaker.ask(now: 100) == .no(retryAfter: 400))
    }

    /// A service that hangs is found out by fewer, as each of them waits for long.
    @Test func opensAfterTimeoutsInARow() {
        var breaker = CircuitBreaker()
        for _ in 0..<2 { breaker.failed(now: 0, timedOut: true) }
        #expect(breaker.state == .closed)
        breaker.succeeded(now: 0)
        for _ in 0..<2 { breaker.failed(now: 0, timedOut: true) }
        #expect(breaker.state == .closed)
        breaker.failed(now: 0, timedOut: true)
        #expect(breaker.state == .open)
    }

    @Test func letsOneThroughAndClosesWhenItSucceeds() {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.failed(now: 0) }
        #expect(breaker.ask(now: 500) == .yes)
        #expect(breaker.ask(now: 501) == .no(retryAfter: 500))
        breaker.succeeded(now: 510)
        #expect(breaker.state == .closed)
        #expect(breaker.ask(now: 510) == .yes)
    }

    @Test func waitsLongerEachTime() {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.failed(now: 0) }
        var now: Milliseconds = 0
        var pauses: [Milliseconds] = []
        for _ in 0..<5 {
            guard case .no(let pause) = breaker.ask(now: now) else { break }
            pauses.append(pause)
            now += pause
            #expect(breaker.ask(now: now) == .yes)
            breaker.failed(now: now)
        }
        #expect(pauses == [500, 1000, 2000, 3000, 3000])
    }

    @Test func opensWhenHalfOfManyFail() {
        var breaker = CircuitBreaker()
        for index in 0..<20 {
            if index % 2 == 0 { breaker.succeeded(now: 10) } else { breaker.failed(now: 10) }
        }
        #expect(breaker.state == .open)
    }

    @Test func forgetsFailuresOfLongAgo() {
        var breaker = CircuitBreaker()
        for index in 0..<200 {
            if index % 3 == 0 {
                breaker.failed(now: Milliseconds(index) * 1000)
            } else {
                breaker.succeeded(now: Milliseconds(index) * 1000)
            }
        }
        #expect(breaker.state == .closed)
    }

    @Test func aProbeThatIsGivenUpOrLostMakesRoomForAnother() {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.failed(now: 0) }
        #expect(breaker.ask(now: 600) == .yes)
        breaker.abandoned()
        #expect(breaker.ask(now: 601) == .yes)
        #expect(breaker.ask(now: 601 + breaker.probePatience) == .yes)
    }
}

// SPDX-License-Identifier: Apache-2.0
// How long what auth said is believed.

import Domain
import Testing

@testable import GatewayService

@Suite struct TokenCacheTests {
    private func principal(_ session: Int64 = 1, expires: Milliseconds = 300_000) -> KnownPrincipal {
        KnownPrincipal(
            statement: "signed",
            accountID: AccountID(7),
            sessionID: SessionID(session),
            scopes: ScopeSet(["read"]),
            expires: expires
        )
    }

    private func linked(capacity: Int = 100) -> TokenCache {
        var cache = TokenCache(capacity: capacity)
        cache.isLinked = true
        return cache
    }

    @Test func believesWhileARequestCanStillArriveWithTheStatement() {
        var cache = linked()
        #expect(cache.look("t", now: 0) == .unknown)
        cache.learn("t", principal(), epoch: 0, now: 0)
        #expect(cache.look("t", now: 284_999) == .valid(principal()))
        #expect(cache.look("t", now: 285_000) == .unknown)
    }

    @Test func theTokensOfAnAccountOfWhichSomethingElseIsToBeSaidAreAskedAboutAgain() {
        var cache = linked()
        cache.learn("t", principal(), epoch: cache.epoch, now: 0)
        let other = KnownPrincipal(
            statement: "signed",
            accountID: AccountID(8),
            sessionID: SessionID(2),
            scopes: ScopeSet(["read"]),
            expires: 300_000
        )
        cache.learn("u", other, epoch: cache.epoch, now: 0)
        let asked = cache.epoch
        cache.forget(AccountID(7))
        #expect(cache.look("t", now: 1) == .unknown)
        #expect(cache.look("u", now: 1) == .valid(other))
        // What was asked before may be what is no longer so.
        cache.learn("t", principal(), epoch: asked, now: 2)
        #expect(cache.look("t", now: 3) == .unknown)
    }

    @Test func aShortStatementIsBelievedForMostOfItsLife() {
        var cache = linked()
        cache.learn("t", principal(expires: 20_000), epoch: 0, now: 0)
        #expect(cache.look("t", now: 14_999) == .valid(principal(expires: 20_000)))
        #expect(cache.look("t", now: 15_000) == .unknown)
        cache.learn("t", principal(expires: 20_000), epoch: 0, now: 20_001)
        #expect(cache.look("t", now: 20_002) == .unknown)
    }

    @Test func aRevokedSessionIsRefusedAtOnceAndWhenLearntLate() {
        var cache = linked()
        cache.learn("t", principal(5), epoch: 0, now: 0)
        cache.revoke(SessionID(5), now: 10)
        #expect(cache.look("t", now: 11) == .invalid)
        cache.learn("u", principal(5), epoch: 0, now: 12)
        #expect(cache.look("u", now: 13) == .invalid)
    }

    @Test func withoutTheBrokerNothingIsBelievedForLongerThanASecond() {
        var cache = linked()
        cache.learn("t", principal(), epoch: 0, now: 0)
        cache.isLinked = false
        #expect(cache.look("t", now: 999) == .valid(principal()))
        #expect(cache.look("t", now: 1000) == .unknown)
    }

    @Test func forgetsAllAndLearnsNothingThatWasAskedBefore() {
        var cache = linked()
        cache.learn("t", principal(), epoch: 0, now: 0)
        cache.forget()
        #expect(cache.look("t", now: 1) == .unknown)
        cache.learn("t", principal(), epoch: 0, now: 2)
        #expect(cache.look("t", now: 3) == .unknown)
        cache.learn("t", principal(), epoch: cache.epoch, now: 4)
        #expect(cache.look("t", now: 5) == .valid(principal()))
    }

    @Test func refusalsAreRememberedBriefly() {
        var cache = linked()
        cache.refuse("bad", now: 0)
        #expect(cache.look("bad", now: TokenCache.refusalLife - 1) == .invalid)
        #expect(cache.look("bad", now: TokenCache.refusalLife) == .unknown)
    }

    @Test func staysBoundedAndKeepsWhatIsUsed() {
        var cache = linked(capacity: 100)
        for index in 0..<1000 {
            cache.learn("t\(index)", principal(), epoch: 0, now: 0)
            _ = cache.look("t0", now: 0)
        }
        #expect(cache.count <= 101)
        #expect(cache.look("t0", now: 0) == .valid(principal()))
        #expect(cache.look("t500", now: 0) == .unknown)
    }
}

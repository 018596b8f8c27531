// SPDX-License-Identifier: Apache-2.0
// Who is there, told between gateways that lose some of what they tell.

import Domain
import Events
import Support
import Testing

@testable import GatewayService

@Suite struct ChatPresenceTests {
    private static let home = Presence.Place(playgrounds: [PlaygroundID(1)])

    private func published(_ actions: [Presence.Action]) -> [PresenceChanged] {
        actions.compactMap { if case .publish(let event) = $0 { event } else { nil } }
    }

    private func announced(_ actions: [Presence.Action]) -> [(AccountID, Bool)] {
        actions.compactMap { if case .announce(let account, let isOnline, _) = $0 { (account, isOnline) } else { nil } }
    }

    @Test(arguments: TestSeed.list(20_000..<20_200)) func allAgreeInTheEnd(_ seed: UInt64) {
        var random = TestSeed(seed)
        var gateways = (0..<3).map { Presence(gatewayID: "g\($0)", version: 0) }
        var wires = [[PresenceChanged]](repeating: [], count: 3)
        var connected = [[AccountID: Int]](repeating: [:], count: 3)
        var shown = [Set<AccountID>](repeating: [], count: 3)
        var now: Milliseconds = 0

        func take(_ actions: [Presence.Action], _ index: Int, loses: Bool = false) {
            for event in published(actions) where !loses {
                for other in 0..<3 where other != index { wires[other].append(event) }
            }
            for (account, isOnline) in announced(actions) {
                if isOnline {
                    shown[index].insert(account)
                } else {
                    #expect(shown[index].remove(account) != nil)
                }
            }
        }
        func hear(_ index: Int) {
            guard !wires[index].isEmpty else { return }
            let event = wires[index].removeFirst()
            take(gateways[index].heard(event, now: now), index)
        }

        for _ in 0..<300 {
            let index = Int.random(in: 0..<3, using: &random)
            let account = AccountID(Int64.random(in: 1...6, using: &random))
            now += Int64.random(in: 0...500, using: &random)
            let loses = random.chance(1, in: 20)
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                connected[index][account, default: 0] += 1
                take(gateways[index].connected(account, ChatPresenceTests.home), index, loses: loses)
            case 2, 3:
                guard let count = connected[index][account] else { continue }
                connected[index][account] = count == 1 ? nil : count - 1
                take(gateways[index].disconnected(account, now: now), index, loses: loses)
            case 4: take(gateways[index].tick(now: now), index)
            default: hear(index)
            }
        }
        for _ in 0..<6 {
            for index in 0..<3 {
                now += 3000
                take(gateways[index].tick(now: now), index)
                for other in 0..<3 { while !wires[other].isEmpty { hear(other) } }
            }
        }
        let all = Set(connected.flatMap(\.keys))
        for index in 0..<3 {
            #expect(shown[index] == all)
            #expect(gateways[index].online(in: [1], without: AccountID(0)) == all)
        }
    }

    @Test func aShortAbsenceGoesUnnoticed() {
        var presence = Presence(gatewayID: "a", version: 0)
        let mina = AccountID(1)
        #expect(announced(presence.connected(mina, ChatPresenceTests.home)).map(\.1) == [true])
        #expect(announced(presence.disconnected(mina, now: 0)).isEmpty)
        #expect(announced(presence.tick(now: 1500)).isEmpty)
        #expect(announced(presence.connected(mina, ChatPresenceTests.home)).isEmpty)
        #expect(announced(presence.tick(now: 3000)).isEmpty)
        #expect(announced(presence.disconnected(mina, now: 3000)).isEmpty)
        #expect(announced(presence.tick(now: 5000)).map(\.1) == [false])
    }

    @Test func aSilentGatewayTakesItsPeopleAlong() {
        var here = Presence(gatewayID: "a", version: 0)
        var there = Presence(gatewayID: "b", version: 0)
        for event in published(there.connected(AccountID(2), ChatPresenceTests.home)) { _ = here.heard(event, now: 0) }
        #expect(here.isOnline(AccountID(2)))
        _ = here.tick(now: 29_000)
        #expect(here.isOnline(AccountID(2)))
        _ = here.tick(now: 30_001)
        _ = here.tick(now: 33_000)
        #expect(!here.isOnline(AccountID(2)))
    }

    @Test func aStoppingGatewaySaysSo() {
        var here = Presence(gatewayID: "a", version: 0)
        var there = Presence(gatewayID: "b", version: 0)
        for event in published(there.connected(AccountID(2), ChatPresenceTests.home)) { _ = here.heard(event, now: 0) }
        for event in published(there.stop()) {
            #expect(event.isWhole && event.connected.isEmpty)
            _ = here.heard(event, now: 1)
        }
        #expect(announced(here.tick(now: 2002)).map(\.1) == [false])
    }

    @Test func whoeverLacksPlacesAsks() {
        var here = Presence(gatewayID: "a", version: 0)
        var there = Presence(gatewayID: "b", version: 0)
        _ = there.connected(AccountID(2), ChatPresenceTests.home)
        var asked: [PresenceChanged] = []
        for event in published(there.tick(now: 10_000)) { asked += published(here.heard(event, now: 10_000)) }
        #expect(!here.isOnline(AccountID(2)))
        #expect(asked.map(\.asks) == [true])
        var told: [(AccountID, Bool)] = []
        for event in asked {
            for answer in published(there.heard(event, now: 10_000)) {
                told += announced(here.heard(answer, now: 10_000))
            }
        }
        #expect(told.map(\.0) == [AccountID(2)])
        #expect(here.isOnline(AccountID(2)))
    }

    @Test func repeatedNewsChangesNothing() {
        var here = Presence(gatewayID: "a", version: 0)
        var there = Presence(gatewayID: "b", version: 0)
        let came = published(there.connected(AccountID(2), ChatPresenceTests.home))
        let went = published(there.disconnected(AccountID(2), now: 0))
        for event in came + went + came { _ = here.heard(event, now: 0) }
        #expect(announced(here.tick(now: 2001)).map(\.1) == [false])
    }
}

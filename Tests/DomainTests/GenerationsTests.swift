// SPDX-License-Identifier: Apache-2.0
// What was asked for lately stays; what was not goes.

import Domain
import Testing

@Suite struct GenerationsTests {
    @Test func whatIsAskedForStays() {
        var kept = Generations<Int, String>(capacity: 20)
        for number in 0..<1000 {
            kept.put("\(number)", at: number, cost: 1)
            #expect(kept.value(at: 0) == "0" && kept.value(at: number) == "\(number)")
        }
        #expect(kept.value(at: 1) == nil && kept.value(at: 1001) == nil)
    }

    @Test func bytesAreBounded() {
        var kept = Generations<Int, Int>(capacity: 100)
        for number in 0..<1000 { kept.put(number, at: number, cost: 10) }
        let there = (0..<1000).filter { kept.value(at: $0) != nil }
        #expect(there.count <= 11 && there.last == 999)
        kept.put(0, at: 0, cost: 1000)
        kept.put(1, at: 1, cost: 10)
        #expect(kept.value(at: 0) == 0, "one that is larger than all goes with its generation")
        for number in 0..<12 { kept.put(number, at: number + 10, cost: 10) }
        #expect(kept.value(at: 0) == nil)
    }

    @Test func anotherValueTakesThePlaceOfOne() {
        var kept = Generations<Int, Int>(capacity: 100)
        for number in 0..<1000 { kept.put(number, at: 1, cost: 40) }
        #expect(kept.value(at: 1) == 999)
        kept.put(2, at: 2, cost: 1)
        #expect(kept.value(at: 1) == 999 && kept.value(at: 2) == 2)
    }

    @Test func whatIsRemovedIsGoneFromBoth() {
        var kept = Generations<Int, Int>(capacity: 20)
        for number in 0..<16 { kept.put(number, at: number) }
        #expect(kept.count == 16)
        for number in [0, 15] {
            kept.remove(number)
            #expect(kept.value(at: number) == nil)
        }
        kept.removeAll { $0 % 2 == 0 }
        #expect(kept.count == 7 && (0..<16).filter { kept.value(at: $0) != nil } == [1, 3, 5, 7, 9, 11, 13])
        kept.removeAll()
        #expect(kept.count == 0)
        for number in 0..<10 { kept.put(number, at: number) }
        #expect((0..<10).allSatisfy { kept.value(at: $0) == $0 }, "nothing that was removed takes place")
    }

    @Test func whatIsPutAgainIsThereOnce() {
        var kept = Generations<Int, String>(capacity: 4)
        for number in 0..<3 { kept.put("old", at: number) }
        kept.put("new", at: 0)
        #expect(kept.count == 3)
        kept.remove(0)
        #expect(kept.value(at: 0) == nil)
    }
}

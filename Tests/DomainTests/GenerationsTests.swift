// SPDX-License-Identifier: Apache-2.0
// What was asked for lately stays; what was not goes.

import Domain
import Testing

@Suite struct GenerationsTests {
    @Test func whatIsAskedForStays() {
        var kept = Generations<Int, String>(capacity: 20)
        for number in 0..<1000 {
            kept.put("\(number)", at: number, bytes: 1)
            #expect(kept.value(at: 0) == "0" && kept.value(at: number) == "\(number)")
        }
        #expect(kept.value(at: 1) == nil && kept.value(at: 1001) == nil)
    }

    @Test func bytesAreBounded() {
        var kept = Generations<Int, Int>(capacity: 100)
        for number in 0..<1000 { kept.put(number, at: number, bytes: 10) }
        let there = (0..<1000).filter { kept.value(at: $0) != nil }
        #expect(there.count <= 11 && there.last == 999)
        kept.put(0, at: 0, bytes: 1000)
        kept.put(1, at: 1, bytes: 10)
        #expect(kept.value(at: 0) == 0, "one that is larger than all goes with its generation")
        for number in 0..<12 { kept.put(number, at: number + 10, bytes: 10) }
        #expect(kept.value(at: 0) == nil)
    }

    @Test func anotherValueTakesThePlaceOfOne() {
        var kept = Generations<Int, Int>(capacity: 100)
        for number in 0..<1000 { kept.put(number, at: 1, bytes: 40) }
        #expect(kept.value(at: 1) == 999)
        kept.put(2, at: 2, bytes: 1)
        #expect(kept.value(at: 1) == 999 && kept.value(at: 2) == 2)
    }
}

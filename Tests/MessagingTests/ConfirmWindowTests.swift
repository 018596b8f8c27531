// SPDX-License-Identifier: Apache-2.0
// The window of unconfirmed messages, without a broker.

import Domain
import Testing

@testable import Messaging

@Suite struct ConfirmWindowTests {
    private var window = ConfirmWindow<String>(limit: 3)
    private var answers: [String: PublishOutcome] = [:]

    private mutating func send(_ ids: String...) -> [String] {
        for id in ids { window.enqueue(id) }
        var sent: [String] = []
        while let id = window.send(messageID: { $0 }) { sent.append(id) }
        return sent
    }

    private mutating func answer(_ tag: UInt64, multiple: Bool = false, refused: Bool = false) {
        var answers: [String: PublishOutcome] = self.answers
        window.answered(tag, multiple: multiple, refused: refused) { answers[$0] = $1 }
        self.answers = answers
    }

    @Test mutating func `never has more in flight than its limit`() {
        #expect(send("a", "b", "c", "d") == ["a", "b", "c"])
        #expect(!window.canSend)
        answer(2)
        #expect(answers == ["b": .confirmed])
        #expect(send() == ["d"])
    }

    @Test mutating func `of several that may have closed the channel each goes alone`() {
        #expect(send("a", "b", "c", "d") == ["a", "b", "c"])
        answer(1)
        #expect(window.refused() == nil)
        // b and c were in flight: one at a time, then at full speed.
        #expect(send() == ["b"])
        answer(1)
        #expect(send() == ["c"])
        #expect(window.refused() == "c")
        #expect(send("e", "f") == ["d", "e", "f"])
        #expect(window.suspects == 0)
    }

    @Test mutating func `one confirm may answer many`() {
        _ = send("a", "b", "c")
        answer(2)
        answer(3, multiple: true)
        #expect(answers == ["a": .confirmed, "b": .confirmed, "c": .confirmed])
        #expect(window.isEmpty)
    }

    @Test mutating func `a returned message is not confirmed`() {
        _ = send("a", "b")
        window.returned(messageID: "b", reason: "312")
        answer(2, multiple: true)
        #expect(answers == ["a": .confirmed, "b": .returned("312")])
    }

    @Test mutating func `of two with one id each return counts once`() {
        _ = send("a", "a")
        window.returned(messageID: "a", reason: "312")
        var outcomes: [PublishOutcome] = []
        window.answered(2, multiple: true, refused: false) { outcomes.append($1) }
        #expect(outcomes == [.returned("312"), .confirmed])
    }

    @Test mutating func `a refused message may be one of many`() {
        _ = send("a", "b", "c")
        answer(1, refused: true)
        answer(3, multiple: true, refused: true)
        #expect(answers == ["a": .refused, "b": .refused, "c": .refused])
    }

    @Test mutating func `answers for what is not in flight change nothing`() {
        _ = send("a", "b")
        answer(1)
        answer(1)
        answer(0)
        answer(9, multiple: true)
        answer(UInt64.max)
        #expect(answers == ["a": .confirmed])
        #expect(window.inFlight == 1)
    }

    @Test mutating func `after a loss the unanswered go again in their order, before the others`() {
        _ = send("a", "b", "c", "d")
        window.returned(messageID: "c", reason: "312")
        answer(2)
        window.lost()
        #expect(send() == ["a", "c", "d"])
        answer(3, multiple: true)
        #expect(answers == ["a": .confirmed, "b": .confirmed, "c": .confirmed, "d": .confirmed])
    }
}

@Suite struct BackOffTests {
    @Test func `grows to two seconds and leaves half to chance`() {
        var backOff = BackOff()
        #expect(backOff.next(chance: 1) == .milliseconds(50))
        #expect(backOff.next(chance: 0) == .milliseconds(50))
        #expect(backOff.next(chance: 1) == .milliseconds(200))
        for _ in 0..<100 { _ = backOff.next() }
        #expect(backOff.next(chance: 1) == .seconds(2))
        backOff.reset()
        #expect(backOff.next(chance: 1) == .milliseconds(50))
    }
}

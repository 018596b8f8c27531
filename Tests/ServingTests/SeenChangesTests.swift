// SPDX-License-Identifier: Apache-2.0
// What holds of what was read, by what looks found since.

import Testing

@testable import Serving

@Suite struct SeenChangesTests {
    @Test func whatDidNotChangeHolds() {
        var seen = SeenChanges()
        seen.note([])
        let look = seen.newest
        #expect(seen.hold([1, 2], since: look))
        seen.note([3])
        #expect(seen.hold([1, 2], since: look))
        #expect(!seen.hold([1, 3], since: look))
        #expect(seen.hold([1, 3], since: seen.newest), "it was read after the change was found")
    }

    @Test func beforeTheFirstLookNothingHolds() {
        #expect(!SeenChanges().hold([], since: 0))
    }

    @Test func everythingIsASubject() {
        var seen = SeenChanges()
        seen.note([])
        let look = seen.newest
        seen.note([7, SeenChanges.everything])
        #expect(!seen.hold([1], since: look))
        #expect(!seen.hold([], since: look))
        #expect(seen.hold([7], since: seen.newest))
    }

    @Test func aLookThatCannotTellEndsWhatWasReadBefore() {
        var seen = SeenChanges()
        seen.note([])
        let look = seen.newest
        seen.noteAnew()
        #expect(!seen.hold([1], since: look))
        #expect(seen.hold([1], since: seen.newest))
    }

    @Test func whatIsFullStartsAgain() {
        var seen = SeenChanges(capacity: 3)
        seen.note([1, 2])
        let look = seen.newest
        seen.note([3])
        #expect(seen.hold([1], since: look))
        seen.note([4])
        #expect(!seen.hold([1], since: look))
        #expect(seen.hold([1, 4], since: seen.newest))
        seen.note([4])
        #expect(!seen.hold([4], since: seen.newest - 1))
    }
}

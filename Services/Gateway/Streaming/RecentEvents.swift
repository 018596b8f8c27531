// SPDX-License-Identifier: Apache-2.0
// The ids of the events that came lately, so that none is shown twice.

import Domain
import Synchronization

final class RecentEvents: Sendable {
    private let known: Mutex<Generations<UInt128, Void>>

    /// Remembers at least the last `capacity` ids, and at most twice as many.
    init(capacity: Int = 32_768) { known = Mutex(Generations(capacity: 2 * max(1, capacity))) }

    /// Whether the id did not come before; from now on it did. An id that is no UUID is always new.
    func isNew(_ id: String) -> Bool {
        guard let number = RecentEvents.number(id) else { return true }
        return known.withLock { known in
            if known.value(at: number) != nil { return false }
            known.put((), at: number)
            return true
        }
    }

    private static func number(_ id: String) -> UInt128? {
        guard id.utf8.count == 36 else { return nil }
        var number: UInt128 = 0
        var digits = 0
        for byte in id.utf8 where byte != UInt8(ascii: "-") {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt128(digit)
            digits += 1
        }
        return digits == 32 ? number : nil
    }
}

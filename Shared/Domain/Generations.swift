// SPDX-License-Identifier: Apache-2.0
// What was asked for lately, within a bound.

/// Values by their keys in two generations: what is not asked for while one fills goes with the next.
package struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Kept = (value: Value, bytes: Int)

    private let capacity: Int
    private var young: [Key: Kept] = [:]
    private var old: [Key: Kept] = [:]
    /// Of the younger.
    private var bytes = 0

    /// - Parameter capacity: bytes of both generations together.
    package init(capacity: Int) { self.capacity = capacity / 2 }

    /// A value, which is asked for.
    package mutating func value(at key: Key) -> Value? {
        if let kept = young[key] { return kept.value }
        guard let kept = old.removeValue(forKey: key) else { return nil }
        put(kept.value, at: key, bytes: kept.bytes)
        return kept.value
    }

    /// Keeps a value.
    ///
    /// - Parameter bytes: of the value and its key.
    package mutating func put(_ value: Value, at key: Key, bytes: Int) {
        let before = young.updateValue((value, bytes), forKey: key)
        self.bytes += bytes - (before?.bytes ?? 0)
        guard self.bytes > capacity else { return }
        (old, young, self.bytes) = (young, [:], 0)
    }
}

// SPDX-License-Identifier: Apache-2.0
// What was asked for lately, within a bound.

/// Values by their keys in two generations: what is not asked for while one fills goes with the next.
public struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Kept = (value: Value, cost: Int)

    private let capacity: Int
    private var young: [Key: Kept] = [:]
    private var old: [Key: Kept] = [:]
    /// Of the younger.
    private var cost = 0

    /// - Parameter capacity: the cost of both generations together.
    public init(capacity: Int) { self.capacity = capacity / 2 }

    public var count: Int { young.count + old.count }

    /// A value, which is asked for.
    public mutating func value(at key: Key) -> Value? {
        if let kept = young[key] { return kept.value }
        guard let kept = old.removeValue(forKey: key) else { return nil }
        put(kept.value, at: key, cost: kept.cost)
        return kept.value
    }

    /// Keeps a value.
    ///
    /// - Parameter cost: in what the capacity is counted, as octets of the value and its key.
    public mutating func put(_ value: Value, at key: Key, cost: Int = 1) {
        let before = young.updateValue((value, cost), forKey: key)
        if before == nil { old[key] = nil }
        self.cost += cost - (before?.cost ?? 0)
        guard self.cost > capacity else { return }
        (old, young, self.cost) = (young, [:], 0)
    }

    public mutating func remove(_ key: Key) {
        if let kept = young.removeValue(forKey: key) { cost -= kept.cost }
        old[key] = nil
    }

    public mutating func removeAll(where isOver: (Value) -> Bool = { _ in true }) {
        young = young.filter { !isOver($0.value.value) }
        old = old.filter { !isOver($0.value.value) }
        cost = young.values.reduce(0) { $0 + $1.cost }
    }
}

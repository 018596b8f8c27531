// SPDX-License-Identifier: Apache-2.0
// What a write says of one thing: nothing, that it is to be, or that it is to be no more.

import Domain
import Web

/// What becomes of a value that may be absent.
enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case set(Value?)

    func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .set(let new): new
        }
    }
}

extension Parameters {
    /// What `name` says; `read` gives nil where there is nothing to read.
    func change<Value>(_ name: String, _ read: (Parameters) throws -> Value?) throws -> Change<Value> {
        if clears(name) { return .set(nil) }
        return try read(self).map { .set($0) } ?? .keep
    }
}

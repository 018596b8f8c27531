// SPDX-License-Identifier: Apache-2.0
// The query of a request.

import Domain

enum Query {
    /// The decoded value of the first parameter with this name; empty for one without a value.
    static func value(of name: String, in query: String) -> String? {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            guard PercentCoding.repaired(key) == name else { continue }
            return PercentCoding.repaired(pair.dropFirst(key.count + 1))
        }
        return nil
    }
}

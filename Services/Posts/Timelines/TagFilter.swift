// SPDX-License-Identifier: Apache-2.0
// Which tags are asked for.

import Web

/// Which tags a post must have, in lower case.
struct TagFilter: Sendable {
    /// At least one of these.
    let any: [String]
    /// Each of these.
    let all: [String]
    /// None of these.
    let none: [String]
    var onlyMedia = false

    /// Tags each of which a post must have.
    var required: [String] { any.count == 1 ? any + all : all }

    /// Tags as they are stored.
    static func names(_ tags: some Sequence<String>) throws -> [String] {
        var seen: Set<String> = []
        return try tags.map { tag in
            guard !tag.utf8.contains(0) else { throw Problem.badRequest("tag") }
            return (tag.hasPrefix("#") ? String(tag.dropFirst()) : tag).lowercased()
        }.filter { seen.insert($0).inserted }
    }
}

// SPDX-License-Identifier: Apache-2.0
// One page of a list, by keyset.

/// Which part of a list is asked for: the Mastodon API's `limit`, `max_id`, `since_id` and `min_id`.
///
/// `before` (`max_id`) is strictly older; `since` is newer, newest first; `after` (`min_id`) is the page
/// immediately newer, so a reader can walk forward. `after` wins over `since`.
public struct Page: Hashable, Sendable {
    public let before: Int64?
    public let since: Int64?
    public let after: Int64?
    public let limit: Int

    public init(before: Int64? = nil, since: Int64? = nil, after: Int64? = nil, limit: Int) {
        self.before = before
        self.since = since
        self.after = after
        self.limit = limit
    }

    /// What is left of the page, in its direction, behind an entry.
    public func continued(at entry: Int64, limit: Int) -> Page {
        after == nil
            ? Page(before: entry, since: since, limit: limit)
            : Page(before: before, since: since, after: entry, limit: limit)
    }
}

// SPDX-License-Identifier: Apache-2.0
// What somebody may do to others here.

/// Given by an operator at the command line; the raw values are those of auth's `accounts.role`.
public enum Role: String, CaseIterable, Codable, Hashable, Sendable {
    case user
    case moderator
    case admin

    /// Whether it handles reports and decides about others.
    public var moderates: Bool { self != .user }
}

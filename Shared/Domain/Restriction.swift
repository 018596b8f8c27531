// SPDX-License-Identifier: Apache-2.0
// What keeps an account from something.

/// Several may be in force at once.
public enum Restriction: String, CaseIterable, Codable, Hashable, Sendable {
    /// All its pictures are shown as sensitive.
    case sensitive
    /// Only who follows it hears of it (Mastodon's `silence`).
    case limited
    /// It may read, and change nothing (Mastodon's `disable` keeps it out altogether).
    case frozen
    /// Nobody sees it, and it is signed out everywhere.
    case suspended
    /// It asked to be deleted: nobody sees it until it comes back or is gone.
    case leaving

    /// Whether nobody else may see the account or what it made.
    public var hides: Bool { self == .suspended || self == .leaving }
}

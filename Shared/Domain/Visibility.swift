// SPDX-License-Identifier: Apache-2.0
// Who may see a post.

/// The audience of a post, by the Mastodon API's names.
public enum Visibility: String, Codable, Sendable, CaseIterable {
    /// Everyone, and listed in public timelines.
    case `public`
    /// Everyone, but not listed.
    case unlisted
    /// Followers and those mentioned.
    case `private`
    /// Only those mentioned.
    case direct
}

// SPDX-License-Identifier: Apache-2.0
// What is in the text of a post, and its HTML.

package import Domain
package import Events

/// Finds mentions, hashtags and links in a text and renders the text as HTML, in time linear in its length.
package enum PostText {
    /// The names after `@`, in order of appearance, each once. `@name@this-domain` counts as `@name`.
    package static func mentions(in text: String, domain: String) -> [Username] { fatalError("stub") }

    /// The tags after `#`, in lower case, each once.
    package static func tags(in text: String) -> [String] { fatalError("stub") }

    /// The length by the Mastodon API's rule: a URL counts as 23 characters, a mention without its domain.
    package static func length(of text: String) -> Int { fatalError("stub") }

    /// Sanitised HTML: paragraphs, line breaks, links, mentions (`u-url mention`) and hashtags (`mention hashtag`).
    package static func html(_ text: String, mentions: [MentionSnapshot], site: Site) -> String { fatalError("stub") }
}

// SPDX-License-Identifier: Apache-2.0
// What a post is, and what it was before each edit.

import Domain
import Events
import Postgres
import Serving

extension PostStore {
    /// What a post is, or was before an edit.
    struct Form: Columned {
        let createdAt: Timestamp
        let text: String
        let spoilerText: String
        let sensitive: Bool
        let mentions: [MentionSnapshot]
        let media: [MediaSnapshot]?

        static let columns: SQL = columns(of: "")

        /// Of `post_edits`.
        static func columns(of prefix: SQL) -> SQL {
            """
            \(prefix)created_at, \(prefix)text, \(prefix)spoiler_text, \(prefix)sensitive,
            \([MentionSnapshot].columns(prefix)), \(prefix)media
            """
        }

        /// The newest form.
        init(_ post: PostSnapshot) {
            createdAt = post.editedAt ?? post.createdAt
            text = post.text
            spoilerText = post.spoilerText
            sensitive = post.sensitive
            mentions = post.mentions
            media = post.media
        }

        init(columns: inout Columns) throws {
            createdAt = try columns.next()
            text = try columns.next()
            spoilerText = try columns.next()
            sensitive = try columns.next()
            mentions = try [MentionSnapshot](columns: &columns)
            media = try columns.next(JSONB?.self)?.snapshot()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id/history: what a post was before its edits.

import Domain
import Events
import Views
import Web

/// The newest forms that a post has had and that the viewer could see, oldest first, the present one last.
enum PostHistory {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let status = try await VisiblePost.require(request.id(), request, dependencies)
        let post = status.post
        var forms: [PostForm] = []
        if post.editedAt != nil {
            forms = try await PostStore.edits(
                of: post.id,
                viewer: request.viewer,
                limit: dependencies.limits.edits,
                in: dependencies.database
            ).map { form in
                PostForm(
                    createdAt: form.createdAt,
                    text: form.text,
                    spoilerText: form.spoilerText,
                    sensitive: form.sensitive,
                    mentions: form.mentions,
                    media: MediaView.all(form.media, seenBy: post.visibility, site: dependencies.site),
                    author: status.author,
                    site: dependencies.site
                )
            }
        }
        forms.append(
            PostForm(
                createdAt: post.editedAt ?? post.createdAt,
                text: post.text,
                spoilerText: post.spoilerText,
                sensitive: post.sensitive,
                mentions: post.mentions,
                media: MediaView.all(of: post, site: dependencies.site),
                author: status.author,
                site: dependencies.site
            )
        )
        return .json(array: forms)
    }
}

/// The Mastodon API's StatusEdit.
private struct PostForm: ObjectView {
    let createdAt: Timestamp
    let text: String
    let spoilerText: String
    let sensitive: Bool
    let mentions: [MentionSnapshot]
    let media: [MediaView]
    let author: AccountSnapshot
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("content", PostText.html(text, mentions: mentions, site: site))
        json.member("spoiler_text", spoilerText)
        json.member("sensitive", sensitive)
        json.member("created_at", createdAt)
        json.member("account", AccountView(author, site: site))
        json.member("media_attachments", media)
        json.array("emojis") { _ in }
    }
}

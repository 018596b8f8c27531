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
        var forms: [PostStore.Form] = []
        if post.editedAt != nil {
            forms = try await PostStore.edits(
                of: post.id,
                viewer: request.viewer,
                limit: dependencies.limits.edits,
                in: dependencies.database
            )
        }
        forms.append(PostStore.Form(post))
        return .json(
            array: forms.map { form in
                let media = MediaView.all(form.media, seenBy: post.visibility, site: dependencies.site)
                return PostForm(form: form, media: media, author: status.author, site: dependencies.site)
            }
        )
    }
}

/// The Mastodon API's StatusEdit.
private struct PostForm: ObjectView {
    let form: PostStore.Form
    let media: [MediaView]
    let author: AccountSnapshot
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("content", PostText.html(form.text, mentions: form.mentions, site: site))
        json.member("spoiler_text", form.spoilerText)
        json.member("sensitive", form.sensitive)
        json.member("created_at", form.createdAt)
        json.member("account", AccountView(author, site: site))
        json.member("media_attachments", media)
        json.array("emojis") { _ in }
    }
}

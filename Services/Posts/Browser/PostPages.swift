// SPDX-License-Identifier: Apache-2.0
// The pages of people, posts and tags: their templates, words and addresses, and how a post looks on them.

import Domain
import Events
import Foundation
import Views
import Web
import WebPages

enum PostPages {
    /// Posts on one page.
    static let length = 20
    /// How long anybody may keep a page, in seconds: so long may a deleted post still be seen.
    static let keeping = Pages.Keeping.anybody(seconds: 60)

    static func pages(site: Site) throws -> Pages {
        try Pages(
            [
                "account": PackageResources.account_mustache, "post": PackageResources.post_mustache,
                "posts": PackageResources.posts_mustache, "tag": PackageResources.tag_mustache,
                "appeal": PackageResources.appeal_mustache,
            ],
            words: words,
            site: site
        )
    }

    static func path(of username: Username) -> String { "/@\(username.text)" }
    static func path(of id: PostID, by username: Username) -> String { "/@\(username.text)/\(id)" }
    static func path(ofTag tag: String) -> String { "/tags/\(tag.percentEncoded)" }

    /// What somebody is called.
    static func name(_ account: AccountSnapshot) -> String {
        account.displayName.isEmpty ? account.username.text : account.displayName
    }

    /// A post as the template `posts` takes it.
    static func values(_ row: StatusRow, _ page: PageRequest, site: Site, isChosen: Bool = false) -> [String: Any] {
        let post = row.post
        var values: [String: Any] = [
            "chosen": isChosen,
            "author": name(row.author),
            "avatar": site.avatar(row.author.extras?.avatar?.file),
            "handle": "@\(row.author.username.text)",
            "profile": Pages.link(path(of: row.author.username), page.chosenLanguage),
            "address": Pages.link(path(of: post.id, by: row.author.username), page.chosenLanguage),
            "datetime": post.createdAt.rfc3339,
            "time": time(post.createdAt, page.language),
            "edited": post.editedAt != nil,
            "content": PostText.html(post.text, mentions: post.mentions, site: site),
            "replies": String(max(0, post.repliesCount)),
            "boosts": String(max(0, post.boostsCount)),
            "favourites": String(max(0, post.favouritesCount)),
        ]
        if let language = post.language { values["post_language"] = language }
        if let media = post.media { values["media"] = pictures(media, seenBy: post.visibility, site: site) }
        if let card = row.card { values["card"] = link(card, site: site) }
        if !post.spoilerText.isEmpty {
            values["warning"] = post.spoilerText
        } else if post.sensitive {
            values["warning"] = words.text("sensitive", page.language)
        }
        if let boost = row.boost {
            values["boosted"] = words.text("boosted", page.language).replacing("{name}", with: name(boost.account))
        }
        return values
    }

    /// The small pictures of a post's files, which lead to the files.
    private static func pictures(_ media: [MediaSnapshot], seenBy visibility: Visibility, site: Site) -> [[String: Any]]
    {
        MediaView.all(media, seenBy: visibility, site: site).compactMap { view in
            guard let media = view.media, let file = view.link(media.original) else { return nil }
            var values: [String: Any] = ["file": file, "description": media.description ?? ""]
            if let preview = media.preview ?? (media.type == .image ? media.original : nil) {
                values["picture"] = view.link(preview)
                (values["width"], values["height"]) = (String(preview.width), String(preview.height))
            }
            return values
        }
    }

    /// The box of a link: what its page is called, and whose it is.
    private static func link(_ card: CardSnapshot, site: Site) -> [String: Any] {
        var values: [String: Any] = ["link": card.url, "headline": card.title, "host": LinkURL.host(of: card.url)]
        if let language = card.language { values["card_language"] = language }
        if let image = card.image, let picture = site.files?.open(image.url) {
            values["picture"] = picture
            values["description"] = card.imageDescription ?? ""
            (values["width"], values["height"]) = (String(image.width), String(image.height))
        } else if let picture = site.cover(card.coverURL) {
            values["picture"] = picture
            // Covers are upright, and how large this one is nobody knows yet.
            (values["description"], values["width"], values["height"]) = ("", "120", "174")
        }
        return values
    }

    /// The picture that other programs show of a post: none of one behind a warning.
    static func picture(_ post: PostSnapshot, site: Site) -> String? {
        guard post.spoilerText.isEmpty, !post.sensitive else { return nil }
        return MediaView.all(of: post, site: site).lazy.compactMap { view in
            (view.media?.preview ?? (view.media?.type == .image ? view.media?.original : nil)).flatMap(view.link)
        }.first
    }

    /// What other programs show of a post: of one behind a warning, the warning alone.
    static func summary(_ post: PostSnapshot, _ language: Language) -> String {
        if !post.spoilerText.isEmpty { return shortened(post.spoilerText, 200) }
        return post.sensitive ? words.text("sensitive", language) : shortened(post.text, 200)
    }

    /// On one line, at most so many characters.
    static func shortened(_ text: String, _ limit: Int) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= limit ? line : line.prefix(limit - 1) + "…"
    }

    /// A moment by the world's clock.
    static func time(_ moment: Timestamp, _ language: Language) -> String {
        let parts = moment.rfc3339.split { "-T:.Z".contains($0) }.compactMap { Int($0) }
        guard parts.count >= 5 else { return moment.rfc3339 }
        let clock = "\(parts[3] < 10 ? "0" : "")\(parts[3]):\(parts[4] < 10 ? "0" : "")\(parts[4]) UTC"
        switch language {
        case .english:
            let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            let month = names.indices.contains(parts[1] - 1) ? names[parts[1] - 1] : ""
            return "\(parts[2]) \(month) \(parts[0]), \(clock)"
        case .korean: return "\(parts[0])년 \(parts[1])월 \(parts[2])일 \(clock)"
        case .japanese: return "\(parts[0])年\(parts[1])月\(parts[2])日 \(clock)"
        }
    }

    /// What a page of several posts has: the posts, and the way to older ones.
    static func list(
        _ rows: [StatusRow],
        end: PostID?,
        path: String,
        _ page: PageRequest,
        site: Site
    ) -> [String: Any] {
        let shown = rows.prefix(length)
        var values: [String: Any] = [
            "posts": shown.map { PostPages.values($0, page, site: site) }, "has_posts": !shown.isEmpty,
        ]
        let last = rows.count > length ? shown.last?.entryID : end
        if let last {
            values["older"] = Pages.link(path, [("max_id", last.description)] + page.chosenLanguage)
        }
        return values
    }

    /// A page of posts that is asked for by `max_id` alone, with one more than is shown, which tells whether there are more.
    static func page(_ request: PageRequest) throws -> Page {
        let asked = try request.parameters.page(default: length, maximum: length)
        return Page(before: asked.before, limit: length + 1)
    }

    static let words = PageWords([
        ("posts", "Posts", "게시물", "投稿"),
        ("followers", "Followers", "팔로워", "フォロワー"),
        ("following", "Following", "팔로우 중", "フォロー中"),
        ("replies", "Replies", "답글", "返信"),
        ("boosts", "Boosts", "부스트", "ブースト"),
        ("favourites", "Favourites", "좋아요", "お気に入り"),
        ("edited", "edited", "수정됨", "編集済み"),
        ("older", "Older posts", "이전 게시물 보기", "以前の投稿を見る"),
        ("no_posts", "There are no public posts here.", "공개된 게시물이 없습니다.", "公開されている投稿はありません。"),
        ("boosted", "{name} boosted", "{name} 님이 부스트했습니다", "{name}さんがブースト"),
        ("sensitive", "Sensitive content", "민감한 내용", "閲覧注意"),
        ("native", "Native language", "모국어", "母語"),
        ("target", "Learning", "배우는 언어", "学習中の言語"),
        (
            "follow", "To follow, search for this name in your app:", "팔로우하려면 앱에서 이 이름을 검색하세요:",
            "フォローするには、アプリでこの名前を検索してください："
        ),
        (
            "answer", "To answer, paste this page's address into the search of your app.",
            "답글을 쓰려면 이 페이지의 주소를 앱의 검색창에 붙여 넣으세요.",
            "返信するには、このページのアドレスをアプリの検索欄に貼り付けてください。"
        ),
        (
            "more_replies", "There are more replies. Open this post in your app to read them all.",
            "답글이 더 있습니다. 앱에서 이 게시물을 열면 모두 볼 수 있습니다.",
            "返信がほかにもあります。アプリでこの投稿を開くとすべて読めます。"
        ),
        ("appeal", "Appeal to a decision", "결정에 이의 제기", "決定への異議申し立て"),
        ("appeal_why", "Why should it be decided otherwise?", "왜 다르게 결정해야 하나요?", "なぜ別の決定であるべきですか？"),
        ("appeal_send", "Send", "보내기", "送信"),
        (
            "appeal_sent", "Your appeal was received. A moderator will decide about it.",
            "이의 제기를 접수했습니다. 관리자가 검토합니다.", "異議申し立てを受け付けました。モデレーターが確認します。"
        ),
        (
            "appeal_closed", "Nobody can appeal to this decision any more.", "이 결정에는 더 이상 이의를 제기할 수 없습니다.",
            "この決定にはもう異議を申し立てられません。"
        ),
        ("decision_warn", "You were warned.", "경고를 받았습니다.", "警告を受けました。"),
        ("decision_sensitive", "Your pictures are shown as sensitive.", "사진이 민감한 내용으로 표시됩니다.", "画像は閲覧注意として表示されます。"),
        ("decision_limit", "Only your followers hear of you.", "팔로워에게만 보입니다.", "フォロワーにだけ表示されます。"),
        ("decision_remove", "Something that you made was removed.", "작성한 내용이 삭제되었습니다.", "あなたの投稿などが削除されました。"),
        ("decision_freeze", "You may read and change nothing.", "읽기만 할 수 있습니다.", "閲覧のみできます。"),
        ("decision_suspend", "Your account is suspended.", "계정이 정지되었습니다.", "アカウントは停止されています。"),
    ])
}

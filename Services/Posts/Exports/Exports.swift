// SPDX-License-Identifier: Apache-2.0
// What posts hands over of somebody who asks for everything that is theirs.

import Domain
import Events
import Outbox
import Postgres
import Views

enum Exports {
    /// The names of files and their order stay as they are: an archive may be under way from one release to the next. Tables of
    /// accounts have the names and columns of Mastodon's.
    static func part(site: Site) -> ExportPart {
        ExportPart(posts(site) + accounts(site.domain) + projects + reading(site) + moderation)
    }

    private static func posts(_ site: Site) -> [ExportSection] {
        let origin = site.origin
        return [
            .object(
                "posts/profile.json",
                ExportWords(en: "Your profile.", ko: "프로필.", ja: "プロフィール。")
            ) { try await ExportedStore.profile($0, in: $1) },
            .list(
                "posts/posts.json",
                ExportWords(
                    en: "Your posts and replies, with what they said before they were edited.",
                    ko: "작성한 글과 답글. 고치기 전의 내용도 담습니다.",
                    ja: "投稿と返信。編集前の内容も含みます。"
                )
            ) { try await ExportedStore.posts(origin: origin).texts($0, in: $1) },
            .list(
                "posts/boosts.json",
                ExportWords(en: "Posts that you boosted.", ko: "부스트한 글.", ja: "ブーストした投稿。")
            ) { try await ExportedStore.boosts(origin: origin).texts($0, in: $1) },
            .list(
                "posts/favourites.json",
                ExportWords(en: "Posts that you like.", ko: "좋아요를 누른 글.", ja: "お気に入りにした投稿。")
            ) { try await ExportedStore.favourites(origin: origin).texts($0, in: $1) },
            .table(
                "posts/bookmarks.csv",
                ExportWords(en: "Posts that you bookmarked.", ko: "북마크한 글.", ja: "ブックマークした投稿。"),
                header: ["#uri"]
            ) { try await ExportedStore.bookmarks(origin: origin).rows($0, in: $1) },
            .list(
                "posts/muted_conversations.json",
                ExportWords(en: "Conversations that you muted.", ko: "뮤트한 대화.", ja: "ミュートした会話。")
            ) { try await ExportedStore.mutedConversations.texts($0, in: $1) },
        ]
    }

    private static func accounts(_ domain: String) -> [ExportSection] {
        let address = "Account address"
        return [
            .table(
                "posts/following_accounts.csv",
                ExportWords(en: "Whom you follow.", ko: "팔로우하는 계정.", ja: "フォローしているアカウント。"),
                header: [address, "Show boosts", "Notify on new posts", "Languages"]
            ) { try await ExportedStore.following(domain: domain).rows($0, in: $1) },
            .table(
                "posts/followers.csv",
                ExportWords(en: "Who follows you.", ko: "나를 팔로우하는 계정.", ja: "フォロワー。"),
                header: [address]
            ) { try await ExportedStore.followers(domain: domain).rows($0, in: $1) },
            .table(
                "posts/blocked_accounts.csv",
                ExportWords(en: "Whom you block.", ko: "차단한 계정.", ja: "ブロックしているアカウント。"),
                header: [address]
            ) { try await ExportedStore.blocks(domain: domain).rows($0, in: $1) },
            .table(
                "posts/muted_accounts.csv",
                ExportWords(en: "Whom you mute.", ko: "뮤트한 계정.", ja: "ミュートしているアカウント。"),
                header: [address, "Hide notifications"]
            ) { try await ExportedStore.mutes(domain: domain).rows($0, in: $1) },
            .table(
                "posts/follow_requests.csv",
                ExportWords(
                    en: "Whom you asked to follow, who have not answered.",
                    ko: "팔로우를 요청하고 답을 기다리는 계정.",
                    ja: "フォローを申請し、返事を待っているアカウント。"
                ),
                header: [address]
            ) { try await ExportedStore.followRequests(domain: domain).rows($0, in: $1) },
            .table(
                "posts/account_notes.csv",
                ExportWords(
                    en: "Your private notes about others.",
                    ko: "다른 계정에 남긴 개인 메모.",
                    ja: "他のアカウントについての個人的なメモ。"
                ),
                header: [address, "Note"]
            ) { try await ExportedStore.notes(domain: domain).rows($0, in: $1) },
        ]
    }

    private static let projects: [ExportSection] = [
        .list(
            "projects/projects.json",
            ExportWords(en: "The projects you lead.", ko: "이끄는 프로젝트.", ja: "リーダーを務めるプロジェクト。")
        ) { try await ExportedStore.projects.texts($0, in: $1) },
        .list(
            "projects/memberships.json",
            ExportWords(en: "The projects you are in.", ko: "참여하는 프로젝트.", ja: "参加しているプロジェクト。")
        ) { try await ExportedStore.memberships.texts($0, in: $1) },
        .list(
            "projects/applications.json",
            ExportWords(en: "Your applications.", ko: "프로젝트 지원서.", ja: "プロジェクトへの応募。")
        ) { try await ExportedStore.applications.texts($0, in: $1) },
        .list(
            "projects/bookmarks.json",
            ExportWords(en: "Projects you bookmarked.", ko: "북마크한 프로젝트.", ja: "ブックマークしたプロジェクト。")
        ) { try await ExportedStore.projectBookmarks.texts($0, in: $1) },
    ]

    /// The same as of `/api/v1/shelf/export`.
    private static func reading(_ site: Site) -> [ExportSection] {
        [
            .lines(
                "reading/goodreads.csv",
                ExportWords(
                    en: "Your reading records as Goodreads has them.",
                    ko: "굿리즈 형식의 독서 기록.",
                    ja: "Goodreads 形式の読書記録。"
                ),
                header: ShelfCSV.header
            ) { place, transaction in
                try await records(place, transaction).map {
                    ExportedText(key: [$0.id.rawValue], text: ShelfCSV.line($0))
                }
            },
            .list(
                "reading/records.json",
                ExportWords(
                    en: "Your reading records, with quotes and the days of reading.",
                    ko: "독서 기록. 인용문과 읽은 날을 담습니다.",
                    ja: "読書記録。引用と読んだ日を含みます。"
                )
            ) { place, transaction in
                let records = try await records(place, transaction)
                let days = try await ProgressStore.progress(of: records.map(\.id), in: transaction)
                return records.map { record in
                    let view = record.view(site: site, progress: days[record.id] ?? [], isExported: true)
                    return ExportedText(
                        key: [record.id.rawValue],
                        text: String(decoding: view.json(), as: UTF8.self)
                    )
                }
            },
            .list(
                "reading/earlier_texts.json",
                ExportWords(
                    en: "What your reviews said before you wrote them anew.",
                    ko: "다시 쓰기 전의 감상.",
                    ja: "書き直す前の感想。"
                )
            ) { try await ExportedStore.earlierTexts.texts($0, in: $1) },
            .object(
                "reading/goals.json",
                ExportWords(en: "Your reading goals.", ko: "독서 목표.", ja: "読書目標。")
            ) { account, transaction in
                let goals = try await GoalStore.goals(of: account, year: nil, in: transaction)
                var json = JSONWriter(capacity: 1024)
                json.array(goals.map { $0.view() })
                return String(decoding: json.bytes, as: UTF8.self)
            },
        ]
    }

    private static let moderation: [ExportSection] = [
        .list(
            "moderation/reports.json",
            ExportWords(
                en: "Whom and what you reported.",
                ko: "신고한 계정과 콘텐츠.",
                ja: "通報したアカウントと内容。"
            )
        ) { try await ExportedStore.reports.texts($0, in: $1) },
        .list(
            "moderation/decisions.json",
            ExportWords(
                en: "What moderators decided about you, and why.",
                ko: "운영진이 내린 결정과 그 사유.",
                ja: "運営者によるあなたについての決定とその理由。"
            )
        ) { try await ExportedStore.decisions.texts($0, in: $1) },
        .list(
            "moderation/appeals.json",
            ExportWords(
                en: "Your appeals, and what came of them.",
                ko: "제기한 이의와 그 결과.",
                ja: "異議申し立てとその結果。"
            )
        ) { try await ExportedStore.appeals.texts($0, in: $1) },
    ]

    /// Oldest first.
    private static func records(_ place: ExportPlace, _ transaction: Transaction) async throws -> [RecordRow] {
        let page = Page(after: max(0, place[0]), limit: place.limit)
        return try await RecordStore.page(page, of: .all, of: place.account, in: transaction).reversed()
    }
}

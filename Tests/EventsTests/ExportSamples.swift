// SPDX-License-Identifier: Apache-2.0
// Samples of what is told for archives.

import Domain
import Events

extension Samples {
    static func exporting(full: Bool) -> [any Event] {
        let (export, account) = (ExportID(110_000_000_000_000_071), AccountID(110_000_000_000_000_001))
        func part<Owner: EventName>(_: Owner.Type) -> any Event {
            ExportPartTold<Owner>(
                exportID: export,
                number: full ? 0 : 1,
                file: "posts/posts.json",
                about: full ? ExportWords(en: "Your posts.", ko: "작성한 글.", ja: "投稿。") : nil,
                content: "Ww==",
                isLast: full
            )
        }
        return [
            ExportAsked(exportID: export, accountID: account),
            ExportReady(exportID: export, accountID: account, expires: Timestamp(milliseconds: 1_767_923_100_000)),
            part(ExportOwners.Auth.self), part(ExportOwners.Posts.self), part(ExportOwners.Chat.self),
            part(ExportOwners.Notifications.self), part(ExportOwners.Search.self),
        ]
    }
}

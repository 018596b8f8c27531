// SPDX-License-Identifier: Apache-2.0
// What chat hands over of somebody who asks for everything that is theirs.

import Domain
import Events
import Outbox

enum Exports {
    /// The names of files and their order stay as they are: an archive may be under way from one release to the next.
    static let part = ExportPart([
        .list(
            "chat/playgrounds.json",
            ExportWords(en: "The playgrounds you are in.", ko: "참여하고 있는 놀이터.", ja: "参加している広場。")
        ) { try await ExportedStore.playgrounds.texts($0, in: $1) },
        .list(
            "chat/channels.json",
            ExportWords(
                en: "The channels and direct conversations you are in.",
                ko: "참여하고 있는 채널과 대화.",
                ja: "参加しているチャンネルとダイレクトの会話。"
            )
        ) { try await ExportedStore.channels.texts($0, in: $1) },
        .list(
            "chat/messages.json",
            ExportWords(
                en: "The messages you wrote, and in which channel.",
                ko: "작성한 메시지와 그 채널.",
                ja: "書いたメッセージと、そのチャンネル。"
            )
        ) { try await ExportedStore.messages.texts($0, in: $1) },
        .list(
            "chat/reactions.json",
            ExportWords(en: "Your reactions to messages.", ko: "메시지에 남긴 반응.", ja: "メッセージへのリアクション。")
        ) { try await ExportedStore.reactions($0, in: $1) },
    ])
}

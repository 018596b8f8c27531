// SPDX-License-Identifier: Apache-2.0
// What somebody is told who may not do something in a playground or a channel that they see.

import Domain
import HTTPTypes
import Web

extension Problem {
    static let notMember = own(
        .forbidden,
        "not-a-member",
        english: "Only members of this channel may do this",
        korean: "이 채널의 멤버만 할 수 있습니다",
        japanese: "このチャンネルのメンバーだけができます"
    )

    static let archived = own(
        .conflict,
        "archived",
        english: "This channel is archived",
        korean: "보관된 채널입니다",
        japanese: "このチャンネルはアーカイブされています"
    )

    static let ownerMustTransfer = own(
        .conflict,
        "owner-must-transfer",
        english: "Make somebody else the owner first",
        korean: "먼저 다른 사람에게 소유권을 넘겨 주세요",
        japanese: "先に所有権をほかの人に譲ってください"
    )

    static let projectLeader = own(
        .conflict,
        "leader-must-transfer",
        english: "Whoever leads the project is in its playground; make somebody else the leader first",
        korean: "프로젝트 리더는 플레이그라운드를 나갈 수 없습니다. 먼저 다른 멤버에게 리더를 넘겨 주세요",
        japanese: "プロジェクトのリーダーはプレイグラウンドを出られません。先にほかのメンバーにリーダーを譲ってください"
    )

    static let defaultChannel = own(
        .conflict,
        "default-channel",
        english: "Everybody in the playground is in this channel",
        korean: "플레이그라운드의 모든 멤버가 참여하는 채널입니다",
        japanese: "プレイグラウンドの全員が参加するチャンネルです"
    )

    static let banned = own(
        .forbidden,
        "banned",
        english: "You cannot join this playground",
        korean: "이 플레이그라운드에 참여할 수 없습니다",
        japanese: "このプレイグラウンドには参加できません"
    )

    static let inviteExpired = own(
        .gone,
        "invite-expired",
        english: "This invitation is no longer valid",
        korean: "더 이상 유효하지 않은 초대입니다",
        japanese: "この招待は無効になりました"
    )

    /// One of two people wants nothing to do with the other.
    static let blocked = own(
        .forbidden,
        "blocked",
        english: "You cannot write to this person.",
        korean: "이 사람에게는 메시지를 보낼 수 없습니다.",
        japanese: "この相手にはメッセージを送れません。"
    )

    static let notAccepted = own(
        .forbidden,
        "not-accepted",
        english: "Accept this request first.",
        korean: "먼저 요청을 수락하세요.",
        japanese: "先にリクエストを承認してください。"
    )

    static let uploadsNotAvailable = own(
        .unprocessableContent,
        "uploads-not-available",
        english: "This server does not take files with a message yet.",
        korean: "이 서버는 아직 메시지와 함께 파일을 받지 않습니다.",
        japanese: "このサーバーはまだメッセージと一緒にファイルを受け取れません。"
    )

    static let reusedClientID = own(
        .conflict,
        "client-id-reused",
        english: "This client_id was used for another message.",
        korean: "이 client_id는 다른 메시지에 이미 쓰였습니다.",
        japanese: "この client_id は別のメッセージに使われています。"
    )

    /// There are as many as there may be; `code` is such as `too-many-channels`.
    static func tooMany(_ code: String) -> Problem {
        own(
            .conflict,
            code,
            english: "There are as many as there may be",
            korean: "더 이상 만들 수 없습니다",
            japanese: "これ以上は作成できません"
        )
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a push says, in the language of the device.

import Domain
import Events
import Views

/// The words of a push. Plain text: never HTML.
struct PushText: Equatable {
    var title: String
    var body: String
}

/// Says what happened, as much of it as the person wants to be seen on a locked screen.
struct SayWhatHappened {
    let language: Language
    let preview: Preview
    let site: Site

    /// Characters.
    private static let longestName = 60
    private static let longestExcerpt = 200

    /// - Parameter reader: who is told.
    func text(of row: NotificationRow, for reader: AccountID) -> PushText {
        guard preview != .none else { return PushText(title: site.domain, body: somethingNew) }
        let name = SayWhatHappened.excerpt(
            row.actor.displayName.visibleLine.isEmpty ? row.actor.username.text : row.actor.displayName,
            SayWhatHappened.longestName
        )
        if row.kind == .directMessage {
            return PushText(title: name, body: preview == .full ? content(of: row) : sentMessage)
        }
        let isReply = row.post?.inReplyToAccountID == reader
        return PushText(
            title: sentence(row.kind, name, isReply: isReply, channel: row.message?.channelName ?? ""),
            body: preview == .full ? content(of: row) : row.kind == .channelMessage ? wroteSomething : ""
        )
    }

    /// What was said, or of which project it is. Of a post with a warning the warning alone.
    private func content(of row: NotificationRow) -> String {
        let text: String
        if let message = row.message {
            text = message.text
        } else if let post = row.post {
            text = post.spoilerText.isEmpty ? post.text : post.spoilerText
        } else {
            text = row.project?.title ?? row.report?.report.comment ?? row.decision?.reason ?? ""
        }
        return SayWhatHappened.excerpt(text, SayWhatHappened.longestExcerpt)
    }

    /// One line, cut between characters as people see them.
    static func excerpt(_ text: String, _ length: Int) -> String {
        let line = text.visibleLine
        guard let end = line.index(line.startIndex, offsetBy: length, limitedBy: line.endIndex), end < line.endIndex
        else { return line }
        return line[..<end].trimmed + "…"
    }

    private var somethingNew: String {
        switch language {
        case .english: "You have a new notification"
        case .korean: "새 알림이 있습니다"
        case .japanese: "新しい通知があります"
        }
    }

    private var sentMessage: String {
        switch language {
        case .english: "sent you a message"
        case .korean: "메시지를 보냈습니다"
        case .japanese: "メッセージが届きました"
        }
    }

    private var wroteSomething: String {
        switch language {
        case .english: "wrote something"
        case .korean: "메시지를 보냈습니다"
        case .japanese: "メッセージを投稿しました"
        }
    }

    private func sentence(_ kind: NotificationKind, _ name: String, isReply: Bool, channel: String) -> String {
        switch language {
        case .english: english(kind, name, isReply: isReply, channel: channel)
        case .korean: korean(kind, name, isReply: isReply, channel: channel)
        case .japanese: japanese(kind, name, isReply: isReply, channel: channel)
        }
    }

    private func english(_ kind: NotificationKind, _ name: String, isReply: Bool, channel: String) -> String {
        switch kind {
        case .mention: isReply ? "\(name) replied to you" : "\(name) mentioned you"
        case .status: "\(name) posted"
        case .favourite: "\(name) liked your post"
        case .reblog: "\(name) boosted your post"
        case .update: "\(name) edited a post"
        case .follow: "\(name) followed you"
        case .followRequest: "\(name) asked to follow you"
        case .chatMention: channel.isEmpty ? "\(name) mentioned you" : "\(name) mentioned you in #\(channel)"
        case .directMessage: name
        case .channelMessage: channel.isEmpty ? "\(name) wrote in a channel" : "\(name) in #\(channel)"
        case .projectApplication: "\(name) applied to your project"
        case .projectAccepted: "\(name) accepted your application"
        case .projectDeclined: "\(name) declined your application"
        case .projectWithdrawn: "\(name) withdrew an application"
        case .projectDeadline: "One day is left to apply"
        case .projectUpdate: "\(name) changed a project"
        case .projectMention: "\(name) named you in a project"
        case .adminReport: "\(name) filed a report"
        case .moderationWarning: "A moderator decided about your account"
        }
    }

    private func korean(_ kind: NotificationKind, _ name: String, isReply: Bool, channel: String) -> String {
        switch kind {
        case .mention: isReply ? "\(name)님이 답글을 남겼습니다" : "\(name)님이 회원님을 언급했습니다"
        case .status: "\(name)님이 새 글을 올렸습니다"
        case .favourite: "\(name)님이 회원님의 글을 좋아합니다"
        case .reblog: "\(name)님이 회원님의 글을 부스트했습니다"
        case .update: "\(name)님이 글을 수정했습니다"
        case .follow: "\(name)님이 회원님을 팔로우합니다"
        case .followRequest: "\(name)님이 팔로우를 요청했습니다"
        case .chatMention:
            channel.isEmpty ? "\(name)님이 회원님을 언급했습니다" : "\(name)님이 #\(channel)에서 회원님을 언급했습니다"
        case .directMessage: name
        case .channelMessage: channel.isEmpty ? "\(name)님이 채널에 메시지를 보냈습니다" : "\(name)님 · #\(channel)"
        case .projectApplication: "\(name)님이 프로젝트에 지원했습니다"
        case .projectAccepted: "\(name)님이 지원을 수락했습니다"
        case .projectDeclined: "\(name)님이 지원을 거절했습니다"
        case .projectWithdrawn: "\(name)님이 지원을 취소했습니다"
        case .projectDeadline: "지원 마감까지 하루 남았습니다"
        case .projectUpdate: "\(name)님이 프로젝트를 변경했습니다"
        case .projectMention: "\(name)님이 프로젝트에서 회원님을 언급했습니다"
        case .adminReport: "\(name)님이 신고했습니다"
        case .moderationWarning: "회원님의 계정에 대한 운영 조치가 있습니다"
        }
    }

    private func japanese(_ kind: NotificationKind, _ name: String, isReply: Bool, channel: String) -> String {
        switch kind {
        case .mention: isReply ? "\(name)さんが返信しました" : "\(name)さんがあなたをメンションしました"
        case .status: "\(name)さんが投稿しました"
        case .favourite: "\(name)さんがあなたの投稿をお気に入りに登録しました"
        case .reblog: "\(name)さんがあなたの投稿をブーストしました"
        case .update: "\(name)さんが投稿を編集しました"
        case .follow: "\(name)さんにフォローされました"
        case .followRequest: "\(name)さんからフォローリクエストが届きました"
        case .chatMention:
            channel.isEmpty ? "\(name)さんがあなたをメンションしました" : "\(name)さんが #\(channel) であなたをメンションしました"
        case .directMessage: name
        case .channelMessage: channel.isEmpty ? "\(name)さんがチャンネルに投稿しました" : "\(name)さん · #\(channel)"
        case .projectApplication: "\(name)さんがプロジェクトに応募しました"
        case .projectAccepted: "\(name)さんが応募を承認しました"
        case .projectDeclined: "\(name)さんが応募を見送りました"
        case .projectWithdrawn: "\(name)さんが応募を取り下げました"
        case .projectDeadline: "応募の締切まであと1日です"
        case .projectUpdate: "\(name)さんがプロジェクトを変更しました"
        case .projectMention: "\(name)さんがプロジェクトであなたをメンションしました"
        case .adminReport: "\(name)さんが通報しました"
        case .moderationWarning: "あなたのアカウントについて運営の決定がありました"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What letters say, in English, Korean and Japanese.

import Domain
import Events
import WebPages

extension LetterWords {
    /// - Parameters:
    ///   - username: nil where nobody is known by it.
    ///   - link: what makes a link of this letter's good; nil for a kind without one.
    ///   - appeal: the same of a decision's; nil for one to which nobody can appeal.
    init(
        _ letter: Letter,
        to username: String?,
        in language: Language,
        link secret: String?,
        appeal: String? = nil,
        site: Site
    ) {
        let kind = letter.kind.rawValue
        var values = ["name": username.map { "@\($0)" } ?? "", "site": site.domain]
        var notes: [String] = []
        switch letter {
        case .confirmation, .passwordReset, .deleted: break
        case .passwordChanged(let moment): values["time"] = LetterWords.time(moment)
        case .newDevice(let name, let moment):
            values["time"] = LetterWords.time(moment)
            values["device"] = name.isEmpty ? PageText.text("letter_some_device", language) : name
        case .leaving(let deletion): values["time"] = LetterWords.time(deletion)
        case .exportReady(let expires): values["time"] = LetterWords.time(expires)
        case .decision(let action, let reason, let until, let appealUntil, _, _):
            values["action"] = PageText.text("letter_decision_\(action.rawValue)", language)
            (values["reason"], values["until"]) = (reason, until.map(LetterWords.time))
            values["appeal"] = appealUntil.map(LetterWords.time)
            if !reason.isEmpty { notes.append("letter_decision_reason") }
            if until != nil { notes.append("letter_decision_until") }
            if appealUntil != nil { notes.append("letter_decision_appeal") }
        }
        func text(_ key: String) -> String { LetterWords.filled(PageText.text(key, language), values) }
        subject = text("letter_\(kind)_subject")
        let greeting = username == nil ? [] : [text("letter_greeting")]
        let body = text("letter_\(kind)").split(separator: "\n\n").map(String.init)
        paragraphs = greeting + body + notes.map(text) + [text("letter_signature")]
        let page: (path: String, query: [(name: String, value: String)])? =
            switch letter.kind {
            case .confirmation: secret.map { (ConfirmPage.path, [("token", $0)]) }
            case .passwordReset: secret.map { (ResetPage.path, [("token", $0)]) }
            case .newDevice, .passwordChanged: (ForgottenPage.path, [])
            case .leaving: (SignInPage.path, [])
            case .decision: appeal.map { (AppealLink.path, [("token", $0)]) }
            case .deleted, .exportReady: nil
            }
        link = page.map { page in
            Link(
                label: text("letter_\(kind)_link"),
                url: site.origin + Pages.link(page.path, page.query + [("lang", language.rawValue)])
            )
        }
    }

    /// To the minute, in UTC: where somebody lives is not known.
    private static func time(_ moment: Timestamp) -> String {
        "\(moment.rfc3339.prefix(16).replacing("T", with: " ")) UTC"
    }

    /// Puts values where their names stand in braces. What stands in a value is left as it is.
    static func filled(_ text: String, _ values: [String: String]) -> String {
        var (filled, rest) = ("", Substring(text))
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            filled += rest[..<open] + (values[name] ?? "")
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}

extension PageText {
    static let letters: [PageWords.Entry] = [
        ("letter_greeting", "Hello {name},", "{name} 님, 안녕하세요.", "{name}さん、こんにちは。"),
        (
            "letter_signature", "This letter was written by {site} by itself; nobody reads answers to it.",
            "이 메일은 {site}에서 자동으로 보낸 것이며, 회신은 확인되지 않습니다.",
            "このメールは{site}から自動的に送信されました。返信は確認されません。"
        ),
        ("letter_some_device", "a device without a name", "이름을 알 수 없는 기기", "名前のわからない端末"),
        (
            "letter_confirmation_subject", "Confirm your address for {site}", "{site} 이메일 주소 확인",
            "{site}のメールアドレスの確認"
        ),
        (
            "letter_confirmation",
            "somebody signed up at {site} with this address. If that was you, confirm it here within a day.\n\nIf it was not you, "
                + "do nothing: without you nobody gets in.",
            "이 주소로 {site}에 가입한 분이 있습니다. 본인이라면 하루 안에 아래에서 주소를 확인해 주세요.\n\n본인이 아니라면 아무것도 하지 "
                + "않으셔도 됩니다. 확인 없이는 로그인할 수 없습니다.",
            "このアドレスで{site}への登録がありました。ご本人の場合は、1日以内に下のリンクから確認してください。\n\nお心当たりがない場合は、"
                + "何もする必要はありません。確認されるまでログインはできません。"
        ),
        ("letter_confirmation_link", "Confirm my address", "이메일 주소 확인하기", "メールアドレスを確認する"),
        (
            "letter_password_reset_subject", "A new password for {site}", "{site} 비밀번호 재설정",
            "{site}のパスワード再設定"
        ),
        (
            "letter_password_reset",
            "somebody asked for a new password for your account. Set one here within an hour; the link works once, and only the "
                + "newest one that you were sent.\n\nIf it was not you, do nothing: your password stays as it is.",
            "계정의 비밀번호를 다시 설정해 달라는 요청이 있었습니다. 한 시간 안에 아래에서 새 비밀번호를 정해 주세요. 링크는 한 번만, 가장 최근에 받은 "
                + "것만 사용할 수 있습니다.\n\n요청한 적이 없다면 아무것도 하지 않으셔도 됩니다. 비밀번호는 그대로 유지됩니다.",
            "アカウントのパスワード再設定が求められました。1時間以内に下のリンクから新しいパスワードを設定してください。リンクは一度だけ、最後に届いた"
                + "ものだけが使えます。\n\nお心当たりがない場合は、何もする必要はありません。パスワードは変わりません。"
        ),
        ("letter_password_reset_link", "Set a new password", "새 비밀번호 설정하기", "新しいパスワードを設定する"),
        (
            "letter_password_changed_subject", "Your password for {site} was changed", "{site} 비밀번호가 변경되었습니다",
            "{site}のパスワードが変更されました"
        ),
        (
            "letter_password_changed",
            "the password of your account was changed at {time}. Wherever else you were signed in, you are signed out.\n\nIf it was "
                + "not you, set a new one at once:",
            "{time}에 계정의 비밀번호가 변경되었습니다. 다른 기기에서는 모두 로그아웃되었습니다.\n\n본인이 변경하지 않았다면 바로 새 비밀번호를 설정해 "
                + "주세요.",
            "{time}にアカウントのパスワードが変更されました。ほかの端末からはすべてログアウトされました。\n\nお心当たりがない場合は、すぐに新しい"
                + "パスワードを設定してください。"
        ),
        ("letter_password_changed_link", "Set a new password", "새 비밀번호 설정하기", "新しいパスワードを設定する"),
        (
            "letter_new_device_subject", "A new device signed in at {site}", "{site}에 새 기기로 로그인했습니다",
            "{site}に新しい端末でログインがありました"
        ),
        (
            "letter_new_device",
            "somebody signed in to your account at {time} from a device that had not been here before: {device}\n\nIf it was you, there "
                + "is nothing to do. If not, set a new password at once, which signs everybody out:",
            "{time}에 처음 보는 기기에서 계정에 로그인했습니다: {device}\n\n본인이라면 아무것도 하지 않으셔도 됩니다. 아니라면 바로 새 비밀번호를 "
                + "설정해 주세요. 모든 기기에서 로그아웃됩니다.",
            "{time}に初めての端末からアカウントにログインがありました：{device}\n\nご本人の場合は、何もする必要はありません。お心当たりがない場合は、"
                + "すぐに新しいパスワードを設定してください。すべての端末からログアウトされます。"
        ),
        ("letter_new_device_link", "Set a new password", "새 비밀번호 설정하기", "新しいパスワードを設定する"),
        (
            "letter_leaving_subject", "Your account at {site} will be deleted", "{site} 계정이 삭제될 예정입니다",
            "{site}のアカウントが削除されます"
        ),
        (
            "letter_leaving",
            "as you asked, your account and everything in it will be deleted at {time}. Until then nobody sees it.\n\nIf you would "
                + "rather stay, or it was not you who asked, sign in before then:",
            "요청하신 대로 {time}에 계정과 그 안의 모든 것이 삭제됩니다. 그때까지 계정은 아무에게도 보이지 않습니다.\n\n마음이 바뀌었거나 요청한 적이 "
                + "없다면 그 전에 로그인해 주세요.",
            "ご依頼のとおり、{time}にアカウントとそのすべての内容が削除されます。それまでは誰にも表示されません。\n\n取りやめる場合や、お心当たりがない"
                + "場合は、それまでにログインしてください。"
        ),
        ("letter_leaving_link", "Sign in", "로그인하기", "ログインする"),
        (
            "letter_deleted_subject", "Your account at {site} is deleted", "{site} 계정이 삭제되었습니다",
            "{site}のアカウントが削除されました"
        ),
        (
            "letter_deleted",
            "your account and everything in it is deleted. It cannot be brought back. This is the last letter that you get from us.",
            "계정과 그 안의 모든 것이 삭제되었습니다. 되돌릴 수 없습니다. 이 메일이 마지막 메일입니다.",
            "アカウントとそのすべての内容が削除されました。元に戻すことはできません。これが最後のメールです。"
        ),
        (
            "letter_decision_subject", "A decision about your account at {site}", "{site} 계정에 대한 결정 안내",
            "{site}のアカウントに関する決定のお知らせ"
        ),
        (
            "letter_decision", "the moderators of {site} have decided: {action}", "{site} 운영진의 결정을 알려드립니다: {action}",
            "{site}の運営者による決定をお知らせします：{action}"
        ),
        ("letter_decision_warn", "this is a warning.", "경고합니다.", "警告します。"),
        (
            "letter_decision_sensitive", "your pictures are shown as sensitive.", "사진이 민감한 콘텐츠로 표시됩니다.",
            "画像は閲覧注意として表示されます。"
        ),
        (
            "letter_decision_limit", "only those who follow you still hear of you.", "팔로워에게만 활동이 보입니다.",
            "フォロワーだけに表示されます。"
        ),
        (
            "letter_decision_remove", "something that you made was removed.", "작성하신 콘텐츠가 삭제되었습니다.",
            "投稿された内容が削除されました。"
        ),
        (
            "letter_decision_freeze", "you may read, but change nothing.", "읽기만 가능하며 글쓰기와 변경은 할 수 없습니다.",
            "閲覧はできますが、投稿や変更はできません。"
        ),
        (
            "letter_decision_suspend", "your account is suspended.", "계정이 정지되었습니다.", "アカウントが停止されました。"
        ),
        (
            "letter_decision_lift", "what was decided before holds no more.", "이전 결정이 해제되었습니다.",
            "以前の決定は取り消されました。"
        ),
        ("letter_decision_reason", "Their reason: {reason}", "사유: {reason}", "理由：{reason}"),
        ("letter_decision_until", "It holds until {until}.", "{until}까지 적용됩니다.", "{until}まで有効です。"),
        (
            "letter_decision_appeal", "You may appeal until {appeal}.", "{appeal}까지 이의를 제기할 수 있습니다.",
            "{appeal}まで異議を申し立てることができます。"
        ),
        ("letter_decision_link", "Appeal", "이의 제기하기", "異議を申し立てる"),
        (
            "letter_export_ready_subject", "Your data at {site} are ready", "{site} 데이터가 준비되었습니다",
            "{site}のデータの準備ができました"
        ),
        (
            "letter_export_ready",
            "the copy of your data that you asked for is ready. Sign in to fetch it before {time}; after that it is removed.",
            "요청하신 데이터 사본이 준비되었습니다. {time} 전에 로그인하여 받아 주세요. 이후에는 삭제됩니다.",
            "ご依頼のデータの写しが準備できました。{time}までにログインして受け取ってください。その後は削除されます。"
        ),
    ]
}

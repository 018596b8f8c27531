// SPDX-License-Identifier: Apache-2.0
// What the pages say, in English, Korean and Japanese.

import Domain

/// The words of the pages and of auth's own problems.
enum PageText {
    static func text(_ key: String, _ language: Language) -> String { tables[language]?[key] ?? "" }

    static func all(_ language: Language) -> [String: String] { tables[language] ?? [:] }

    /// What a scope lets an app do.
    static func meaning(of scope: Scope, _ language: Language) -> String {
        let parts = scope.text.split(separator: ":")
        if scope.isPrivileged { return text("scope_\(parts.prefix(2).joined(separator: "_"))", language) }
        guard parts.count == 2 else { return text("scope_\(scope.text)", language) }
        return text("scope_\(parts[0])_part", language)
            .replacing("{part}", with: text("part_\(parts[1])", language))
    }

    /// Every key, for a test that each language has it.
    static var keys: [Language: Set<String>] { tables.mapValues { Set($0.keys) } }

    private static let tables: [Language: [String: String]] = {
        var tables: [Language: [String: String]] = [.english: [:], .korean: [:], .japanese: [:]]
        for (key, english, korean, japanese) in words + faults + refusals + scopes {
            tables[.english]?[key] = english
            tables[.korean]?[key] = korean
            tables[.japanese]?[key] = japanese
        }
        return tables
    }()

    private typealias Entry = (key: String, english: String, korean: String, japanese: String)

    private static let words: [Entry] = [
        ("language", "English", "한국어", "日本語"),
        ("languages", "Languages", "언어", "言語"),
        ("sign_in", "Sign in", "로그인", "ログイン"),
        ("sign_up", "Create an account", "회원가입", "アカウント作成"),
        ("sign_out", "Sign out", "로그아웃", "ログアウト"),
        ("signed_in", "You are signed in", "로그인되었습니다", "ログインしています"),
        ("signed_in_as", "Signed in as", "로그인한 계정", "ログイン中のアカウント"),
        ("switch", "Use another account", "다른 계정 사용", "別のアカウントを使う"),
        ("login", "Username or e-mail", "사용자 이름 또는 이메일", "ユーザー名またはメールアドレス"),
        ("username", "Username", "사용자 이름", "ユーザー名"),
        (
            "username_hint", "1 to 30 letters of a–z, digits and _", "영문자, 숫자, 밑줄(_) 1~30자",
            "英数字とアンダースコア（_）で1〜30文字"
        ),
        ("email", "E-mail", "이메일", "メールアドレス"),
        ("password", "Password", "비밀번호", "パスワード"),
        (
            "password_hint", "At least 8 characters. A few words in a row are best.",
            "8자 이상. 여러 단어를 이어 쓰면 가장 좋습니다.", "8文字以上。いくつかの言葉をつなげるのが最適です。"
        ),
        (
            "agreement", "I agree to the rules and the privacy policy of this server.",
            "이 서버의 규칙과 개인정보 처리방침에 동의합니다.", "このサーバーのルールとプライバシーポリシーに同意します。"
        ),
        ("have_account", "Already have an account?", "이미 계정이 있나요?", "すでにアカウントをお持ちですか？"),
        ("no_account", "No account yet?", "아직 계정이 없나요?", "アカウントをお持ちでないですか？"),
        ("check_fields", "Please check the fields below.", "아래 항목을 확인해 주세요.", "以下の項目を確認してください。"),
        (
            "close_page", "You can close this page and return to your app.", "이 창을 닫고 앱으로 돌아가세요.",
            "このページを閉じてアプリに戻ってください。"
        ),
        ("authorize", "Allow access", "접근 허용", "アクセスの許可"),
        ("asks", "{app} would like to:", "{app} 앱이 다음 권한을 요청합니다:", "{app}が次の許可を求めています："),
        ("goes_to", "You will be sent to", "다음 주소로 이동합니다:", "移動先："),
        ("approve", "Allow", "허용", "許可する"),
        ("deny", "Deny", "거부", "拒否する"),
        ("your_code", "Your code", "인증 코드", "認証コード"),
        (
            "copy_code", "Copy this code into the app. It works once, for ten minutes.",
            "이 코드를 앱에 붙여 넣으세요. 10분 안에 한 번만 사용할 수 있습니다.",
            "このコードをアプリに貼り付けてください。10分以内に一度だけ使えます。"
        ),
        ("cannot_authorize", "This app cannot be let in", "이 앱에 접근을 허용할 수 없습니다", "このアプリを許可できません"),
        ("back_to_app", "Back to the app", "앱으로 돌아가기", "アプリに戻る"),
    ]

    private static let faults: [Entry] = [
        ("fault_accepted", "must be accepted", "동의가 필요합니다", "同意が必要です"),
        ("fault_blank", "can't be blank", "비워 둘 수 없습니다", "入力してください"),
        (
            "fault_compromised", "is too easy to guess", "너무 쉽게 추측할 수 있습니다",
            "推測されやすいため使えません"
        ),
        ("fault_invalid", "is invalid", "올바르지 않습니다", "正しくありません"),
        ("fault_reserved", "is reserved", "예약된 이름입니다", "予約されています"),
        ("fault_taken", "has already been taken", "이미 사용 중입니다", "すでに使われています"),
        ("fault_too_long", "is too long", "너무 깁니다", "長すぎます"),
        ("fault_too_short", "is too short", "너무 짧습니다", "短すぎます"),
    ]

    private static let refusals: [Entry] = [
        (
            "wrong_password", "The name or the password is wrong.", "이름 또는 비밀번호가 올바르지 않습니다.",
            "名前またはパスワードが正しくありません。"
        ),
        (
            "registrations_closed", "This server does not take new accounts at the moment.",
            "현재 이 서버는 회원가입을 받지 않습니다.", "現在このサーバーでは新規登録を受け付けていません。"
        ),
        (
            "stale_form", "This page was open for too long, or cookies are off. Please try again.",
            "페이지가 오래되었거나 쿠키가 꺼져 있습니다. 다시 시도해 주세요.",
            "ページの有効期限が切れたか、Cookieが無効です。もう一度お試しください。"
        ),
        (
            "unknown_app", "The app is not known here. Please start again from the app.",
            "알 수 없는 앱입니다. 앱에서 다시 시작해 주세요.", "不明なアプリです。アプリからやり直してください。"
        ),
        (
            "wrong_redirect", "The app did not register the address it wants you to be sent to.",
            "앱이 요청한 이동 주소가 등록되어 있지 않습니다.", "アプリが指定した移動先は登録されていません。"
        ),
        (
            "invalid_request", "The request is missing something, or has something that is not allowed.",
            "요청에 빠진 것이 있거나 허용되지 않은 것이 있습니다.", "リクエストに不足または許可されない項目があります。"
        ),
        (
            "invalid_client", "The app is unknown, or its secret is wrong.", "알 수 없는 앱이거나 앱의 비밀 키가 올바르지 않습니다.",
            "不明なアプリか、アプリのシークレットが正しくありません。"
        ),
        (
            "invalid_grant", "The code or the token is wrong, expired, revoked or meant for another app.",
            "코드 또는 토큰이 올바르지 않거나, 만료·취소되었거나, 다른 앱의 것입니다.",
            "コードまたはトークンが不正、期限切れ、失効済み、または別のアプリのものです。"
        ),
        (
            "invalid_scope", "The requested scope is unknown, or more than the app registered.",
            "요청한 범위를 알 수 없거나 앱이 등록한 범위를 벗어납니다.", "要求されたスコープは不明か、アプリの登録範囲を超えています。"
        ),
        (
            "unsupported_grant_type", "This grant type is not supported.", "지원하지 않는 인증 방식입니다.",
            "この付与方式には対応していません。"
        ),
        (
            "unsupported_response_type", "This response type is not supported.", "지원하지 않는 응답 방식입니다.",
            "この応答方式には対応していません。"
        ),
        ("access_denied", "You denied the app access.", "앱의 접근을 거부했습니다.", "アプリのアクセスを拒否しました。"),
        (
            "unauthorized_client", "The app may not use this grant type.", "이 앱은 이 인증 방식을 사용할 수 없습니다.",
            "このアプリはこの付与方式を使えません。"
        ),
    ]

    private static let scopes: [Entry] = [
        ("scope_profile", "see who you are, and nothing else", "내가 누구인지만 보기", "あなたが誰かだけを見る"),
        ("scope_read", "see everything in your account", "계정의 모든 정보 보기", "アカウントのすべての情報を見る"),
        (
            "scope_write", "post and change things for you", "나를 대신해 글쓰기와 변경",
            "あなたに代わって投稿・変更する"
        ),
        ("scope_follow", "change whom you follow, block and mute", "팔로우·차단·뮤트 변경", "フォロー・ブロック・ミュートを変更する"),
        ("scope_admin", "manage this server in your name", "나를 대신해 이 서버 관리", "あなたに代わってこのサーバーを管理する"),
        (
            "scope_admin_read", "see what only administrators see", "관리자만 볼 수 있는 정보 보기",
            "管理者だけが見られる情報を見る"
        ),
        (
            "scope_admin_write", "do what only administrators may do", "관리자만 할 수 있는 작업 하기",
            "管理者だけができる操作をする"
        ),
        ("scope_push", "send you push notifications", "푸시 알림 보내기", "プッシュ通知を送る"),
        ("scope_read_part", "see {part}", "{part} 보기", "{part}を見る"),
        ("scope_write_part", "change {part}", "{part} 변경", "{part}を変更する"),
        ("part_accounts", "your account", "계정", "アカウント"),
        ("part_blocks", "whom you block", "차단 목록", "ブロック"),
        ("part_bookmarks", "your bookmarks", "북마크", "ブックマーク"),
        ("part_conversations", "your conversations", "대화", "会話"),
        ("part_favourites", "your favourites", "좋아요", "お気に入り"),
        ("part_filters", "your filters", "필터", "フィルター"),
        ("part_follows", "whom you follow", "팔로우", "フォロー"),
        ("part_lists", "your lists", "리스트", "リスト"),
        ("part_media", "your media", "미디어", "メディア"),
        ("part_mutes", "whom you mute", "뮤트 목록", "ミュート"),
        ("part_notifications", "your notifications", "알림", "通知"),
        ("part_reports", "your reports", "신고", "通報"),
        ("part_search", "search results", "검색 결과", "検索結果"),
        ("part_statuses", "your posts", "게시물", "投稿"),
    ]
}

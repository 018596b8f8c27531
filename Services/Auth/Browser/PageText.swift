// SPDX-License-Identifier: Apache-2.0
// What the pages say, in English, Korean and Japanese.

import Domain
import WebPages

/// The words of the pages and of auth's own problems.
enum PageText {
    static let words = PageWords(
        phrases + issuers + faults + refusals + scopes + leaving + mail + letters + agreements
    )

    static func text(_ key: String, _ language: Language) -> String { words.text(key, language) }

    /// A text in every language, for a problem.
    static func detail(_ key: String) -> [Language: String] {
        Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, text(key, $0)) })
    }

    /// The pages of auth.
    static func pages(site: Site) throws -> Pages {
        try Pages(
            [
                "code": PackageResources.code_mustache, "confirm": PackageResources.confirm_mustache,
                "consent": PackageResources.consent_mustache,
                "delete_account": PackageResources.delete_account_mustache,
                "forgotten": PackageResources.forgotten_mustache,
                "newcomer": PackageResources.newcomer_mustache, "note": PackageResources.note_mustache,
                "reset": PackageResources.reset_mustache, "sign_in": PackageResources.sign_in_mustache,
                "sign_up": PackageResources.sign_up_mustache,
                "signed_in": PackageResources.signed_in_mustache,
                "agreement": PackageResources.agreement_mustache,
                "identities": PackageResources.identities_mustache,
            ],
            words: words,
            site: site
        )
    }

    /// What a scope lets an app do.
    static func meaning(of scope: Scope, _ language: Language) -> String {
        let parts = scope.text.split(separator: ":")
        if scope.isPrivileged { return text("scope_\(parts.prefix(2).joined(separator: "_"))", language) }
        guard parts.count == 2 else { return text("scope_\(scope.text)", language) }
        return text("scope_\(parts[0])_part", language)
            .replacing("{part}", with: text("part_\(parts[1])", language))
    }

    private typealias Entry = PageWords.Entry

    private static let phrases: [Entry] = [
        ("sign_in", "Sign in", "로그인", "ログイン"),
        ("sign_up", "Create an account", "회원가입", "アカウント作成"),
        ("sign_out", "Sign out", "로그아웃", "ログアウト"),
        ("signed_in", "You are signed in", "로그인되었습니다", "ログインしています"),
        ("account_ready", "Your account is ready", "가입이 완료되었습니다", "登録が完了しました"),
        (
            "use_app", "You are in. In any app for Mastodon, sign in with this server address:",
            "이제 마스토돈을 지원하는 앱에서 아래 서버 주소로 로그인할 수 있습니다.",
            "Mastodon対応のアプリに、次のサーバーのアドレスを入力してログインできます。"
        ),
        ("see_profile", "See your profile", "내 프로필 보기", "プロフィールを見る"),
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

    private static let issuers: [Entry] = [
        ("issuer_apple", "Apple", "Apple", "Apple"),
        ("issuer_google", "Google", "Google", "Google"),
        ("issuer_kakao", "Kakao", "카카오", "カカオ"),
        ("continue_with", "Continue with {issuer}", "{issuer} 계정으로 계속하기", "{issuer}で続ける"),
        ("other_ways", "Other ways to sign in", "다른 로그인 방법", "ほかのログイン方法"),
        ("choose_username", "Choose a username", "사용자 이름 정하기", "ユーザー名を決める"),
        (
            "arrived_with",
            "{issuer} has confirmed who you are. One thing is left: the name by which people find you here.",
            "{issuer} 계정이 확인되었습니다. 이곳에서 사용할 이름만 정하면 됩니다.",
            "{issuer}で本人確認ができました。あとはここで使う名前を決めるだけです。"
        ),
        (
            "email_in_use",
            "Somebody here already uses {email}. If that is you, sign in to that account instead.",
            "{email} 주소를 사용하는 계정이 이미 있습니다. 본인의 계정이라면 그 계정으로 로그인해 주세요.",
            "{email}を使っているアカウントがすでにあります。ご本人のものなら、そのアカウントでログインしてください。"
        ),
        ("cannot_sign_in", "You could not be signed in", "로그인하지 못했습니다", "ログインできませんでした"),
        ("try_again", "Back to signing in", "로그인으로 돌아가기", "ログインに戻る"),
        (
            "visit_over", "This took too long, or began in another browser. Please try again.",
            "시간이 너무 오래 걸렸거나 다른 브라우저에서 시작되었습니다. 다시 시도해 주세요.",
            "時間がかかりすぎたか、別のブラウザで始められました。もう一度お試しください。"
        ),
        (
            "issuer_away", "The service that should confirm who you are does not answer. Please try again in a while.",
            "본인 확인 서비스가 응답하지 않습니다. 잠시 후 다시 시도해 주세요.",
            "本人確認サービスが応答しません。しばらくしてからもう一度お試しください。"
        ),
        ("identities", "Ways to sign in", "로그인 방법", "ログイン方法"),
        (
            "no_identities", "No other service signs you in yet.", "연결된 서비스가 아직 없습니다.",
            "連携しているサービスはまだありません。"
        ),
        ("link_another", "Link another service", "다른 서비스 연결", "ほかのサービスを連携"),
        ("link_issuer", "Link {issuer}", "{issuer} 계정 연결하기", "{issuer}を連携する"),
        ("unlink_issuer", "Unlink {issuer}", "{issuer} 계정 연결 해제", "{issuer}の連携を解除"),
        ("back_to_account", "Back", "돌아가기", "戻る"),
    ]

    private static let faults: [Entry] = [
        (
            "fault_accepted", "Please tick the box above to go on.", "계속하려면 위 항목에 동의해 주세요.",
            "続けるには上の項目への同意が必要です。"
        ),
        ("fault_blank", "Please fill this in.", "비워 둘 수 없습니다. 입력해 주세요.", "入力してください。"),
        (
            "fault_compromised", "This is too easy to guess. Choose a longer one.",
            "너무 쉽게 추측할 수 있습니다. 더 긴 것을 사용해 주세요.", "推測されやすいため使えません。もっと長いものにしてください。"
        ),
        (
            "fault_invalid", "This cannot be used. Check what you typed.", "사용할 수 없는 값입니다. 입력한 내용을 확인해 주세요.",
            "この内容は使えません。入力内容をご確認ください。"
        ),
        (
            "fault_reserved", "This name is reserved. Choose another one.", "예약된 이름입니다. 다른 이름을 사용해 주세요.",
            "予約されている名前です。別の名前にしてください。"
        ),
        (
            "fault_taken", "This is already in use. Choose another one, or sign in.",
            "이미 사용 중입니다. 다른 것을 사용하거나 로그인해 주세요.", "すでに使われています。別のものにするか、ログインしてください。"
        ),
        (
            "fault_too_long", "This is too long. Make it shorter.", "너무 깁니다. 줄여 주세요.",
            "長すぎます。短くしてください。"
        ),
        (
            "fault_too_short", "This is too short. Make it longer.", "너무 짧습니다. 늘려 주세요.",
            "短すぎます。長くしてください。"
        ),
    ]

    private static let refusals: [Entry] = [
        (
            "wrong_password", "The name or the password is wrong. Check both and try again.",
            "이름 또는 비밀번호가 올바르지 않습니다. 확인하고 다시 시도해 주세요.",
            "名前またはパスワードが正しくありません。ご確認のうえ、もう一度お試しください。"
        ),
        (
            "account_suspended", "This account is suspended.", "정지된 계정입니다.", "このアカウントは停止されています。"
        ),
        (
            "registrations_closed", "This server does not take new accounts at the moment.",
            "현재 이 서버는 회원가입을 받지 않습니다.", "現在このサーバーでは新規登録を受け付けていません。"
        ),
        (
            "issuer_token_refused",
            "What was to confirm who you are is not valid here, or not any more. Please sign in again.",
            "본인 확인 정보가 올바르지 않거나 만료되었습니다. 다시 로그인해 주세요.",
            "本人確認の情報が正しくないか、期限切れです。もう一度ログインしてください。"
        ),
        (
            "sign_up_over", "This sign-up is over. Please sign in again from the start.",
            "가입 절차가 종료되었습니다. 처음부터 다시 로그인해 주세요.", "この登録手続きは終了しました。最初からログインし直してください。"
        ),
        (
            "proof_needed", "Please confirm once more who you are, by your password or by signing in again.",
            "비밀번호를 입력하거나 다시 로그인하여 본인임을 한 번 더 확인해 주세요.",
            "パスワードの入力または再ログインで、もう一度ご本人であることを確認してください。"
        ),
        (
            "identity_taken", "It already signs somebody in to another account.",
            "이미 다른 계정에 연결되어 있습니다.", "すでに別のアカウントに連携されています。"
        ),
        (
            "last_way_in", "This is the only way into your account. Set a password or link another one first.",
            "계정에 들어올 수 있는 유일한 방법입니다. 먼저 비밀번호를 설정하거나 다른 계정을 연결해 주세요.",
            "アカウントに入る唯一の方法です。先にパスワードを設定するか、別のアカウントを連携してください。"
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
            "wrong_redirect",
            "The app did not register the address it wants you to be sent to. Please tell whoever makes the app.",
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

    private static let leaving: [Entry] = [
        ("delete_account", "Delete my account", "계정 삭제", "アカウントを削除"),
        (
            "delete_what",
            "Your posts, messages, files, reading records and everything else that is yours will be erased for good. Others keep their own words; where you wrote to them, they see that something was deleted. Nobody will ever be given your name.",
            "게시물, 메시지, 파일, 독서 기록 등 내 모든 것이 영구히 지워집니다. 다른 사람이 쓴 글은 남으며, 내가 쓴 자리에는 삭제되었다는 표시만 보입니다. 내 사용자 이름은 다시는 누구에게도 주어지지 않습니다.",
            "投稿、メッセージ、ファイル、読書記録など、あなたのものはすべて完全に消去されます。ほかの人が書いたものは残り、あなたが書いた場所には削除されたことだけが表示されます。あなたのユーザー名は二度と誰にも渡されません。"
        ),
        (
            "delete_grace", "It happens on {date}. Until then, signing in again keeps your account.",
            "{date}에 삭제됩니다. 그전에 다시 로그인하면 계정이 유지됩니다.",
            "{date}に削除されます。それまでにもう一度ログインすれば、アカウントはそのまま残ります。"
        ),
        ("delete_now", "It happens at once and cannot be undone.", "바로 삭제되며 되돌릴 수 없습니다.", "すぐに削除され、元に戻せません。"),
        (
            "delete_sign_in_first", "Sign in once more, then come back here within five minutes.",
            "다시 한 번 로그인한 뒤 5분 안에 이 페이지로 돌아와 주세요.", "もう一度ログインしてから、5分以内にこのページに戻ってください。"
        ),
        (
            "delete_asked",
            "You are signed out everywhere. Your account will be deleted on {date}, unless you sign in before.",
            "모든 기기에서 로그아웃되었습니다. 그전에 로그인하지 않으면 {date}에 계정이 삭제됩니다.",
            "すべての端末からログアウトしました。それまでにログインしなければ、{date}にアカウントが削除されます。"
        ),
        (
            "delete_begun", "You are signed out everywhere. Your account is being deleted.",
            "모든 기기에서 로그아웃되었습니다. 계정을 삭제하고 있습니다.", "すべての端末からログアウトしました。アカウントを削除しています。"
        ),
        (
            "account_stays", "Welcome back: your account will not be deleted.", "다시 오신 것을 환영합니다. 계정은 삭제되지 않습니다.",
            "おかえりなさい。アカウントは削除されません。"
        ),
        (
            "account_deleted", "This account was deleted.", "삭제된 계정입니다.", "このアカウントは削除されました。"
        ),
    ]

    private static let agreements: [Entry] = [
        ("terms", "Terms of service", "이용약관", "利用規約"),
        ("texts_changed", "Something you agreed to has changed", "동의하신 내용이 바뀌었습니다", "同意いただいた内容が変わりました"),
        (
            "read_and_agree", "Please read it and agree to go on.", "바뀐 내용을 읽고 동의해 주세요.",
            "変更された内容をお読みのうえ、同意してください。"
        ),
        ("agree_until", "You can do this later, until", "나중에 동의할 수 있는 마지막 날:", "後で同意できる最終日："),
        ("agree_to_these", "I have read this and agree.", "위 내용을 읽었으며 동의합니다.", "上記の内容を読み、同意します。"),
        ("go_on", "Go on", "계속하기", "続ける"),
        ("later", "Not now", "나중에 하기", "後で"),
        (
            "agreement_needed",
            "What you agreed to has changed. Read it, and sign in again with your agreement.",
            "동의하신 내용이 바뀌었습니다. 바뀐 내용에 동의한 뒤 다시 로그인해 주세요.",
            "同意いただいた内容が変わりました。変更された内容に同意してから、もう一度ログインしてください。"
        ),
        (
            "fault_blocked", "This is not allowed here. Choose another one.", "이곳에서 사용할 수 없습니다. 다른 것을 입력해 주세요.",
            "ここでは使用できません。別のものを入力してください。"
        ),
        (
            "mail_blocked", "Addresses of mail at this domain are not accepted here.",
            "이 도메인의 이메일로는 가입할 수 없습니다.", "このドメインのメールアドレスでは登録できません。"
        ),
    ]
}

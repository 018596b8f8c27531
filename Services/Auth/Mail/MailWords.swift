// SPDX-License-Identifier: Apache-2.0
// What the pages to which letters lead say, and the problems around mail.

import WebPages

extension PageText {
    static let mail: [PageWords.Entry] = [
        ("forgotten", "Forgot your password?", "비밀번호를 잊으셨나요?", "パスワードをお忘れですか？"),
        (
            "forgotten_hint",
            "Tell us the address of your account, and you get a letter with a link that sets a new one.",
            "계정의 이메일 주소를 입력하시면 비밀번호를 다시 설정할 수 있는 링크를 보내 드립니다.",
            "アカウントのメールアドレスを入力すると、パスワードを再設定するリンクをお送りします。"
        ),
        ("send_letter", "Send me a letter", "메일 보내기", "メールを送る"),
        ("reset_asked_title", "Look into your mail", "메일을 확인해 주세요", "メールをご確認ください"),
        (
            "reset_asked",
            "If an account here has this address and a password, a letter is on its way. The link in it works for an hour.",
            "이 주소로 가입하고 비밀번호를 사용하는 계정이 있다면 메일이 발송됩니다. 메일의 링크는 한 시간 동안 사용할 수 있습니다.",
            "このアドレスとパスワードで登録されたアカウントがあれば、メールが届きます。リンクは1時間有効です。"
        ),
        ("set_password", "Set a new password", "새 비밀번호 설정", "新しいパスワードの設定"),
        ("new_password", "New password", "새 비밀번호", "新しいパスワード"),
        (
            "signs_out", "You will be signed out wherever you are signed in.", "로그인되어 있는 모든 기기에서 로그아웃됩니다.",
            "ログイン中のすべての端末からログアウトされます。"
        ),
        ("password_set_title", "Your password is set", "비밀번호가 설정되었습니다", "パスワードを設定しました"),
        (
            "password_set", "From now on you sign in with your new password.", "이제 새 비밀번호로 로그인해 주세요.",
            "これからは新しいパスワードでログインしてください。"
        ),
        ("link_over_title", "This link works no more", "더 이상 사용할 수 없는 링크입니다", "このリンクは使えません"),
        (
            "link_over", "It was used, is too old, or a newer letter has another one. Please ask for a new letter.",
            "이미 사용되었거나 기간이 지났거나 더 새로운 메일이 있습니다. 메일을 다시 요청해 주세요.",
            "使用済みか、期限切れか、より新しいメールがあります。もう一度メールをお求めください。"
        ),
        ("confirm_email", "Confirm your address", "이메일 주소 확인", "メールアドレスの確認"),
        ("confirm", "Confirm", "확인", "確認する"),
        ("email_confirmed_title", "Your address is confirmed", "이메일 주소가 확인되었습니다", "メールアドレスを確認しました"),
        (
            "email_confirmed", "You can sign in now, or go on in your app.", "이제 로그인하거나 앱에서 계속할 수 있습니다.",
            "これでログインするか、アプリで続けることができます。"
        ),
        (
            "confirmation_sent",
            "A letter is on its way to your address. Follow the link in it within a day; after that you can sign in.",
            "입력하신 주소로 메일을 보냈습니다. 하루 안에 메일의 링크를 열어 주소를 확인하면 로그인할 수 있습니다.",
            "入力されたアドレスにメールを送りました。1日以内にメールのリンクから確認すると、ログインできるようになります。"
        ),
        (
            "email_unconfirmed",
            "Your address waits to be confirmed: we have sent you a letter. Follow the link in it, then sign in.",
            "이메일 주소를 먼저 확인해야 합니다. 확인 메일을 보냈으니 메일의 링크를 연 뒤 로그인해 주세요.",
            "メールアドレスの確認が必要です。お送りしたメールのリンクから確認したあと、ログインしてください。"
        ),
        (
            "already_confirmed", "Your address need not be confirmed any more.", "이메일 주소가 이미 확인되었습니다.",
            "メールアドレスはすでに確認されています。"
        ),
        (
            "mail_off", "This server sends no mail. Please ask whoever runs it.", "이 서버는 메일을 보내지 않습니다. 운영자에게 문의해 주세요.",
            "このサーバーはメールを送信しません。運営者にお問い合わせください。"
        ),
    ]
}

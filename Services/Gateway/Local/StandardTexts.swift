// SPDX-License-Identifier: Apache-2.0
// The rules and the privacy policy of whoever has not written their own.

import Domain

enum StandardTexts {
    static let rules: [Language: String] = [
        .english: """
        Whoever has an account here agrees to these rules. Who breaks them may lose posts or \
        the account.

        - Be kind. No harassment, no threats, no hatred against anybody for who they are.
        - Nothing that is against the law, and nothing that sexualises children.
        - Respect the privacy of others: no addresses, pictures or messages of people who did \
        not agree.
        - No spam, no fraud, and do not pass yourself off as somebody else.
        - Put a warning before what not everybody wants to see.
        """,
        .korean: """
        이 서버에 가입하면 아래 규칙에 동의하는 것으로 봅니다. 규칙을 어기면 게시물이나 계정이 삭제될 수 있습니다.

        - 서로 존중해 주세요. 괴롭힘, 협박, 차별과 혐오는 허용하지 않습니다.
        - 법에 어긋나는 내용과 아동을 성적으로 다루는 내용은 올릴 수 없습니다.
        - 다른 사람의 개인정보를 지켜 주세요. 동의 없이 주소, 사진, 대화를 공개하지 마세요.
        - 스팸과 사기, 다른 사람을 사칭하는 행위를 하지 마세요.
        - 보고 싶지 않은 사람이 있을 수 있는 내용에는 주의 문구를 붙여 주세요.
        """,
        .japanese: """
        このサーバーに登録した方は、次のルールに同意したものとします。違反した場合、投稿やアカウントを削除することがあります。

        - 思いやりを持ってください。嫌がらせ、脅迫、差別や憎悪は認めません。
        - 法律に反する内容や、児童を性的に扱う内容を投稿しないでください。
        - 他の人のプライバシーを守ってください。同意なく住所、写真、会話を公開しないでください。
        - スパム、詐欺、なりすましをしないでください。
        - 見たくない人がいるかもしれない内容には、注意書きを付けてください。
        """,
    ]

    static let privacy: [Language: String] = [
        .english: """
        # What is stored
        Your username, your e-mail address, your password in a form from which nobody can read \
        it, your profile, and what \
        you write, like, follow and read here. For each session: the app, the device, and when \
        it was last used.

        The network address from which you signed up or signed in is kept for at most 400 days, \
        to stop abuse.

        # Who sees it
        Public posts are seen by everybody, also outside of this server. Other posts are seen \
        by those you chose. Direct \
        messages are not encrypted from end to end: whoever runs this server could read them. \
        Your e-mail address is shown \
        to nobody else. Nothing is sold, and there are no advertisements and no trackers.

        # Cookies
        There are cookies only on the pages for signing in, to keep you signed in and to \
        protect the forms.

        # Your choices
        You can change your profile, delete your posts, and end each session at any time. Ask \
        whoever runs this server for \
        a copy of your data or to delete your account.
        """,
        .korean: """
        # 저장하는 정보
        사용자 이름, 이메일 주소, 알아볼 수 없는 형태로 바꾼 비밀번호, 프로필, 그리고 여기에서 작성하거나 좋아하거나 팔로우하거나 읽은 기록을 저장합니다. \
        접속마다 사용한 앱과 기기, 마지막 사용 시각을 저장합니다.

        가입하거나 로그인한 네트워크 주소는 악용을 막기 위해 최대 400일 동안 보관합니다.

        # 정보를 볼 수 있는 사람
        공개 게시물은 이 서버 밖의 사람을 포함해 누구나 볼 수 있습니다. 다른 게시물은 선택한 사람만 볼 수 있습니다. 개인 메시지는 종단 간 암호화되지 않으므로 \
        \
        서버 운영자가 읽을 수 있습니다. 이메일 주소는 다른 사람에게 공개하지 않습니다. 정보를 판매하지 않으며 광고와 추적기가 없습니다.

        # 쿠키
        쿠키는 로그인 관련 페이지에서만 로그인 상태를 유지하고 양식을 보호하기 위해 사용합니다.

        # 선택할 수 있는 것
        언제든지 프로필을 바꾸고, 게시물을 삭제하고, 접속을 끊을 수 있습니다. 정보의 사본이나 계정 삭제는 서버 운영자에게 요청해 주세요.
        """,
        .japanese: """
        # 保存する情報
        ユーザー名、メールアドレス、読み取れない形にしたパスワード、プロフィール、ここで書いた内容、お気に入り、フォロー、既読の記録を保存します。\
        ログインごとに、使ったアプリと端末、最後に使った時刻を保存します。

        登録やログインに使われたネットワークアドレスは、不正利用を防ぐため最長400日間保存します。

        # 情報を見られる人
        公開の投稿は、このサーバーの外の人も含めて誰でも見られます。その他の投稿は、あなたが選んだ人だけが見られます。ダイレクトメッセージはエンドツーエンドで暗号化されないため、\
        サーバーの運営者が読める可能性があります。メールアドレスは他の人に公開されません。情報の販売、広告、トラッキングはありません。

        # Cookie
        Cookieはログイン関連のページだけで、ログイン状態の維持とフォームの保護のために使います。

        # あなたができること
        いつでもプロフィールの変更、投稿の削除、各ログインの終了ができます。情報の写しやアカウントの削除は、サーバーの運営者にご依頼ください。
        """,
    ]
}

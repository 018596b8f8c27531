// SPDX-License-Identifier: Apache-2.0
// The page behind the bare address, for whoever opens it in a browser.

import Domain

struct LandingPage {
    let site: Site
    let title: String
    let description: String
    let language: Language

    private struct Words {
        let about: String
        let signUp: String
        let signIn: String
        let apps: String
    }

    private var words: Words {
        switch language {
        case .english:
            Words(
                about: "A server for social apps, self-hosted with Madang.",
                signUp: "Sign up",
                signIn: "Sign in",
                apps: "Any app that speaks the Mastodon API works here. Server address:"
            )
        case .korean:
            Words(
                about: "마당으로 직접 운영하는 소셜 앱 서버입니다.",
                signUp: "회원 가입",
                signIn: "로그인",
                apps: "마스토돈 API를 쓰는 앱이면 무엇이든 쓸 수 있습니다. 서버 주소:"
            )
        case .japanese:
            Words(
                about: "Madang で自分たちで運営するソーシャルアプリのサーバーです。",
                signUp: "新規登録",
                signIn: "ログイン",
                apps: "Mastodon API に対応したアプリがそのまま使えます。サーバーのアドレス："
            )
        }
    }

    var html: String {
        let words = words
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(HTMLText.escaped(title))</title>
            </head>
            <body>
            <main>
            <h1>\(HTMLText.escaped(title))</h1>
            <p>\(HTMLText.escaped(description))</p>
            <p>\(words.about)</p>
            <p><a href="/auth/sign_up">\(words.signUp)</a> · <a href="/auth/sign_in">\(words.signIn)</a></p>
            <p>\(words.apps) <code>\(HTMLText.escaped(site.domain))</code></p>
            </main>
            </body>
            </html>

            """
    }
}

enum HTMLText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}

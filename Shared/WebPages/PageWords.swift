// SPDX-License-Identifier: Apache-2.0
// What pages say, in English, Korean and Japanese.

public import Domain

/// The words of a service's pages, with those that all pages have.
public struct PageWords: Sendable {
    public typealias Entry = (key: String, english: String, korean: String, japanese: String)

    private let tables: [Language: [String: String]]

    public init(_ entries: [Entry]) {
        var tables: [Language: [String: String]] = [.english: [:], .korean: [:], .japanese: [:]]
        for (key, english, korean, japanese) in PageWords.shared + PageWords.problems + entries {
            tables[.english]?[key] = english
            tables[.korean]?[key] = korean
            tables[.japanese]?[key] = japanese
        }
        self.tables = tables
    }

    public func text(_ key: String, _ language: Language) -> String { tables[language]?[key] ?? "" }

    public func all(_ language: Language) -> [String: String] { tables[language] ?? [:] }

    /// Every key, for a test that each language has it.
    public var keys: [Language: Set<String>] { tables.mapValues { Set($0.keys) } }

    private static let shared: [Entry] = [
        ("language", "English", "한국어", "日本語"),
        ("languages", "Languages", "언어", "言語"),
        ("start_page", "Go to the start page", "첫 화면으로 이동", "トップページへ"),
        ("rules", "Rules", "이용 규칙", "ルール"),
        ("privacy", "Privacy policy", "개인정보 처리방침", "プライバシーポリシー"),
        ("request", "Request", "요청 번호", "リクエスト番号"),
    ]

    /// Titles and what to do, by status; `_problem` is for what has no words of its own.
    private static let problems: [Entry] = [
        ("title_400", "This address cannot be read", "주소를 읽을 수 없습니다", "このアドレスは読み取れません"),
        (
            "advice_400", "Part of the address or of the form is wrong. Go back and try again.",
            "주소나 입력한 내용의 일부가 잘못되었습니다. 이전 화면으로 돌아가 다시 시도해 주세요.",
            "アドレスまたは入力内容の一部に誤りがあります。前のページに戻ってもう一度お試しください。"
        ),
        ("title_403", "This is not allowed", "허용되지 않습니다", "許可されていません"),
        (
            "advice_403", "Go back to the page you came from and try again.", "이전 화면으로 돌아가 다시 시도해 주세요.",
            "前のページに戻ってもう一度お試しください。"
        ),
        ("title_404", "There is nothing here", "페이지를 찾을 수 없습니다", "ページが見つかりません"),
        (
            "advice_404",
            "The address may be wrong, or what was here is deleted or not public. Check the address.",
            "주소가 잘못되었거나, 삭제되었거나, 공개되지 않은 내용입니다. 주소를 확인해 주세요.",
            "アドレスが間違っているか、削除されたか、公開されていない内容です。アドレスをご確認ください。"
        ),
        ("title_405", "This page cannot do that", "이 페이지에서는 할 수 없는 일입니다", "このページではできない操作です"),
        (
            "advice_405", "Go back to the page you came from and try again.", "이전 화면으로 돌아가 다시 시도해 주세요.",
            "前のページに戻ってもう一度お試しください。"
        ),
        ("title_429", "Too many requests", "요청이 너무 많습니다", "リクエストが多すぎます"),
        (
            "advice_429", "Wait a few minutes, then load this page again.", "몇 분 뒤에 이 페이지를 다시 열어 주세요.",
            "数分待ってから、このページを再読み込みしてください。"
        ),
        ("title_503", "Temporarily not available", "지금은 열 수 없습니다", "一時的に利用できません"),
        (
            "advice_503", "Wait a moment, then load this page again.", "잠시 뒤에 이 페이지를 다시 열어 주세요.",
            "しばらく待ってから、このページを再読み込みしてください。"
        ),
        ("title_problem", "Something went wrong", "문제가 발생했습니다", "問題が発生しました"),
        (
            "advice_problem",
            "Load this page again in a moment. If this goes on, tell whoever runs this server the number below.",
            "잠시 뒤에 이 페이지를 다시 열어 주세요. 계속되면 아래 번호를 서버 운영자에게 알려 주세요.",
            "しばらくしてから再読み込みしてください。続く場合は、下の番号をサーバーの運営者にお知らせください。"
        ),
    ]
}

// SPDX-License-Identifier: Apache-2.0
// What problems say, in English, Korean and Japanese.

import Domain

/// Title and detail of a kind of problem.
struct ProblemText: Sendable {
    private let titles: [Language: String]
    private let details: [Language: String]

    /// Each a pair of title and detail.
    init(en: (String, String), ko: (String, String), ja: (String, String)) {
        titles = [.english: en.0, .korean: ko.0, .japanese: ja.0]
        details = [.english: en.1, .korean: ko.1, .japanese: ja.1]
    }

    func title(in language: Language) -> String { titles[language] ?? "" }
    func detail(in language: Language) -> String { details[language] ?? "" }
}

/// The catalogue of problems and of what can be wrong with a field.
enum ProblemTexts {
    /// The text of a code; that of its status when the code has none.
    static func text(for code: String, status: Int) -> ProblemText {
        catalogue[code] ?? byStatus[status].flatMap { catalogue[$0] } ?? (status >= 500 ? fault : fallback)
    }

    static let codes = Set(catalogue.keys)
    static let fieldCodes = Set(fields.keys)

    private static let byStatus = [
        400: "bad-request", 401: "unauthorized", 403: "forbidden", 404: "not-found", 405: "method-not-allowed",
        408: "request-timeout", 409: "conflict", 413: "content-too-large", 414: "uri-too-long",
        415: "unsupported-media-type", 422: "invalid", 429: "too-many-requests", 500: "internal", 502: "bad-gateway",
        503: "unavailable", 504: "gateway-timeout",
    ]

    private static let fallback = ProblemText(
        en: ("Request refused", "The request was refused"),
        ko: ("요청 거부", "요청이 거부되었습니다"),
        ja: ("リクエスト拒否", "リクエストは拒否されました")
    )

    private static let fault = ProblemText(
        en: ("Internal error", "Something went wrong on our side"),
        ko: ("내부 오류", "서버에서 문제가 발생했습니다"),
        ja: ("内部エラー", "サーバーで問題が発生しました")
    )

    private static let catalogue: [String: ProblemText] = [
        "bad-request": ProblemText(
            en: ("Bad request", "The request cannot be read"),
            ko: ("잘못된 요청", "요청을 읽을 수 없습니다"),
            ja: ("不正なリクエスト", "リクエストを読み取れません")
        ),
        "unauthorized": ProblemText(
            en: ("Unauthorized", "The access token is invalid"),
            ko: ("인증 필요", "액세스 토큰이 유효하지 않습니다"),
            ja: ("認証が必要です", "アクセストークンが無効です")
        ),
        "forbidden": ProblemText(
            en: ("Forbidden", "This action is not allowed"),
            ko: ("권한 없음", "허용되지 않은 작업입니다"),
            ja: ("権限がありません", "この操作は許可されていません")
        ),
        "missing-scope": ProblemText(
            en: ("Missing scope", "This action is outside the authorized scopes"),
            ko: ("범위 부족", "승인된 범위를 벗어난 작업입니다"),
            ja: ("スコープ不足", "この操作は許可されたスコープの範囲外です")
        ),
        "account-required": ProblemText(
            en: ("Account required", "This method requires an authenticated user"),
            ko: ("계정 필요", "로그인한 사용자만 사용할 수 있습니다"),
            ja: ("アカウントが必要です", "この操作にはログインが必要です")
        ),
        "account-frozen": ProblemText(
            en: ("Account frozen", "This account may read, but change nothing"),
            ko: ("동결된 계정", "이 계정은 읽을 수만 있고 아무것도 바꿀 수 없습니다"),
            ja: ("凍結されたアカウント", "このアカウントは閲覧のみ可能で、変更はできません")
        ),
        "account-suspended": ProblemText(
            en: ("Account suspended", "This account is suspended"),
            ko: ("정지된 계정", "정지된 계정입니다"),
            ja: ("停止中のアカウント", "このアカウントは停止されています")
        ),
        "not-found": ProblemText(
            en: ("Not found", "Record not found"),
            ko: ("찾을 수 없음", "찾을 수 없습니다"),
            ja: ("見つかりません", "見つかりませんでした")
        ),
        "method-not-allowed": ProblemText(
            en: ("Method not allowed", "This method is not offered at this address"),
            ko: ("허용되지 않은 메서드", "이 주소에서 사용할 수 없는 메서드입니다"),
            ja: ("許可されていないメソッド", "このアドレスでは使えないメソッドです")
        ),
        "request-timeout": ProblemText(
            en: ("Request timeout", "The request took too long to arrive"),
            ko: ("요청 시간 초과", "요청이 너무 늦게 도착했습니다"),
            ja: ("リクエストタイムアウト", "リクエストの到着に時間がかかりすぎました")
        ),
        "gone": ProblemText(
            en: ("Gone", "It was deleted"),
            ko: ("삭제됨", "삭제되었습니다"),
            ja: ("削除済み", "削除されました")
        ),
        "outdated": ProblemText(
            en: ("Outdated", "It has changed since it was last read; read it again"),
            ko: ("오래된 내용", "마지막으로 읽은 뒤에 바뀌었습니다. 다시 읽어 주세요"),
            ja: ("古い内容", "最後に読み込んだ後に変更されています。読み込み直してください")
        ),
        "reset": ProblemText(
            en: ("Too long ago", "What has changed since then is no longer known; read everything again"),
            ko: ("너무 오래됨", "그 뒤에 바뀐 내용을 더 이상 알 수 없습니다. 처음부터 다시 읽어 주세요"),
            ja: ("古すぎます", "それ以降の変更内容はもう分かりません。最初から読み込み直してください")
        ),
        "conflict": ProblemText(
            en: ("Conflict", "The state has changed in the meantime"),
            ko: ("충돌", "그 사이에 상태가 변경되었습니다"),
            ja: ("競合", "その間に状態が変わりました")
        ),
        "content-too-large": ProblemText(
            en: ("Content too large", "The request is larger than allowed"),
            ko: ("요청이 너무 큼", "요청이 허용된 크기를 초과했습니다"),
            ja: ("リクエストが大きすぎます", "リクエストが許可されたサイズを超えています")
        ),
        "uri-too-long": ProblemText(
            en: ("Address too long", "The address is longer than allowed"),
            ko: ("주소가 너무 김", "주소가 허용된 길이를 초과했습니다"),
            ja: ("アドレスが長すぎます", "アドレスが許可された長さを超えています")
        ),
        "unsupported-media-type": ProblemText(
            en: ("Unsupported media type", "The content type is not understood here"),
            ko: ("지원하지 않는 형식", "지원하지 않는 콘텐츠 형식입니다"),
            ja: ("サポートされていない形式", "サポートされていないコンテンツ形式です")
        ),
        "invalid": ProblemText(
            en: ("Validation failed", "Validation failed"),
            ko: ("검증 실패", "입력값이 올바르지 않습니다"),
            ja: ("検証に失敗しました", "入力内容に誤りがあります")
        ),
        "too-many-requests": ProblemText(
            en: ("Too many requests", "Too many requests, try again later"),
            ko: ("요청이 너무 많음", "요청이 너무 많습니다. 잠시 후 다시 시도하세요"),
            ja: ("リクエストが多すぎます", "リクエストが多すぎます。しばらくしてから再試行してください")
        ),
        "internal": fault,
        "bad-gateway": ProblemText(
            en: ("Bad gateway", "A part of the system did not answer"),
            ko: ("게이트웨이 오류", "시스템 일부가 응답하지 않았습니다"),
            ja: ("ゲートウェイエラー", "システムの一部が応答しませんでした")
        ),
        "unavailable": ProblemText(
            en: ("Temporarily unavailable", "Temporarily unavailable, try again shortly"),
            ko: ("일시적으로 사용할 수 없음", "일시적으로 사용할 수 없습니다. 잠시 후 다시 시도하세요"),
            ja: ("一時的に利用できません", "一時的に利用できません。しばらくしてから再試行してください")
        ),
        "gateway-timeout": ProblemText(
            en: ("Gateway timeout", "A part of the system took too long to answer"),
            ko: ("게이트웨이 시간 초과", "시스템 일부의 응답이 너무 늦었습니다"),
            ja: ("ゲートウェイタイムアウト", "システムの一部の応答に時間がかかりすぎました")
        ),
    ]

    // MARK: Fields

    private static let fields: [String: [Language: String]] = [
        "taken": [.english: "has already been taken", .korean: "이미 사용 중입니다", .japanese: "はすでに使われています"],
        "blank": [.english: "can't be blank", .korean: "비워 둘 수 없습니다", .japanese: "を入力してください"],
        "too_long": [.english: "is too long", .korean: "너무 깁니다", .japanese: "が長すぎます"],
        "too_short": [.english: "is too short", .korean: "너무 짧습니다", .japanese: "が短すぎます"],
        "too_many": [.english: "has too many entries", .korean: "항목이 너무 많습니다", .japanese: "が多すぎます"],
        "invalid": [.english: "is invalid", .korean: "올바르지 않습니다", .japanese: "は不正な値です"],
        "reserved": [.english: "is reserved", .korean: "예약된 값입니다", .japanese: "は予約されています"],
        "accepted": [.english: "must be accepted", .korean: "동의가 필요합니다", .japanese: "への同意が必要です"],
        "blocked": [.english: "is not allowed", .korean: "허용되지 않습니다", .japanese: "は許可されていません"],
        "unreachable": [
            .english: "does not seem to exist", .korean: "존재하지 않는 것 같습니다", .japanese: "は存在しないようです",
        ],
        "inclusion": [.english: "is not included in the list", .korean: "허용된 값이 아닙니다", .japanese: "は一覧にありません"],
        "compromised": [
            .english: "is too easy to guess", .korean: "너무 쉽게 추측할 수 있습니다", .japanese: "は推測されやすい値です",
        ],
    ]

    /// What is wrong with a field, without its name.
    static func description(of code: String, in language: Language) -> String {
        let texts = fields[code] ?? fields["invalid"] ?? [:]
        return texts[language] ?? ""
    }

    /// `Username has already been taken`.
    static func sentence(about field: String, code: String, in language: Language) -> String {
        let description = description(of: code, in: language)
        switch language {
        case .english:
            let name = field.split(separator: "_").joined(separator: " ")
            return "\(name.prefix(1).uppercased())\(name.dropFirst()) \(description)"
        case .korean: return "\(field) \(description)"
        case .japanese: return "\(field)\(description)"
        }
    }

    /// The Mastodon API's name for it, such as `ERR_TAKEN`.
    static func registrationCode(_ code: String) -> String { "ERR_\(code.uppercased())" }
}

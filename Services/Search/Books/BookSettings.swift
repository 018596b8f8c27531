// SPDX-License-Identifier: Apache-2.0
// Which sources of books are asked, and how long what they tell is kept.

import Domain
import Outbound
import ServiceKit

struct BookSettings: Sendable {
    /// In the order in which their word counts; none asks nobody.
    var sources: [any BookSource] = []
    /// How long an answer is new.
    var fresh = Duration.seconds(24 * 3600)
    /// How long what was told is the catalogue where nobody answers.
    var kept = Duration.seconds(30 * 86_400)
    /// How many answers and how many books are kept, at most.
    var answers = 200_000
    var books = 1_000_000
}

extension BookSettings {
    /// Those sources are asked that the operator named: Naver and Kakao by their keys, the others by being turned on.
    init(_ settings: inout Settings) {
        self.init()
        let naver = BookSettings.naver(&settings)
        let kakao = BookSettings.kakao(&settings)
        let google = BookSettings.google(&settings)
        let openLibrary = BookSettings.openLibrary(&settings)
        sources = [naver, kakao, google, openLibrary].compactMap { $0 }
        fresh = .seconds(
            3600
                * settings.integer(
                    "MADANG_BOOKS_FRESH_HOURS",
                    default: 24,
                    in: 1...720,
                    meaning: "hours for which an answer of a source of books is not asked for again"
                )
        )
        let days = settings.integer(
            "MADANG_BOOKS_KEPT_DAYS",
            default: 30,
            in: 1...365,
            meaning: "days for which what sources told of books is kept, for when they do not answer"
        )
        kept = max(fresh, .seconds(86_400 * days))
    }

    private static func naver(_ settings: inout Settings) -> (any BookSource)? {
        let id = key(
            &settings,
            "MADANG_NAVER_BOOKS_ID",
            meaning: "the client id with which Naver is asked for books; with its secret it turns Naver on"
        )
        let secret = settings.parsed(
            "MADANG_NAVER_BOOKS_SECRET",
            default: "none",
            secret: true,
            expected:
                "a key of 4 to 200 letters, digits, hyphens and underscores beside MADANG_NAVER_BOOKS_ID, or none",
            meaning: "the secret of the client that Naver knows",
            parse: { ($0 == "none") == (id == nil) && ($0 == "none" || isKey($0)) ? $0 : nil }
        )
        let access = access(&settings, "NAVER_BOOKS", "Naver", "https://openapi.naver.com", daily: 20_000)
        guard let id, let secret, secret != "none", let access else { return nil }
        return NaverBooks(id: id, secret: secret, access: access)
    }

    private static func kakao(_ settings: inout Settings) -> (any BookSource)? {
        let key = key(
            &settings,
            "MADANG_KAKAO_BOOKS_KEY",
            meaning: "the REST key with which Kakao is asked for books; it turns Kakao on"
        )
        let access = access(&settings, "KAKAO_BOOKS", "Kakao", "https://dapi.kakao.com", daily: 20_000)
        guard let key, let access else { return nil }
        return KakaoBooks(key: key, access: access)
    }

    private static func google(_ settings: inout Settings) -> (any BookSource)? {
        let isOn = settings.boolean(
            "MADANG_GOOGLE_BOOKS",
            default: false,
            meaning: "whether Google Books is asked for books; it learns what people look for, not who"
        )
        let key = key(
            &settings,
            "MADANG_GOOGLE_BOOKS_KEY",
            meaning: "the key with which Google Books is asked, which it answers more often with"
        )
        let access = access(&settings, "GOOGLE_BOOKS", "Google Books", "https://www.googleapis.com", daily: 1000)
        guard isOn, let access else { return nil }
        return GoogleBooks(key: key, access: access)
    }

    private static func openLibrary(_ settings: inout Settings) -> (any BookSource)? {
        let isOn = settings.boolean(
            "MADANG_OPEN_LIBRARY",
            default: false,
            meaning: "whether Open Library is asked for books; it learns what people look for, not who"
        )
        let access = access(&settings, "OPEN_LIBRARY", "Open Library", "https://openlibrary.org", daily: 5000)
        guard isOn, let access else { return nil }
        return OpenLibraryBooks(access: access)
    }

    /// Nil for none.
    private static func key(_ settings: inout Settings, _ name: String, meaning: String) -> String? {
        let key = settings.parsed(
            name,
            default: "none",
            secret: true,
            expected: "none, or 4 to 200 letters, digits, hyphens and underscores",
            meaning: meaning,
            parse: { $0 == "none" || isKey($0) ? $0 : nil }
        )
        return key == "none" ? nil : key
    }

    private static func access(
        _ settings: inout Settings,
        _ name: String,
        _ title: String,
        _ address: String,
        daily: Int
    ) -> BookAccess? {
        let server = settings.parsed(
            "MADANG_\(name)_URL",
            default: address,
            expected: "http or https, a host and perhaps a port",
            meaning: "where \(title) is asked for books, such as an operator's own proxy",
            parse: ServerAddress.init
        )
        let daily = settings.integer(
            "MADANG_\(name)_DAILY",
            default: daily,
            in: 1...10_000_000,
            meaning: "how often all processes together ask \(title) on a day of UTC, at most"
        )
        return server.map { BookAccess(server: $0, daily: daily) }
    }

    private static func isKey(_ text: String) -> Bool {
        (4...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Answers in GIPHY's form, and what is read of a request for one.

import Domain
import HTTPTypes
import Views
import Web

/// `data`, `pagination` and `meta` (https://developers.giphy.com/docs/api/schema/).
enum GifAnswer {
    /// - Parameter part: that `page` is of all.
    static func page(_ page: FoundGifs, _ part: GifPart, _ request: Request, _ dependencies: Dependencies) -> Answer {
        list(page.gifs, total: page.total, offset: part.offset, request, dependencies)
    }

    /// The same of one's own catalogue alone.
    static func page(_ page: GifPage, _ part: GifPart, _ request: Request, _ dependencies: Dependencies) -> Answer {
        list(page.gifs.map(FoundGif.own), total: page.total, offset: part.offset, request, dependencies)
    }

    /// What is not paged.
    static func all(_ gifs: [FoundGif], _ request: Request, _ dependencies: Dependencies) -> Answer {
        list(gifs, total: gifs.count, offset: 0, request, dependencies)
    }

    private static func list(
        _ gifs: [FoundGif],
        total: Int,
        offset: Int,
        _ request: Request,
        _ dependencies: Dependencies
    ) -> Answer {
        answer(request, total: total, count: gifs.count, offset: offset) { json in
            json.array(gifs.map { FoundGifView(gif: $0, site: dependencies.site) })
        }
    }

    /// - Parameter gif: nil where nothing was found: then `data` is an empty list, as GIPHY has it.
    static func one(
        _ gif: FoundGif?,
        isDrawn: Bool = false,
        _ request: Request,
        _ dependencies: Dependencies
    ) -> Answer {
        answer(request) { json in
            if let gif {
                FoundGifView(gif: gif, site: dependencies.site, isDrawn: isDrawn).write(to: &json)
            } else {
                json.array { _ in }
            }
        }
    }

    /// A list of other things.
    static func list<Element>(
        _ elements: [Element],
        _ request: Request,
        _ write: (inout JSONWriter, Element) -> Void
    ) -> Answer {
        answer(request, total: elements.count, count: elements.count, offset: 0) { json in
            json.array { json in for element in elements { write(&json, element) } }
        }
    }

    private static func answer(
        _ request: Request,
        total: Int? = nil,
        count: Int = 0,
        offset: Int = 0,
        _ data: (inout JSONWriter) -> Void
    ) -> Answer {
        .json { json in
            json.name("data")
            data(&json)
            if let total {
                json.object("pagination") { json in
                    json.member("total_count", total)
                    json.member("count", count)
                    json.member("offset", offset)
                }
            }
            json.object("meta") { json in
                json.member("status", 200)
                json.member("msg", "OK")
                json.member("response_id", request.requestID)
            }
        }
    }
}

/// What is asked of the catalogue.
struct GifRequest {
    private let parameters: Parameters
    let kind: GifKind
    let rating: GifRating

    /// Throws what somebody is told who has neither an account nor a key where keys are asked for (401, 403), or asks for what
    /// there is not (400).
    init(_ request: Request, _ dependencies: Dependencies) throws {
        parameters = try request.parameters()
        if !dependencies.gifs.keys.isEmpty, request.principal == nil {
            guard let key = try parameters.string("api_key"), !key.isEmpty else { throw Problem.unauthorized }
            guard dependencies.gifs.keys.contains(key) else { throw Problem.forbidden }
        }
        guard let kind = GifKind(try parameters.string("kind") ?? "gif") else { throw Problem.badRequest("kind") }
        self.kind = kind
        let rating = try parameters.string("rating") ?? ""
        guard let rating = rating.isEmpty ? .r : GifRating(rating) else { throw Problem.badRequest("rating") }
        self.rating = rating
    }

    func text(_ name: String) throws -> String? { try parameters.string(name) }

    /// A text that must be there (400) and may have 50 characters (414).
    func words(_ name: String) throws -> String {
        guard let text = try parameters.string(name), text.contains(where: { !$0.isWhitespace }) else {
            throw Problem.badRequest(name)
        }
        guard text.unicodeScalars.count <= GifLimits.query else {
            throw Problem.own(
                .uriTooLong,
                "query-too-long",
                english: "What is looked for has more than 50 characters",
                korean: "검색어는 50자를 넘을 수 없습니다",
                japanese: "検索語は50文字までです"
            )
        }
        return text
    }

    /// As GIPHY has it, what cannot be is moved to where it can, and what cannot be read is not there.
    var part: GifPart { GifPart(offset: number("offset", 0...4999, 0), limit: number("limit", 1...GifLimits.page, 25)) }

    func number(_ name: String, _ range: ClosedRange<Int>, _ usual: Int) -> Int {
        guard let number = try? parameters.integer(name) else { return usual }
        return min(max(Int(clamping: number), range.lowerBound), range.upperBound)
    }

    /// Of those who look, where they say it: `ko`, `zh-CN`.
    var language: String? {
        guard let text = try? parameters.string("lang"), GifText.isLanguage(text) else { return nil }
        let parts = text.split(separator: "-")
        return (parts.prefix(1).map { $0.lowercased() } + parts.dropFirst().map { $0.uppercased() })
            .joined(separator: "-")
    }

    /// `a,b` as ids; what is none names nothing.
    func ids() throws -> [GifID] {
        guard let text = try parameters.string("ids"), !text.isEmpty else { throw Problem.badRequest("ids") }
        let ids = text.split(separator: ",")
        guard ids.count <= GifLimits.ids else { throw Problem.badRequest("ids") }
        return ids.compactMap { GifID(String($0.drop { $0 == " " })) }
    }
}

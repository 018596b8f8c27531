// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/categories, …/:category and …/:category/:subcategory.

import Domain
import Views
import Web

enum GifCategories {
    /// Each with its parts and a GIF that shows it.
    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let all = try await GifSearchStore.categories(asked.kind, asked.rating, in: dependencies.database)
        var groups: [[GifCategory]] = []
        for one in all {
            if groups.last?.first?.category == one.category {
                groups[groups.count - 1].append(one)
            } else {
                groups.append([one])
            }
        }
        let shown = groups.dropFirst(asked.number("offset", 0...4999, 0)).prefix(asked.number("limit", 1...1000, 1000))
        let gifs = try await examples(shown.compactMap(\.first), dependencies)
        return GifAnswer.list(Array(shown), request) { json, group in
            guard let first = group.first else { return }
            json.object { json in
                write(first.category, to: &json)
                json.array("subcategories", group.filter { !$0.subcategory.isEmpty }) { json, part in
                    write(part.subcategory, to: &json)
                }
                json.member("gif", gifs[first.example])
            }
        }
    }

    /// The parts of one.
    @Sendable static func subcategories(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let name = request.pathParameters["category"] ?? ""
        let all = try await GifSearchStore.categories(asked.kind, asked.rating, in: dependencies.database)
        let own = all.filter { encoded($0.category) == encoded(name) }
        guard !own.isEmpty else { throw Problem.notFound }
        let parts = own.filter { !$0.subcategory.isEmpty }
        let gifs = try await examples(parts, dependencies)
        return GifAnswer.list(parts, request) { json, part in
            json.object { json in
                write(part.subcategory, to: &json)
                json.member("gif", gifs[part.example])
            }
        }
    }

    /// What is in a part of one.
    @Sendable static func gifs(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let names = (request.pathParameters["category"] ?? "", request.pathParameters["subcategory"] ?? "")
        let all = try await GifSearchStore.categories(asked.kind, asked.rating, in: dependencies.database)
        let place = all.first {
            encoded($0.category) == encoded(names.0) && encoded($0.subcategory) == encoded(names.1)
        }
        let (found, part) = (try place.found(), asked.part)
        let page = try await GifSearchStore.category(
            found.category,
            found.subcategory,
            asked.kind,
            asked.rating,
            part,
            in: dependencies.database
        )
        return GifAnswer.page(page, part, request, dependencies)
    }

    private static func examples(_ categories: [GifCategory], _ dependencies: Dependencies) async throws
        -> [MediaID: GifView]
    {
        let gifs = try await GifStore.gifs(categories.map(\.example), in: dependencies.database)
        return Dictionary(gifs.map { ($0.id, GifView(gif: $0, site: dependencies.site)) }) { first, _ in first }
    }

    private static func write(_ name: String, to json: inout JSONWriter) {
        json.member("name", name)
        json.member("name_encoded", encoded(name))
    }

    /// As a part of an address: `Film & TV` is `film-tv`.
    private static func encoded(_ name: String) -> String {
        GifText.folded(name).split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}

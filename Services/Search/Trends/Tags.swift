// SPDX-License-Identifier: Apache-2.0
// Hashtags as clients see them.

import Domain
import Postgres
import Views

/// Mastodon's `Tag` and what it shares with its `PreviewCard`: how often something was used, by day, today first.
struct History: View {
    private let days: [DayOfUse]
    private let today: Int

    /// - Parameter days: of one thing; a day that is missing has none.
    init(_ days: [DayOfUse], today: Int) {
        self.days = days
        self.today = today
    }

    func write(to json: inout JSONWriter) {
        json.array { json in
            for day in (0..<Trends.days).map({ today - $0 }) {
                let use = days.first { $0.day == day }
                json.object { json in
                    json.member("day", String(day * 86_400))
                    json.member("accounts", String(use?.accounts ?? 0))
                    json.member("uses", String(use?.uses ?? 0))
                }
            }
        }
    }
}

struct TagView: View {
    let id: Int64
    let name: String
    let site: Site
    let history: History

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", String(id))
            json.member("name", name)
            json.member("url", site.tag(name.percentEncoded))
            json.member("history", history)
            json.member("following", false)
        }
    }
}

enum Tags {
    /// These hashtags, in this order; without one that is unknown.
    static func views(_ ids: [Int64], _ dependencies: Dependencies) async throws -> [TagView] {
        guard !ids.isEmpty else { return [] }
        let names = try await DocumentStore.texts(of: ids, .hashtag, in: dependencies.bounded)
        let history = try await Histories(of: ids, .hashtag, dependencies)
        return ids.compactMap { id in
            names[id].map { TagView(id: id, name: $0, site: dependencies.site, history: history[id]) }
        }
    }
}

/// The last days of several things.
struct Histories: Sendable {
    private let days: [Int64: [DayOfUse]]
    private let today: Int

    init(of ids: [Int64], _ thing: Thing, _ dependencies: Dependencies) async throws {
        today = Int(dependencies.now().milliseconds / 86_400_000)
        let first = PostID(Int64(today - Trends.days + 1) * 86_400_000 << 16)
        days = Dictionary(
            grouping: try await UseStore.history(of: ids, thing, since: first, in: dependencies.bounded),
            by: \.id
        )
    }

    subscript(_ id: Int64) -> History { History(days[id] ?? [], today: today) }
}

// SPDX-License-Identifier: Apache-2.0
// S3 from event to answer: whatever happens, in whatever order it is heard of, everybody finds what a model says they may, and
// nothing tells of the rest.

import Domain
import Events
import Support
import Testing

@testable import SearchService

@Suite struct TownTests {
    private static let kinds: [SearchKind] = [
        .post, .message, .account, .channel, .playground, .project, .reading, .book,
    ]

    /// What is asked, and whether a thing is meant by it, if it may be found.
    private static let questions: [(text: String, isMeant: @Sendable (TownThing, Int64) -> Bool)] = [
        ("마당 ", { _, _ in true }),
        ("독서 ", { thing, _ in thing.text.contains("독서") }),
        ("마당 -독서 ", { thing, _ in !thing.text.contains("독서") }),
        (
            "from:p2 ",
            { thing, _ in thing.author == 2 && ![.channel, .playground, .book].contains(thing.kind) }
        ),
        ("마당 from:me ", { thing, viewer in thing.author == viewer && viewer != 0 }),
    ]

    @Test(arguments: TestSeed.list([21, 22])) func `everybody finds what they may and nobody anything else`(
        seed: UInt64
    ) async throws {
        var chance = TestSeed(seed)
        let model = TownModel(&chance, length: 160)
        let batches = Self.batches(model.told, &chance)
        let things = model.things
        try await SearchWorld.run { world in
            for batch in batches { try await world.tell(batch) }
            for viewer in [Int64(0), 1, 2, 3, 4, 5, 6, 9] {
                let may = things.filter { $0.readers.contains(viewer) }
                for kind in Self.kinds {
                    for (text, isMeant) in Self.questions {
                        let known = may.filter { $0.kind == kind && isMeant($0, viewer) }
                        let found = try await Self.pages(text, kind, viewer, world).flatMap(\.ids)
                        #expect(Set(found).count == found.count, "a page shows what another showed")
                        #expect(
                            Set(found) == Set(known.map(\.id)),
                            "seed \(seed): \(kind) for \(viewer) by \(text)"
                        )
                    }
                }
                for (kind, name) in [
                    (SearchKind.account, "마당"), (.channel, "마당"), (.playground, "마당"), (.hashtag, "tag"),
                    (.project, "마당"), (.reading, "ㅁㄷㅊ"), (.book, "마당책"),
                ] {
                    let known = may.filter { $0.kind == kind }.map(\.id)
                    let request = NameRequest(name, [kind], viewer: Self.account(viewer), limit: 300)
                    let named = try await world.dependencies.index.complete(request).map(\.id)
                    #expect(named.sorted() == known.sorted(), "seed \(seed): \(kind) called so for \(viewer)")
                }
            }
        }
    }

    @Test(arguments: TestSeed.list([31])) func `pages and cursors are as if what one may not find had never been`(
        seed: UInt64
    ) async throws {
        var chance = TestSeed(seed)
        let model = TownModel(&chance, length: 240)
        let viewer: Int64 = 2
        let hidden = Set(
            model.things.filter { !$0.readers.contains(viewer) && [.post, .message].contains($0.kind) }.map(\.id)
        )
        #expect(hidden.count > 10)
        let rest = model.told.filter { event in !(Self.subject(of: event).map(hidden.contains) ?? false) }
        #expect(rest.count < model.told.count)
        func answers(_ events: [any Event]) async throws -> [String] {
            try await SearchWorld.run { world in
                for event in events { try await world.tell(event) }
                var answers: [String] = []
                for kind in [SearchKind.post, .message] {
                    for (text, _) in Self.questions {
                        for order in [SearchOrder.newest, .relevance] {
                            let pages = try await Self.pages(text, kind, viewer, world, limit: 2, order: order)
                            // A score is of the moment at which it was asked.
                            answers += pages.map { page in
                                let cursor =
                                    order == .newest ? page.next.map { "\($0)" } : page.next.map { "\($0.ceiling)" }
                                return "\(text)\(kind) \(page.ids) \(cursor ?? "end") \(page.isCut)"
                            }
                        }
                    }
                }
                return answers
            }
        }
        let (all, without) = (try await answers(model.told), try await answers(rest))
        #expect(all.count > 4 * Self.questions.count, "no list has a second page")
        #expect(all == without, "seed \(seed)")
    }

    /// The post or message of an event.
    private static func subject(of event: any Event) -> Int64? {
        switch event {
        case let event as PostCreated: event.post.id.rawValue
        case let event as PostEdited: event.post.id.rawValue
        case let event as MessageSent: event.message.id.rawValue
        default: nil
        }
    }

    private static func account(_ viewer: Int64) -> AccountID? { viewer == 0 ? nil : AccountID(viewer) }

    private struct Page: Sendable {
        let ids: [Int64]
        let next: SearchCursor?
        let isCut: Bool
    }

    private static func pages(
        _ text: String,
        _ kind: SearchKind,
        _ viewer: Int64,
        _ world: SearchWorld,
        limit: Int = 7,
        order: SearchOrder = .newest
    ) async throws -> [Page] {
        var request = SearchRequest(kind, SearchQuery(text), viewer: account(viewer))
        (request.order, request.limit) = (order, limit)
        var pages: [Page] = []
        repeat {
            let page = try await world.dependencies.index.find(request)
            pages.append(Page(ids: page.hits.map(\.id), next: page.next, isCut: page.isCut))
            request.cursor = page.next
        } while request.cursor != nil && pages.count < 100
        return pages
    }

    /// All of it in another order, some twice, in parts of some.
    private static func batches(_ events: [any Event], _ chance: inout TestSeed) -> [[Told]] {
        let told = events.map { SearchWorld.told($0) }
        let again = told.indices.filter { _ in chance.chance(1, in: 6) }.map { told[$0] }
        var (rest, batches) = ((told + again).shuffled(using: &chance)[...], [[Told]]())
        while !rest.isEmpty {
            let size = Int.random(in: 1...30, using: &chance)
            batches.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return batches
    }
}

// SPDX-License-Identifier: Apache-2.0
// S3 through search: what is found is what a naive model of the rules says, in worlds made by chance.

import Domain
import Postgres
import Support
import Testing

@testable import SearchService

@Suite struct VisibilityTests {
    @Test(arguments: TestSeed.list([7])) func `nobody finds more than they may see, and nothing less`(seed: UInt64)
        async throws
    {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            for round in 0..<4 {
                var chance = TestSeed(seed &+ UInt64(round))
                let world = World(&chance)
                try await world.tell(to: database, &chance)
                try await expect(world, in: database, "\(seed) round \(round)")
            }
        }
    }

    private func expect(_ world: World, in database: Database, _ name: String) async throws {
        // Others of an earlier round may be found as well.
        let here = Set(world.documents.map(\.id))
        let index = PostgresIndex(database, segmentSize: 20, patience: .seconds(30))
        for viewer in world.people.map(\.id).map(Optional.some) + [nil, AccountID(999_999)] {
            for kind in [SearchKind.post, .message, .account] {
                var request = SearchRequest(kind, SearchQuery("마당 "), viewer: viewer)
                request.limit = 80
                let known = Set(world.documents.filter { $0.kind == kind && world.mayFind($0, viewer) }.map(\.id))
                var found: Set<Int64> = []
                var pages = 0
                repeat {
                    let page = try await index.find(request)
                    #expect(found.isDisjoint(with: page.hits.map(\.id)), "a page shows what another showed")
                    found.formUnion(page.hits.map(\.id))
                    request.cursor = page.next
                    pages += 1
                } while request.cursor != nil && pages < 50
                #expect(
                    found.intersection(here) == known,
                    "\(name): \(kind) for \(viewer.map(\.description) ?? "nobody")"
                )
            }
            let names = try await index.complete(NameRequest("사람", [.account], viewer: viewer, limit: 80))
            #expect(
                Set(names.map(\.id)).intersection(here)
                    == Set(world.documents.filter { $0.kind == .account && world.mayFind($0, viewer) }.map(\.id)),
                "\(name)"
            )
        }
    }
}

/// People, what they wrote, and the rules in the plainest words.
private struct World: Sendable {
    var people: [Person] = []
    var ties: [Tie] = []
    var memberships: [Membership] = []
    var documents: [SearchDocument] = []

    init(_ chance: inout TestSeed) {
        // Every world has ids of its own, so that several fit in one database.
        let base = Int64(chance.next() >> 20) << 4
        for number in 1...9 {
            people.append(
                Person(
                    id: AccountID(base + Int64(number)),
                    version: 5,
                    handle: "p\(number)",
                    isIndexable: Bool.random(using: &chance),
                    isGone: Int.random(in: 0..<6, using: &chance) == 0
                )
            )
        }
        for one in people {
            for other in people where one.id != other.id {
                if Int.random(in: 0..<3, using: &chance) == 0 {
                    ties.append(
                        Tie(
                            .follow,
                            by: one.id,
                            of: other.id,
                            version: 5,
                            isActive: Int.random(in: 0..<4, using: &chance) > 0
                        )
                    )
                }
                if Int.random(in: 0..<8, using: &chance) == 0 {
                    ties.append(
                        Tie(
                            .block,
                            by: one.id,
                            of: other.id,
                            version: 5,
                            isActive: Int.random(in: 0..<4, using: &chance) > 0
                        )
                    )
                }
            }
            for place in [base + 101, base + 102, base + 103] where Bool.random(using: &chance) {
                memberships.append(
                    Membership(of: one.id, in: place, version: 5, isActive: Int.random(in: 0..<4, using: &chance) > 0)
                )
            }
            documents.append(
                SearchDocument(
                    kind: .account,
                    id: one.id.rawValue,
                    version: 1,
                    author: one.id,
                    names: ["사람 \(one.handle)"],
                    text: "마당 사람 \(one.handle)"
                )
            )
        }
        for number in 0..<60 {
            guard let author = people.randomElement(using: &chance) else { continue }
            let isMessage = Bool.random(using: &chance)
            let named = people.filter { _ in Int.random(in: 0..<6, using: &chance) == 0 }.map(\.id)
            documents.append(
                SearchDocument(
                    kind: isMessage ? .message : .post,
                    id: base + 1000 + Int64(number),
                    version: 3,
                    author: author.id,
                    audience: isMessage
                        ? .members : [.public, .unlisted, .followers, .named].randomElement(using: &chance) ?? .public,
                    place: isMessage ? base + 101 + Int64.random(in: 0..<3, using: &chance) : nil,
                    people: named,
                    text: "마당 이야기 \(number)"
                )
            )
        }
    }

    func mayFind(_ document: SearchDocument, _ viewer: AccountID?) -> Bool {
        guard let author = people.first(where: { $0.id == document.author }), !author.isGone else { return false }
        func has(_ kind: Tie.Kind, _ one: AccountID?, _ other: AccountID?) -> Bool {
            ties.contains { $0.kind == kind && $0.account == one && $0.target == other && $0.isActive }
        }
        if has(.block, viewer, author.id) || has(.block, author.id, viewer) { return false }
        if document.audience == .everyone { return true }
        if document.audience == .members {
            return memberships.contains { $0.account == viewer && $0.place == document.place && $0.isActive }
        }
        if document.audience == .public, author.isIndexable { return true }
        if viewer == author.id || viewer.map(document.people.contains) == true { return true }
        return document.audience == .followers && has(.follow, viewer, author.id)
    }

    /// In an order of chance, some of it twice, older words of it among them.
    func tell(to database: Database, _ chance: inout TestSeed) async throws {
        let index = PostgresIndex(database, segmentSize: 20)
        var steps: [@Sendable () async throws -> Void] = []
        for people in [people, people.map { old($0) }] {
            steps.append { try await database.transaction { PeopleStore.keep(people, in: $0) } }
        }
        for ties in [ties, ties.map { old($0) }] {
            steps.append { try await database.transaction { PeopleStore.keep(ties, in: $0) } }
        }
        for memberships in [memberships, memberships.map { old($0) }] {
            steps.append { try await database.transaction { PeopleStore.keep(memberships, in: $0) } }
        }
        for some in [documents, documents.map { old($0) }, Array(documents.prefix(20))] {
            let shuffled = some.shuffled(using: &chance)
            let middle = shuffled.count / 2
            for part in [shuffled[..<middle], shuffled[middle...]] { steps.append { try await index.put(Array(part)) } }
        }
        for step in steps.shuffled(using: &chance) { try await step() }
    }

    private func old(_ person: Person) -> Person {
        var person = person
        person.version = 2
        person.isIndexable.toggle()
        person.isGone.toggle()
        return person
    }

    private func old(_ tie: Tie) -> Tie {
        var tie = tie
        tie.version = 2
        tie.isActive.toggle()
        return tie
    }

    private func old(_ membership: Membership) -> Membership {
        var membership = membership
        membership.version = 2
        membership.isActive.toggle()
        return membership
    }

    private func old(_ document: SearchDocument) -> SearchDocument {
        var document = document
        document.version -= 1
        document.audience = .everyone
        document.text = "마당 옛말"
        return document
    }
}

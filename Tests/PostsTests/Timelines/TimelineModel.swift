// SPDX-License-Identifier: Apache-2.0
// A few people who do everything that moves home timelines, and a naive account of what must stand in these.

import Domain
import Events
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

/// What somebody wrote or boosted, as a reader of the specification would note it down.
private struct Entry {
    let id: Int64
    let author: Int
    var boostOf: Int64?
    var visibility = "public"
    var named: Set<Int> = []
    var answers: Int?
    var isGone = false
}

/// Carries out random acts by the API and keeps, apart from any SQL, who must have what.
struct TimelineModel {
    private struct Way: Hashable {
        let from: Int
        let to: Int
    }

    let world: GraphWorld
    let people: [Person]
    private var entries: [Int64: Entry] = [:]
    private var follows: Set<Way> = []
    private var blocks: Set<Way> = []
    private var mutes: Set<Way> = []
    /// By reader, when every event is handled right after its act.
    private var rows: [Set<Int64>]

    init(_ world: GraphWorld, people count: Int) async throws {
        self.world = world
        var people: [Person] = []
        for number in 0..<count { people.append(try await world.person("p\(number)")) }
        self.people = people
        rows = Array(repeating: [], count: count)
    }

    // MARK: What must be

    /// The rows of all timelines when every event was handled after the last act.
    func timelines() -> [[Int64]] {
        written { reader in
            entries.values.filter { !isGone($0) && ($0.author == reader || reaches($0, reader)) }.map(\.id)
        }
    }

    /// The rows of all timelines when every event was handled right after its act.
    func timelinesInOrder() -> [[Int64]] { written { Array(rows[$0]) } }

    /// What somebody's home timeline shows, when every event was handled right after its act.
    func home(_ reader: Int) -> [String] {
        let all = rows[reader].sorted(by: >)
        return all.filter { id in
            guard let entry = entries[id], !isGone(entry) else { return false }
            if let boosted = entry.boostOf.flatMap({ entries[$0] }), isHidden(boosted.author, reader) { return false }
            return sees(entry, reader) && !isRepeated(entry, among: all, reader)
        }.map(String.init)
    }

    /// Whether the post, or an earlier boost of it, is among the 40 entries before a boost.
    private func isRepeated(_ boost: Entry, among all: [Int64], _ reader: Int) -> Bool {
        guard let post = boost.boostOf else { return false }
        return all.filter { $0 < boost.id }.prefix(40).contains { id in
            guard let earlier = entries[id], !isHidden(earlier.author, reader) else { return false }
            return id == post || earlier.boostOf == post
        }
    }

    private func written(_ ids: (Int) -> [Int64]) -> [[Int64]] {
        people.indices.flatMap { reader in
            ids(reader).sorted().map { [people[reader].id.rawValue, $0, people[entries[$0]?.author ?? 0].id.rawValue] }
        }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
    }

    private func isGone(_ entry: Entry) -> Bool {
        entry.isGone || entry.boostOf.flatMap { entries[$0]?.isGone } ?? false
    }

    private func hasBlock(_ one: Int, _ other: Int) -> Bool {
        blocks.contains(Way(from: one, to: other)) || blocks.contains(Way(from: other, to: one))
    }

    private func isHidden(_ author: Int, _ reader: Int) -> Bool {
        hasBlock(author, reader) || mutes.contains(Way(from: reader, to: author))
    }

    private func isFollowing(_ reader: Int, _ author: Int) -> Bool { follows.contains(Way(from: reader, to: author)) }

    private func reaches(_ entry: Entry, _ reader: Int) -> Bool {
        guard reader != entry.author, !isHidden(entry.author, reader) else { return false }
        guard isFollowing(reader, entry.author) else { return false }
        if entry.visibility == "direct" { return entry.named.contains(reader) }
        guard let answered = entry.answers else { return true }
        return answered == entry.author || answered == reader || isFollowing(reader, answered)
    }

    private func sees(_ entry: Entry, _ reader: Int) -> Bool {
        if entry.author == reader { return true }
        if isHidden(entry.author, reader) { return false }
        if ["public", "unlisted"].contains(entry.visibility) || entry.named.contains(reader) { return true }
        return entry.visibility == "private" && isFollowing(reader, entry.author)
    }

    // MARK: What happens

    mutating func step(_ random: inout TestSeed) async throws {
        let actor = Int.random(in: people.indices, using: &random)
        let target = (actor + Int.random(in: 1..<people.count, using: &random)) % people.count
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try await write(actor, target, &random)
        case 6..<8: try await boost(actor, &random)
        case 8: try await takeBack(actor, &random)
        case 9: try await edit(actor, &random)
        case 10..<15: try await follow(actor, target)
        case 15: try await relate("unfollow", actor, target)
        case 16: try await relate("block", actor, target)
        case 17: try await relate("unblock", actor, target)
        case 18: try await relate("mute", actor, target)
        default: try await relate("unmute", actor, target)
        }
    }

    private mutating func write(_ actor: Int, _ target: Int, _ random: inout TestSeed) async throws {
        var entry = Entry(id: 0, author: actor)
        let visibilities = ["public", "public", "unlisted", "private", "direct"]
        entry.visibility = visibilities.randomElement(using: &random) ?? "public"
        var more: [String: any Sendable] = ["visibility": entry.visibility]
        if random.chance(1, in: 3), let parent = posts.randomElement(using: &random) {
            more["in_reply_to_id"] = String(parent)
            entry.answers = entries[parent]?.author
        }
        entry.named = random.chance(1, in: 2) ? [target] : []
        let text = entry.named.isEmpty ? "said" : "said @p\(target)"
        let answer = try await world.publish(text, as: people[actor], more)
        guard answer.code == 200 else { return }
        add(entry, try answer.string("id"))
    }

    private mutating func boost(_ actor: Int, _ random: inout TestSeed) async throws {
        guard let post = posts.randomElement(using: &random) else { return }
        let isThere = entries.values.contains { $0.boostOf == post && $0.author == actor && !$0.isGone }
        let answer = try await world.act("reblog", on: String(post), as: people[actor])
        guard answer.code == 200, !isThere else { return }
        let visibility = try answer.string("visibility") ?? ""
        add(Entry(id: 0, author: actor, boostOf: post, visibility: visibility), try answer.string("id"))
    }

    private mutating func add(_ entry: Entry, _ id: String?) {
        guard let id = id.flatMap({ Int64($0) }) else { return }
        let entry = Entry(
            id: id,
            author: entry.author,
            boostOf: entry.boostOf,
            visibility: entry.visibility,
            named: entry.named,
            answers: entry.answers
        )
        entries[id] = entry
        for reader in people.indices where reader == entry.author || reaches(entry, reader) { rows[reader].insert(id) }
    }

    private mutating func takeBack(_ actor: Int, _ random: inout TestSeed) async throws {
        let own = entries.values.filter { $0.author == actor && !isGone($0) }.map(\.id).sorted()
        guard let id = own.randomElement(using: &random) else { return }
        #expect(try await world.send(.delete, "/api/v1/statuses/\(id)", as: people[actor]).code == 200)
        entries[id]?.isGone = true
        for entry in entries.values where isGone(entry) {
            for reader in people.indices { rows[reader].remove(entry.id) }
        }
    }

    private mutating func edit(_ actor: Int, _ random: inout TestSeed) async throws {
        let own = posts.filter { entries[$0]?.author == actor }
        guard let id = own.randomElement(using: &random) else { return }
        let form = "application/x-www-form-urlencoded"
        let body = "status=changed%20\(random.next())"
        _ = try await world.send(.put, "/api/v1/statuses/\(id)", as: people[actor], type: form, body: body)
        entries[id]?.named = []
    }

    private mutating func follow(_ actor: Int, _ target: Int) async throws {
        let isNew = !isFollowing(actor, target)
        let code = try await world.post("/api/v1/accounts/\(people[target].id)/follow", as: people[actor]).code
        #expect(code == (hasBlock(actor, target) ? 403 : 200))
        guard code == 200, isNew else { return }
        follows.insert(Way(from: actor, to: target))
        for entry in entries.values where entry.author == target && !isGone(entry) {
            if reaches(entry, actor) { rows[actor].insert(entry.id) }
        }
    }

    private mutating func relate(_ action: String, _ actor: Int, _ target: Int) async throws {
        try await world.relate(action, people[target], as: people[actor])
        let (way, back) = (Way(from: actor, to: target), Way(from: target, to: actor))
        switch action {
        case "unfollow":
            guard follows.remove(way) != nil else { return }
            remove(of: target, from: actor)
        case "block":
            guard blocks.insert(way).inserted else { return }
            follows.subtract([way, back])
            remove(of: target, from: actor)
            remove(of: actor, from: target)
        case "unblock": blocks.remove(way)
        case "mute":
            mutes.insert(way)
            remove(of: target, from: actor)
        default: mutes.remove(way)
        }
    }

    private mutating func remove(of author: Int, from reader: Int) {
        for entry in entries.values where entry.author == author { rows[reader].remove(entry.id) }
    }

    /// Posts that are there, always in the same order.
    private var posts: [Int64] { entries.values.filter { $0.boostOf == nil && !$0.isGone }.map(\.id).sorted() }
}

// SPDX-License-Identifier: Apache-2.0
// A long history of people who post and chat, the same for the same seed but for the ids.

import Domain
import HTTPTypes
import Support
import Web

/// What people have made so far.
struct RandomLife {
    private var posts: [(id: String, author: Int)] = []
    private var messages: [(id: String, channel: String, author: Int)] = []
    private var channels: [String] = []
    private var projects: [(id: String, leader: Int)] = []
    private var records: [(id: String, book: String, reader: Int)] = []
    private var playgrounds: [String] = []
    private var files: [(id: MediaID, owner: Int, isFree: Bool)] = []
    /// Who muted whom: a mute that is set again begins anew, which its row does not tell.
    private var muted: Set<String> = []
    private var dice: TestSeed

    init(seed: UInt64) { dice = TestSeed(seed) }

    private mutating func person(_ here: Neighbourhood) -> (Int, Principal.Account) {
        let index = Int.random(in: here.people.indices, using: &dice)
        return (index, here.people[index])
    }

    /// People meet: a playground with everybody, a private channel, direct messages.
    mutating func begin(_ here: Neighbourhood) async throws {
        for (number, person) in here.people.enumerated() {
            _ = try await here.media.upload(by: person.id, isReady: false)
            for _ in 0..<6 { files.append((try await here.media.upload(by: person.id), number, true)) }
        }
        try await here.carry()
        for person in here.people.dropLast(2) {
            let profile = ["discoverable": true]
            try await here.send("posts", .patch, "/api/v1/accounts/update_credentials", as: person, profile)
        }
        for number in 0..<2 {
            let owner = here.people[number]
            let made = try await here.send(
                "chat",
                .post,
                "/api/v1/playgrounds",
                as: owner,
                ["name": "Yard \(number)", "open": true]
            )
            guard let playground = here.text(made, "id") else { continue }
            playgrounds.append(playground)
            for other in here.people where other.id != owner.id {
                try await here.send("chat", .post, "/api/v1/playgrounds/\(playground)/join", as: other, [:])
            }
            let channel = try await here.send(
                "chat",
                .post,
                "/api/v1/playgrounds/\(playground)/channels",
                as: owner,
                ["name": "room", "type": "public"]
            )
            if let id = here.text(channel, "id") {
                channels.append(id)
                for other in here.people {
                    try await here.send("chat", .post, "/api/v1/channels/\(id)/join", as: other, [:])
                }
            }
        }
        for _ in 0..<6 {
            let ((_, one), (_, other)) = (person(here), person(here))
            let made = try await here.send(
                "chat",
                .post,
                "/api/v1/direct_channels",
                as: one,
                ["account_ids": [other.id.description]]
            )
            if let id = here.text(made, "id") { channels.append(id) }
        }
    }

    /// All counts are shown once more: that something is taken back is told without them.
    func showCounts(_ here: Neighbourhood) async throws {
        for post in posts {
            for act in ["unfavourite", "favourite"] {
                try await here.send(
                    "posts",
                    .post,
                    "/api/v1/statuses/\(post.id)/\(act)",
                    as: here.people[post.author],
                    [:]
                )
            }
        }
        for person in here.people {
            let profile = ["note": "I am \(person.username)"]
            try await here.send("posts", .patch, "/api/v1/accounts/update_credentials", as: person, profile)
        }
    }

    /// Somebody does something, which may be refused.
    mutating func step(_ here: Neighbourhood, number: Int) async throws {
        let ((actor, account), (_, target)) = (person(here), person(here))
        let named = dice.chance(1, in: 2) ? "@\(target.username) " : ""
        func act(_ method: String, _ path: String, _ json: [String: any Sendable] = [:]) async throws -> Answer {
            try await here.send("posts", .init(rawValue: method) ?? .post, path, as: account, json)
        }
        func say(_ method: String, _ path: String, _ json: [String: any Sendable] = [:]) async throws -> Answer {
            try await here.send("chat", .init(rawValue: method) ?? .post, path, as: account, json)
        }
        let post = posts.randomElement(using: &dice)
        let message = messages.randomElement(using: &dice)
        switch Int.random(in: 0..<48, using: &dice) {
        case 0...5:
            let visibility = ["public", "unlisted", "private", "direct"].randomElement(using: &dice) ?? "public"
            let more = number % 3 == 0 ? " #tag\(number % 7) https://example.org/\(number % 5)" : ""
            var json: [String: any Sendable] = ["status": "\(named)Number \(number)\(more)", "visibility": visibility]
            if let post, dice.chance(1, in: 2) { json["in_reply_to_id"] = post.id }
            if number % 3 == 1, let free = files.firstIndex(where: { $0.isFree && $0.owner == actor }) {
                json["media_ids"] = [files[free].id.description]
                files[free].isFree = false
            }
            let made = try await act("POST", "/api/v1/statuses", json)
            if let id = here.text(made, "id") { posts.append((id, actor)) }
        case 6...7:
            guard let post else { return }
            _ = try await here.send(
                "posts",
                .put,
                "/api/v1/statuses/\(post.id)",
                as: here.people[post.author],
                ["status": "\(named)Changed \(number)"]
            )
        case 8...11: if let post { _ = try await act("POST", "/api/v1/statuses/\(post.id)/favourite") }
        case 12...13: if let post { _ = try await act("POST", "/api/v1/statuses/\(post.id)/unfavourite") }
        case 14...16: if let post { _ = try await act("POST", "/api/v1/statuses/\(post.id)/reblog") }
        case 17: if let post { _ = try await act("POST", "/api/v1/statuses/\(post.id)/unreblog") }
        case 18...19: _ = try await act("POST", "/api/v1/accounts/\(target.id)/follow")
        case 20: _ = try await act("POST", "/api/v1/accounts/\(target.id)/unfollow")
        case 21:
            let choice = ["authorize", "reject"].randomElement(using: &dice) ?? "reject"
            _ = try await act("POST", "/api/v1/follow_requests/\(target.id)/\(choice)")
        case 22:
            _ = try await act(
                "PATCH",
                "/api/v1/accounts/update_credentials",
                [
                    "display_name": "Name \(number)", "locked": dice.chance(1, in: 3),
                    "discoverable": dice.chance(2, in: 3),
                ]
            )
        // What ends is not told again: these stay, seldom as they are.
        case 23 where dice.chance(1, in: 12): _ = try await act("POST", "/api/v1/accounts/\(target.id)/block")
        case 24 where dice.chance(1, in: 20) && muted.insert("\(actor) \(target.id)").inserted:
            _ = try await act("POST", "/api/v1/accounts/\(target.id)/mute")
        case 25:
            guard let post, dice.chance(1, in: 2) else { return }
            _ = try await here.send("posts", .delete, "/api/v1/statuses/\(post.id)", as: here.people[post.author])
        case 26...33:
            guard let channel = channels.randomElement(using: &dice) else { return }
            let wide = dice.chance(1, in: 10) ? "@channel " : ""
            let made = try await say(
                "POST",
                "/api/v1/channels/\(channel)/messages",
                [
                    "text":
                        "\(wide)\(named)Message \(number)\(number % 4 == 0 ? " https://example.org/m\(number % 5)" : "")"
                ]
            )
            if let id = here.text(made, "id") { messages.append((id, channel, actor)) }
        case 34:
            guard let message else { return }
            _ = try await here.send(
                "chat",
                .patch,
                "/api/v1/messages/\(message.id)",
                as: here.people[message.author],
                ["text": "Changed \(number)"]
            )
        case 35:
            guard let message else { return }
            _ = try await here.send("chat", .delete, "/api/v1/messages/\(message.id)", as: here.people[message.author])
        case 36...37:
            if let channel = channels.randomElement(using: &dice) {
                _ = try await say(
                    "POST",
                    "/api/v1/channels/\(channel)/read",
                    ["seq": Int.random(in: 1...20, using: &dice)]
                )
            }
        case 38:
            guard let playground = playgrounds.randomElement(using: &dice), dice.chance(1, in: 4) else { return }
            _ = try await say("POST", "/api/v1/playgrounds/\(playground)/leave")
            if dice.chance(1, in: 2) { _ = try await say("POST", "/api/v1/playgrounds/\(playground)/join") }
        case 39:
            if let channel = channels.randomElement(using: &dice) {
                _ = try await say("POST", "/api/v1/channels/\(channel)/join")
            }
        case 40...41:
            guard let file = files.randomElement(using: &dice) else { return }
            let (path, owner) = ("/api/v1/media/\(file.id)", here.people[file.owner])
            try await here.send("media", .put, path, as: owner, ["description": "Words \(number)"])
        case 42...44: try await work(here, number: number)
        case 45...47: try await read(here, number: number)
        default: return
        }
    }

    /// A project begins, changes, goes further or goes.
    private mutating func work(_ here: Neighbourhood, number: Int) async throws {
        let (index, leader) = person(here)
        guard dice.chance(1, in: 2), let known = projects.randomElement(using: &dice) else {
            let json: [String: any Sendable] = [
                "title": "Yard \(number)", "text": "Number \(number) #tag\(number % 7)", "roles": [["name": "role"]],
                "publish": dice.chance(2, in: 3),
            ]
            let made = try await here.send("posts", .post, "/api/v1/projects", as: leader, json)
            if let id = here.text(made, "id") { projects.append((id, index)) }
            return
        }
        let (path, owner) = ("/api/v1/projects/\(known.id)", here.people[known.leader])
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: try await here.send("posts", .patch, path, as: owner, ["summary": "Changed \(number)"])
        case 1: try await here.send("posts", .post, "\(path)/publish", as: owner, [:])
        case 2:
            let step = ["close", "finish"].randomElement(using: &dice) ?? "close"
            try await here.send("posts", .post, "\(path)/\(step)", as: owner, [:])
        default: try await here.send("posts", .delete, path, as: owner)
        }
    }

    /// A record of reading, or what becomes of one or of its book.
    private mutating func read(_ here: Neighbourhood, number: Int) async throws {
        let (index, reader) = person(here)
        let visibility = ["public", "public", "followers", "private"].randomElement(using: &dice) ?? "public"
        guard dice.chance(1, in: 2), let known = records.randomElement(using: &dice) else {
            let book: [String: any Sendable] = ["title": "Yard Book \(number % 4)", "authors": ["Person"]]
            let json: [String: any Sendable] = [
                "book": book, "visibility": visibility, "review": "Number \(number)",
            ]
            let made = try await here.send("posts", .post, "/api/v1/shelf/records", as: reader, json)
            if let id = here.text(made, "id"), let book = here.text(made, "book_id") {
                records.append((id, book, index))
            }
            return
        }
        let (path, owner) = ("/api/v1/shelf/records/\(known.id)", here.people[known.reader])
        switch Int.random(in: 0..<5, using: &dice) {
        case 0...1:
            let json = ["visibility": visibility, "review": "Changed \(number)"]
            try await here.send("posts", .put, path, as: owner, json)
        case 2...3:
            let json = ["title": "Yard Book \(number % 4)", "publisher": "Number \(number)"]
            try await here.send("posts", .put, "/api/v1/shelf/books/\(known.book)", as: owner, json)
        default: try await here.send("posts", .delete, path, as: owner)
        }
    }
}

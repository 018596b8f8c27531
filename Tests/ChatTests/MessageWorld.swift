// SPDX-License-Identifier: Apache-2.0
// What the tests of messages do again and again.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import ChatService

extension ChatWorld {
    /// A channel of a playground with these people in both, the first its owner; the id of the channel.
    func room(_ people: [Somebody], type: String = "public", outside: [Somebody] = []) async throws -> String {
        let playground: PlaygroundID = try dependencies.ids.next()
        let channel: ChannelID = try dependencies.ids.next()
        let owner = try #require(people.first).id
        let now = dependencies.now()
        try await database.transaction { transaction in
            transaction.enqueue(
                """
                INSERT INTO playgrounds (
                    id, name, description, owner_id, open, default_channel_id, created_at, updated_at, version
                )
                VALUES (\(playground), 'Yard', '', \(owner), true, \(channel), \(now), \(now), 1)
                """
            )
            for person in people + outside {
                transaction.enqueue(
                    """
                    INSERT INTO playground_members (playground_id, account_id, role, joined_at, version)
                    VALUES (\(playground), \(person.id), \(person.id == owner ? "owner" : "member"), \(now), 1)
                    """
                )
            }
            transaction.enqueue(
                """
                INSERT INTO channels (
                    id, type, playground_id, name, description, owner_id, created_at, updated_at, version
                )
                VALUES (\(channel), \(type), \(playground), 'general', '', \(owner), \(now), \(now), 1)
                """
            )
            for person in people {
                transaction.enqueue(
                    """
                    INSERT INTO channel_members (channel_id, account_id, role, joined_at, version)
                    VALUES (\(channel), \(person.id), \(person.id == owner ? "owner" : "member"), \(now), 1)
                    """
                )
            }
        }
        return channel.description
    }

    /// Direct messages that everybody has accepted; the channel's id.
    func direct(_ opener: Somebody, _ others: Somebody...) async throws -> String {
        let id = try await open(opener, others)
        for other in others { _ = try await post("/api/v1/channels/\(id)/accept", as: other) }
        return id
    }

    /// Opens direct messages; the channel's id.
    func open(_ opener: Somebody, _ others: [Somebody]) async throws -> String {
        let answer = try await post(
            "/api/v1/direct_channels",
            as: opener,
            ["account_ids": others.map(\.id.description)]
        )
        try #require(answer.code == 201 || answer.code == 200, "\(answer.text)")
        return try #require(try answer.string("id"))
    }

    func say(
        _ text: String,
        in channel: String,
        as author: Somebody,
        _ more: [String: any Sendable] = [:]
    ) async throws -> Answer {
        var body = more
        body["text"] = text
        return try await post("/api/v1/channels/\(channel)/messages", as: author, body)
    }

    /// Says something that must be heard; the message's id.
    @discardableResult
    func said(
        _ text: String,
        in channel: String,
        as author: Somebody,
        _ more: [String: any Sendable] = [:]
    ) async throws -> String {
        let answer = try await say(text, in: channel, as: author, more)
        try #require(answer.code == 201, "\(answer.text)")
        return try #require(try answer.string("id"))
    }

    /// Texts of a channel's history, in the order of the answer.
    func texts(_ channel: String, _ query: String = "", as viewer: Somebody) async throws -> [String] {
        let answer = try await get("/api/v1/channels/\(channel)/messages\(query)", as: viewer)
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.strings("text")
    }

    /// One member of a message, as it is now.
    func message(_ id: String, as viewer: Somebody) async throws -> [String: Any] {
        let answer = try await get("/api/v1/messages/\(id)", as: viewer)
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.object
    }

    /// Unread and mentions of a channel.
    func unread(_ channel: String, as reader: Somebody) async throws -> [Int] {
        let answer = try await get("/api/v1/channels/\(channel)/unread", as: reader)
        return [try answer.int("unread_count") ?? -1, try answer.int("mentions_count") ?? -1]
    }

    func block(_ blocker: Somebody, _ blocked: Somebody, active: Bool = true, version: Int64) async throws {
        if active {
            try await deliver(AccountBlocked(actorID: blocker.id, targetID: blocked.id, subjectVersion: version))
        } else {
            try await deliver(AccountUnblocked(actorID: blocker.id, targetID: blocked.id, subjectVersion: version))
        }
    }

    /// Delivers an event to the projections as another service would tell it.
    @discardableResult
    func deliver<E: Event>(_ event: E, id: String = UUID().uuidString) async throws -> Bool {
        let envelope = Envelope(id: id.lowercased(), time: ChatWorld.start, traceparent: nil, data: event)
        let body = Array(try JSONEncoder().encode(envelope))
        return try await Projections.queue(dependencies).apply(body, in: database)
    }

    /// The payloads of one Socket.IO event, oldest first.
    func told(_ event: String) async throws -> [[String: Any]] {
        try await updates().filter { $0.event == event }.map { update in
            try #require(try JSONSerialization.jsonObject(with: Data(update.payload)) as? [String: Any])
        }
    }

    /// The events of one type in the outbox, oldest first.
    func recorded<E: Event>(_: E.Type) async throws -> [E] {
        try await recordedEvents(in: database).compactMap { event in
            guard try TestEvent(event).type == E.type else { return nil }
            return try JSONDecoder().decode(Envelope<E>.self, from: Data(parts(ofMessage: event).envelope)).data
        }
    }
}

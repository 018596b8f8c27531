// SPDX-License-Identifier: Apache-2.0
// A queue and what its events lead to.

public import Events
import FoundationEssentials
import Messaging
public import Postgres
import ServiceKit

/// One queue with its reactions: claims each event in the inbox and applies it, many deliveries to a transaction.
public struct EventQueue: Sendable {
    /// What a delivery turned out to be.
    enum Reading {
        case known(Arrival)
        /// A well-formed event of a type that this release does not know.
        case unknown(id: String, type: String)

        var id: String {
            switch self {
            case .known(let arrival): arrival.id
            case .unknown(let id, _): id
            }
        }
    }

    /// `<service>.<consumer>`, as in the broker's definitions.
    public let name: String
    public let reactions: [Reaction]
    let prefetch: Int
    /// For how long the first event of a batch waits for others.
    let gathering: Duration
    /// The types of events that wait for others; an event of another type ends the waiting. Nil when all wait.
    let patient: Set<String>?
    /// Of which audiences it is one.
    public let audiences: Set<Audience>
    let prepare: Prepare?
    private let isOfConcern: @Sendable (any Event) -> Bool
    /// How what the queue keeps is rebuilt; nil when it is not.
    public let rebuild: Rebuild?
    /// Rung when something of it was applied, for who works in the background on what its reactions note.
    var applied: Bell?
    private let reactionsByType: [String: Reaction]

    /// What is done for the new events of a transaction together, before each is reacted to. Rows that many events share
    /// belong here, in the order of their keys: two copies of a process that lock them as events come lock each other out. What
    /// those that are told again for a rebuild tell of is put right where it is not so.
    public typealias Prepare = @Sendable ([Arrival], Transaction) async throws -> Void

    /// - Parameters:
    ///   - gathering: for how long the first event of a batch waits for others.
    ///   - patient: of which types; an event of another type ends the waiting. Nil when all wait.
    ///   - audiences: without those to whom is told what it does not look for.
    ///   - isOfConcern: whether an event leads to anything, by what it says alone. One that does not is acknowledged without a
    ///   transaction and without a note of it. Of a queue that can be rebuilt everything is: a rebuild counts what comes.
    public init(
        _ name: String,
        prefetch: Int = 64,
        gathering: Duration = .zero,
        patient: [any Event.Type]? = nil,
        audiences: Set<Audience> = [.services, .plain, .reached],
        isOfConcern: @escaping @Sendable (any Event) -> Bool = { _ in true },
        prepare: Prepare? = nil,
        rebuild: Rebuild? = nil,
        _ reactions: [Reaction]
    ) {
        self.name = name
        self.prefetch = prefetch
        self.gathering = gathering
        self.patient = patient.map { types in Set(types.map { $0.type }) }
        self.audiences = audiences
        self.isOfConcern = isOfConcern
        self.prepare = prepare
        self.rebuild = rebuild
        self.reactions = reactions
        let all = rebuild == nil ? reactions : reactions + Rebuild.ends
        reactionsByType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
    }

    /// Whether all wait for others, so that batches are large and take long.
    var mayBeLong: Bool { patient == nil && gathering > .zero }

    func ringing(_ bell: Bell) -> EventQueue {
        var queue = self
        queue.applied = bell
        return queue
    }

    /// The types with versions that somebody here reacts to.
    var types: [String] { Array(reactionsByType.keys) }

    /// Applies envelopes as if they had been delivered together: for tests of consumers.
    ///
    /// - Returns: how many were new.
    @discardableResult
    public func apply(_ envelopes: [[UInt8]], in database: Database) async throws -> Int {
        let arrivals = try envelopes.compactMap { envelope -> Arrival? in
            let head = try Head(envelope)
            if let arrival = try arrival(of: envelope, sentAs: head.type) { return arrival }
            // Not even bound.
            if Catalogue.all.contains(where: { $0.type == head.type }) { return nil }
            throw Unacceptable("nobody here reacts to \(head.type)")
        }
        let concerning = arrivals.filter(concerns)
        return concerning.isEmpty ? 0 : try await Inbox(self, database: database).apply(concerning).count
    }

    /// - Returns: whether it was new.
    public func apply(_ envelope: [UInt8], in database: Database) async throws -> Bool {
        try await apply([envelope], in: database) == 1
    }

    /// Decodes a delivery. Throws `Unacceptable` for what can never be understood, or is not what it was sent as: by
    /// the routing key the broker knows who may send it, by the body it does not.
    func read(_ delivery: Delivery) throws -> Reading {
        let sent = sentAs(delivery)
        if let arrival = try arrival(of: delivery.body, sentAs: sent) {
            guard arrival.retelling == nil || delivery.isRetold || delivery.isReplayed else {
                throw Unacceptable("it is told again, but to everybody")
            }
            return .known(arrival)
        }
        let head = try Head(delivery.body)
        if !delivery.isReplayed || !sent.isEmpty {
            guard head.type == sent else {
                throw Unacceptable("its type is \(printable(head.type)), but it was sent as \(printable(sent))")
            }
        } else if let arrival = try arrival(of: delivery.body, sentAs: head.type) {
            return .known(arrival)
        }
        guard isEventType(head.type) else { throw Unacceptable("\(printable(head.type)) is no type of an event") }
        try head.requireOwner()
        guard UUID(uuidString: head.id) != nil else { throw Unacceptable("its id is no UUID") }
        return .unknown(id: head.id.lowercased(), type: head.type)
    }

    /// The type as which a message was sent: its routing key, or what the replay of dead letters says that was.
    func sentAs(_ delivery: Delivery) -> String {
        if delivery.isReplayed { return delivery.headers[replayHeader] ?? "" }
        guard delivery.isRetold, delivery.routingKey.hasPrefix("\(name).") else { return delivery.routingKey }
        return String(delivery.routingKey.dropFirst(name.count + 1))
    }

    func concerns(_ arrival: Arrival) -> Bool { rebuild != nil || isOfConcern(arrival.event) }

    /// Nil when nobody reacts to it.
    func arrival(of body: [UInt8], sentAs type: String) throws -> Arrival? {
        try reactionsByType[type]?.arrival(of: body)
    }
}

/// Set by the replay of dead letters: the routing key with which the message came first.
let replayHeader = "madang-type"

extension Delivery {
    /// Whether it came through the default exchange, where only the replay of dead letters may write.
    var isReplayed: Bool { exchange.isEmpty }

    /// Whether it was told again, to this queue alone.
    var isRetold: Bool { exchange == Audience.retold.rawValue }

    /// By what it is found among dead letters: its id, or something of its body when it has none.
    var key: String {
        guard let messageID, !messageID.isEmpty else {
            return "body-"
                + String(UInt64(bitPattern: lockKey(String(decoding: body.prefix(4096), as: UTF8.self))), radix: 16)
        }
        return storable(messageID)
    }
}

/// What every envelope has.
private struct Head: Decodable {
    let id: String
    let source: String
    let type: String

    init(_ body: [UInt8]) throws {
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(body)) else {
            throw Unacceptable("undecodable: no envelope")
        }
        self = head
    }

    func requireOwner() throws {
        guard source == owner(of: type) else {
            throw Unacceptable(
                "its source is \(printable(source)), but \(printable(type)) is told by \(owner(of: type))"
            )
        }
    }
}

/// The source that may tell events of a type: `/posts` for `posts.PostCreated.v1`.
func owner(of type: String) -> String { "/" + type.prefix { $0 != "." } }

/// `<service>.<Fact>.v<number>`.
func isEventType(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.utf8.count < 256, parts.count == 3, parts[2].first == UInt8(ascii: "v") else { return false }
    let letters = { (byte: UInt8) in (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") }
    let digits = parts[2].dropFirst()
    return !parts[0].isEmpty && parts[0].allSatisfy(letters) && !parts[1].isEmpty && parts[1].allSatisfy(letters)
        && !digits.isEmpty && digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
}

/// One line that a terminal shows as it is.
func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200))
}

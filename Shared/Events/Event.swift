// SPDX-License-Identifier: Apache-2.0
// What an event is, and the envelope in which it travels.

public import Domain

/// A fact that a service tells, in the past tense.
///
/// Within a version only optional fields are ever added; anything else is a new version.
public protocol Event: Codable, Sendable {
    /// The telling service and the fact, such as `posts.ReplyCreated`.
    static var name: String { get }
    static var version: Int { get }
    static var audience: Audience { get }
    /// The id of the thing the fact is about.
    var subject: String { get }
    /// Counts up with every change of the subject: of two events about one subject the higher is the newer.
    var subjectVersion: Int64 { get }
}

extension Event {
    /// The name with its version: the CloudEvents `type`, the AMQP routing key and the fixture's file name.
    public static var type: String { "\(name).v\(version)" }
    public static var version: Int { 1 }
    public static var audience: Audience { .services }
}

/// Names an event whose shape it shares with others.
public protocol EventName: Sendable {
    static var name: String { get }
}

/// For whom an event is, which is the exchange it goes to.
public enum Audience: String, Sendable, CaseIterable {
    /// Durable queues of other services; an event that reaches no queue is an alarm (exchange `events`).
    case services = "events"
    /// The same but for queues that look for files and links: what shows neither (exchange `plain`). A type's own audience is
    /// `services`; who tells one of `Catalogue.maybePlain` may choose.
    case plain = "plain"
    /// The same as `plain` but for what brings posts into timelines: what is there already (exchange `reached`). Who tells one of
    /// `Catalogue.maybeReached` may choose.
    case reached = "reached"
    /// Connections open just now; nobody listening is nothing lost (exchange `live`).
    case live = "live"
    /// One durable queue, which asked for it to be told again (exchange `retold`). The key has the queue's name before
    /// the type.
    case retold = "retold"
}

/// An event with the attributes of CloudEvents 1.0 in its JSON format.
public struct Envelope<Payload: Event>: Codable, Sendable {
    public let specversion: String
    /// A UUID of version 7, also the AMQP message id; the same for every delivery of this event.
    public let id: String
    /// The service that tells it, such as `/posts`.
    public let source: String
    public let type: String
    public let subject: String
    public let time: Timestamp
    public let datacontenttype: String
    public let dataschema: String
    /// The subject's version.
    public let version: Int64
    /// W3C trace context of the request that caused it.
    public let traceparent: String?
    /// The rebuild for which it is told again, as it stands now; nil when it is told because it happened.
    public let retelling: String?
    public internal(set) var data: Payload

    public init(id: String, time: Timestamp, traceparent: String?, retelling: String? = nil, data: Payload) {
        specversion = "1.0"
        self.id = id
        source = "/" + (Payload.name.split(separator: ".").first.map(String.init) ?? "")
        type = Payload.type
        subject = data.subject
        self.time = time
        datacontenttype = "application/json"
        dataschema = "urn:madang:event:\(Payload.type)"
        version = data.subjectVersion
        self.traceparent = traceparent
        self.retelling = retelling
        self.data = data
    }
}

extension Envelope {
    /// Whether it is told again, not because it happened just now: nothing that reaches people follows from it.
    public var isRetold: Bool { retelling != nil }
}

/// An event that shows accounts as they were by then.
public protocol ShowingAccounts: Event {
    var accounts: [AccountSnapshot] { get }
}

extension Sequence<any Event> {
    /// The newest snapshot of each account that these events show, by their ids.
    public var newestAccounts: [AccountSnapshot] {
        var newest: [AccountID: AccountSnapshot] = [:]
        for case let event as any ShowingAccounts in self {
            for account in event.accounts where account.version >= newest[account.id]?.version ?? .min {
                newest[account.id] = account
            }
        }
        return newest.values.sorted { $0.id < $1.id }
    }
}

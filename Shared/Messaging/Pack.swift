// SPDX-License-Identifier: Apache-2.0
// Messages that travel as one.

/// Several messages that go the same way, as one that the broker routes, keeps, hands over and settles once.
///
/// Its body is a sequence of JSON texts (RFC 7464); the header `madang-pack` has their message ids, in their order.
struct Pack {
    /// Messages of one pack: who takes one in hand and fails has all of them again.
    static let most = 32
    /// Bytes of their bodies: what fits into one frame of the broker's default size (128 KiB).
    static let mostBytes = 96 << 10
    static let header = "madang-pack"
    static let contentType = "application/json-seq"
    private static let recordSeparator: UInt8 = 0x1E
    private static let lineFeed: UInt8 = 0x0A

    /// What is sent.
    let message: Message
    /// Which of the messages it is made of, by their places.
    let places: [Int]

    /// Puts together what goes the same way. Of one way their order stays.
    static func packs(of messages: [Message]) -> [Pack] {
        struct Way: Hashable {
            let exchange: String
            let routingKey: String
            let persistent: Bool
            let mandatory: Bool
        }
        var groups: [(places: [Int], bytes: Int)] = []
        var open: [Way: Int] = [:]
        for (place, message) in messages.enumerated() {
            let way = Way(
                exchange: message.exchange,
                routingKey: message.routingKey,
                persistent: message.persistent,
                mandatory: message.mandatory
            )
            guard message.isPackable else {
                // What comes behind it stays behind it.
                open[way] = nil
                groups.append(([place], 0))
                continue
            }
            let bytes = message.body.count
            if let group = open[way], groups[group].places.count < most, groups[group].bytes + bytes <= mostBytes {
                groups[group].places.append(place)
                groups[group].bytes += bytes
            } else {
                open[way] = groups.count
                groups.append(([place], bytes))
            }
        }
        return groups.map { Pack(of: $0.places.map { messages[$0] }, places: $0.places) }
    }

    private init(of parts: [Message], places: [Int]) {
        self.places = places
        guard parts.count > 1 else {
            message = parts[0]
            return
        }
        var whole = parts[0]
        // Nobody takes it for its first.
        whole.id = "pack-" + parts[0].id
        whole.contentType = Pack.contentType
        whole.headers[Pack.header] = parts.map(\.id).joined(separator: ",")
        whole.body = []
        whole.body.reserveCapacity(parts.reduce(0) { $0 + $1.body.count + 2 })
        for part in parts {
            whole.body.append(Pack.recordSeparator)
            whole.body.append(contentsOf: part.body)
            whole.body.append(Pack.lineFeed)
        }
        message = whole
    }

    /// The bodies of a sequence; nil for what is none.
    fileprivate static func texts(in body: [UInt8]) -> [[UInt8]]? {
        guard body.first == recordSeparator else { return nil }
        return body.dropFirst().split(separator: recordSeparator, omittingEmptySubsequences: false).map { text in
            Array(text.last == lineFeed ? text.dropLast() : text)
        }
    }
}

extension Message {
    /// A body that has a separator of its own is no JSON text (RFC 8259, 7), and an id with a comma cannot be told from two.
    fileprivate var isPackable: Bool {
        headers.isEmpty && !id.isEmpty && !id.utf8.contains(UInt8(ascii: ",")) && !body.contains(0x1E)
    }
}

extension Delivery {
    /// The messages of a pack, each as it would have come by itself; for any other its only one.
    public var parts: [Delivery] {
        guard let listed = headers[Pack.header], let texts = Pack.texts(in: body) else { return [self] }
        let ids = listed.split(separator: ",", omittingEmptySubsequences: false)
        guard ids.count == texts.count else { return [self] }
        var headers = headers
        headers[Pack.header] = nil
        return zip(ids, texts).map { id, text in
            Delivery(
                exchange: exchange,
                routingKey: routingKey,
                messageID: String(id),
                headers: headers,
                body: text,
                redelivered: redelivered
            )
        }
    }
}

/// Deliveries with what they are made of.
struct OpenedDeliveries {
    let parts: [Delivery]
    /// How many parts each delivery has.
    private let counts: [Int]

    init(_ deliveries: [Delivery]) {
        let opened = deliveries.map(\.parts)
        parts = Array(opened.joined())
        counts = opened.map(\.count)
    }

    /// What is to be done with each delivery: one of which a part is to come again comes again as a whole, and what was done with its
    /// other parts by then shows when it does; one that has a part which can never work goes to the dead letters. A part without a
    /// settlement comes again.
    func settlements(_ ofParts: [Settlement]) -> [Settlement] {
        var start = 0
        return counts.map { count in
            let part = ofParts.dropFirst(start).prefix(count)
            start += count
            if part.count < count || part.contains(.requeue) { return .requeue }
            return part.contains(.reject) ? .reject : .acknowledge
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Answers of services that were passed on, for when the service says that they still hold.

import Domain
import NIOCore
import NIOHTTP1
import Surface
import Synchronization

/// A service's answer with a strong validator (RFC 9110, section 8.8.3), whole and apart from the connection on which it came.
struct StoredAnswer {
    let tag: String
    let head: ServiceAnswerHead
    let body: ByteBuffer

    var bytes: Int { head.count + body.readableBytes }
}

/// The answers that were passed on last.
///
/// None is given without its service having been asked, which knows by the tag what we have, and says 304 or something newer
/// (RFC 9110, section 13.1.2). So what is stored here decides nothing but how much travels.
final class StoredAnswers: Sendable {
    struct Key: Hashable {
        let account: AccountID?
        let target: String
    }

    /// Octets of a body that is stored.
    static let mostBody = 256 * 1024

    private let answers: Mutex<Generations<Key, StoredAnswer>>

    /// - Parameter capacity: octets in all.
    init(capacity: Int) { answers = Mutex(Generations(capacity: capacity)) }

    func find(_ key: Key) -> StoredAnswer? { answers.withLock { $0.value(at: key) } }

    func store(_ answer: StoredAnswer, at key: Key) {
        let bytes = answer.bytes + key.target.utf8.count + 512
        answers.withLock { $0.put(answer, at: key, cost: bytes) }
    }
}

/// What becomes of the answer to one request: the stored one is given again, or a copy of the new one is stored.
struct Storing {
    private let key: StoredAnswers.Key
    private let stored: StoredAnswer?
    private var copy: AnswerCopy?

    /// Nil where no answer is stored.
    init?(_ exchange: Exchange, _ answers: StoredAnswers) {
        guard exchange.head.method == .GET, exchange.framing == .none, let service = exchange.service,
            service != .media
        else { return nil }
        key = StoredAnswers.Key(account: exchange.principal?.accountID, target: exchange.target.text)
        stored = answers.find(key).flatMap { Storing.isPlain(exchange.head) ? $0 : nil }
    }

    /// Whether its client neither says what it has nor wants a part.
    private static func isPlain(_ head: HTTPRequestHead) -> Bool {
        !head.headers.contains { Forward.starts($0.name.utf8, "if-") || Forward.same($0.name.utf8, "range") }
    }

    /// Of the answer that the service is told we have.
    var tag: String? { stored?.tag }

    /// - Returns: the stored answer, if the service says that it still holds.
    mutating func begins(_ head: ServiceAnswerHead) -> StoredAnswer? {
        if head.status == 304 { return stored }
        copy = AnswerCopy(head)
        return nil
    }

    mutating func append(_ bytes: ByteBuffer) { copy?.append(bytes) }

    func ends(_ answers: StoredAnswers) {
        if let whole = copy?.whole { answers.store(whole, at: key) }
    }
}

/// An answer on its way, of which a copy is made.
struct AnswerCopy {
    private let tag: String
    private let head: ServiceAnswerHead
    private let length: Int
    private var body: ByteBuffer

    /// Nil for one that is not worth it, or of which nobody could say later whether it still holds.
    init?(_ head: ServiceAnswerHead) {
        guard head.status == 200, case .length(let length) = head.framing,
            (1...StoredAnswers.mostBody).contains(length),
            let tag = head.first(.entityTag), tag.hasPrefix("\"")
        else { return nil }
        self.tag = tag
        self.head = head.detached()
        self.length = length
        body = ByteBufferAllocator().buffer(capacity: length)
    }

    mutating func append(_ bytes: ByteBuffer) { body.writeImmutableBuffer(bytes) }

    /// Nil where not all of it came.
    var whole: StoredAnswer? {
        body.readableBytes == length ? StoredAnswer(tag: tag, head: head, body: body) : nil
    }
}

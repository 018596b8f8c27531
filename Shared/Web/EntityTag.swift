// SPDX-License-Identifier: Apache-2.0
// By what a client knows whether it has an answer already.

import Crypto
import HTTPTypes

/// A strong validator (RFC 9110, section 8.8.3): what has the same tag is the same, byte by byte.
public struct EntityTag: Sendable {
    /// As fields of HTTP have it, in its quotes.
    public let text: String

    /// - Parameter name: without characters that may not stand in a tag.
    public init(_ name: String) { text = "\"\(name)\"" }

    fileprivate init(text: String) { self.text = text }

    /// Of all that an answer says. Whichever process says it, the tag is the same.
    init(of answer: Answer) {
        var hash = SHA256()
        hash.update(data: Array("\(answer.status.code)\n".utf8))
        for field in answer.headers { hash.update(data: Array("\(field.name.canonicalName): \(field.value)\n".utf8)) }
        hash.update(data: [UInt8(ascii: "\n")])
        hash.update(data: answer.body)
        self.init(Base64.encoded(Array(hash.finalize()).prefix(16), url: true))
    }

    /// Whether an `If-None-Match` names it (RFC 9110, section 13.1.2).
    public func isNamed(by field: String) -> Bool {
        if field == text { return true }
        return field.prefix(1024).split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }
            return item == "*" || (item.hasPrefix("W/") ? item.dropFirst(2) : item).prefix { $0 != " " } == text
        }
    }
}

extension Answer {
    /// The same with a tag.
    public func tagged() -> Answer {
        var answer = self
        answer.headers[.eTag] = EntityTag(of: self).text
        return answer
    }

    /// The same; 304 where who asks has it already.
    public func unlessHad(by request: Request) -> Answer {
        guard let had = request.headers[.ifNoneMatch], let tag = headers[.eTag],
            EntityTag(text: tag).isNamed(by: had)
        else { return self }
        return Answer(status: .notModified, headers: [.eTag: tag])
    }
}

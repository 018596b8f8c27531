// SPDX-License-Identifier: Apache-2.0
// One answer, apart from any server.

public import Domain
public import HTTPTypes
public import Views

/// One answer.
public struct Answer: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: [UInt8]
    /// What is sent instead of `body`.
    public var file: FileBody?

    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static func json(_ view: some View, status: HTTPResponse.Status = .ok) -> Answer {
        json(bytes: view.json(), status: status)
    }

    public static func json(array views: [some View], status: HTTPResponse.Status = .ok) -> Answer {
        var writer = JSONWriter(capacity: 2 + views.count * 2048)
        writer.array(views)
        return json(bytes: writer.bytes, status: status)
    }

    /// An object whose members `body` writes.
    public static func json(status: HTTPResponse.Status = .ok, object body: (inout JSONWriter) -> Void) -> Answer {
        json(bytes: JSONWriter.object(body), status: status)
    }

    /// JSON that is bytes already.
    public static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status: status, headers: [.contentType: "application/json; charset=utf-8"], body: bytes)
    }

    /// `{}`.
    public static var empty: Answer { json(bytes: Array("{}".utf8)) }

    public static func html(_ page: String, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status: status, headers: [.contentType: "text/html; charset=utf-8"], body: Array(page.utf8))
    }

    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// Says that the request made an account, which others shall find by the time the answer arrives.
    public func registering(_ account: Principal.Account) -> Answer {
        var answer = self
        answer.headers[.registered] = "\(account.id) \(account.username.text)"
        return answer
    }

    public static func redirect(to location: String, status: HTTPResponse.Status = .seeOther) -> Answer {
        Answer(status: status, headers: [.location: location])
    }

    /// Adds the `Link` header with `rel="next"` (`max_id`) and `rel="prev"` (`min_id`), keeping the request's other query
    /// parameters; no link where the page is empty.
    public func linked(_ request: Request, site: Site, newest: Int64?, oldest: Int64?) -> Answer {
        let next = oldest.map { ("max_id", $0, "next") }
        let previous = newest.map { ("min_id", $0, "prev") }
        return linked(request, site, instead: ["max_id", "min_id", "since_id"], [next, previous].compactMap { $0 })
    }

    /// The same for a list that is paged by `offset`.
    ///
    /// - Parameters:
    ///   - next: where the next page begins; nil where there is none.
    ///   - previous: the same of the page before.
    public func linked(_ request: Request, site: Site, next: Int?, previous: Int?) -> Answer {
        let next = next.map { ("offset", Int64($0), "next") }
        let previous = previous.map { ("offset", Int64($0), "prev") }
        return linked(request, site, instead: ["offset"], [next, previous].compactMap { $0 })
    }

    private func linked(
        _ request: Request,
        _ site: Site,
        instead parameters: Set<String>,
        _ links: [(cursor: String, value: Int64, relation: String)]
    ) -> Answer {
        guard !links.isEmpty else { return self }
        let kept = request.query.split(separator: "&").filter { !parameters.contains(String($0.prefix { $0 != "=" })) }
        let texts = links.map { link in
            let query = (kept.map(String.init) + ["\(link.cursor)=\(link.value)"]).joined(separator: "&")
            return "<\(Answer.inLink("\(site.origin)\(request.path)?\(query)"))>; rel=\"\(link.relation)\""
        }
        var answer = self
        answer.headers[.link] = texts.joined(separator: ", ")
        return answer
    }

    /// The same for a page whose entries have these ids, in its order.
    public func linked<Kind>(_ request: Request, site: Site, _ ids: [ID<Kind>]) -> Answer {
        linked(request, site: site, newest: ids.first?.rawValue, oldest: ids.last?.rawValue)
    }

    /// The same for a page that is short because looking for entries ended somewhere, in the page's direction.
    ///
    /// - Parameter end: the id where it ended; nil where the page is full or nothing is left to look at.
    public func linked<Kind>(_ request: Request, site: Site, _ ids: [ID<Kind>], page: Page, end: ID<Kind>?) -> Answer {
        let (newest, oldest) = page.after == nil ? (nil, end) : (end, nil)
        return linked(
            request,
            site: site,
            newest: (newest ?? ids.first)?.rawValue,
            oldest: (oldest ?? ids.last)?.rawValue
        )
    }

    /// Percent-encodes what would end a link early or may not stand in a header.
    private static func inLink(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "<"), byte != UInt8(ascii: ">"),
                byte != UInt8(ascii: "\"")
            {
                bytes.append(byte)
            } else {
                bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension HTTPField.Name {
    /// A name written in code.
    public static func own(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return name
    }

    public static let link = own("Link")
    public static let requestID = own("X-Request-Id")
    public static let traceparent = own("traceparent")
    public static let internalSecret = own("X-Madang-Internal")
    /// On a 503 that says nothing about other requests.
    public static let hinders = own("X-Madang-Hinders")
    /// The id and the username of the account that a request made: what the gateway tells posts before it answers.
    public static let registered = own("X-Madang-Registered")
}

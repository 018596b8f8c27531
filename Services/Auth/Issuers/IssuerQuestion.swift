// SPDX-License-Identifier: Apache-2.0
// What issuers are asked.

import Domain
import Outbound
import Web

/// A document of an issuer, or a form that it takes.
struct IssuerQuestion: Sendable {
    let url: String
    /// Nil asks by GET.
    var form: [(name: String, value: String)]?
    /// Whether the operator named the host. Others were named by the issuer: those must be of the internet.
    let isOfOperator: Bool
}

struct IssuerAnswer: Sendable {
    let status: Int
    var cacheControl: String?
    let body: [UInt8]
}

/// An issuer that does not answer, or not with what it should: nobody is refused for it, they are asked to come again.
struct IssuerAway: ProblemConvertible {
    let cause: String
    var problem: Problem { .unavailable(cause: "issuer: \(cause)") }
}

typealias AskIssuer = @Sendable (IssuerQuestion) async throws -> IssuerAnswer

extension IssuerQuestion {
    /// Bytes: Google's and Apple's keys are some 3 KiB.
    static let longest = 256 << 10
    static let patience = Duration.seconds(5)

    /// Asks whoever is there.
    static func asking(by client: OutboundClient) -> AskIssuer {
        { question in
            guard let (host, port) = OutboundURL.endpoint(of: question.url) else {
                throw IssuerAway(cause: "no address")
            }
            var headers = [(name: "Accept", value: "application/json")]
            var body: [UInt8] = []
            if let form = question.form {
                headers.append((name: "Content-Type", value: "application/x-www-form-urlencoded"))
                body = Array(form.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&").utf8)
            }
            let request = OutboundRequest(
                question.form == nil ? .get : .post,
                question.url,
                headers: headers,
                body: body,
                limits: .init(bytes: longest, time: patience, redirects: 0),
                guard: question.isOfOperator ? .operators(host, port: port) : .anybody()
            )
            let answer: OutboundAnswer
            do {
                answer = try await client.send(request)
            } catch let failure as OutboundFailure {
                throw IssuerAway(cause: "\(failure)")
            }
            guard !answer.isCut else { throw IssuerAway(cause: "an answer of more than \(longest) bytes") }
            return IssuerAnswer(
                status: answer.status,
                cacheControl: answer.header("cache-control"),
                body: answer.body
            )
        }
    }
}

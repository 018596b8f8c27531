// SPDX-License-Identifier: Apache-2.0
// Errors as GIPHY's API has them (https://developers.giphy.com/docs/api/#response-codes).

import GatewayService
import HTTPTypes
import NIOHTTP1
import Views
import Web

/// A status that apps know, with an empty `data`.
struct GiphyFailure: Error, Equatable {
    let status: Int
    var retryAfter: String?
    /// The methods that the path has.
    var allowed: String?

    private init(status: Int, retryAfter: String?) {
        // GIPHY has no word for what is understood and cannot be.
        self.status = status == 422 ? 400 : status
        self.retryAfter = retryAfter
    }

    init(_ problem: Problem) {
        self.init(status: problem.status.code, retryAfter: problem.headers[.retryAfter])
        allowed = problem.headers[.allow]
    }

    /// Out of what media answered instead of what it was asked for.
    init(_ answer: ServiceAnswer) { self.init(status: answer.status, retryAfter: answer.retryAfter) }

    static let notFound = GiphyFailure(status: 404, retryAfter: nil)
    static let broken = GiphyFailure(status: 500, retryAfter: nil)

    var answer: WorkAnswer {
        let json = JSONWriter.object(capacity: 256) { json in
            json.array("data") { _ in }
            GiphyAnswer.writeMeta(status, HTTPResponseStatus(statusCode: status).reasonPhrase, to: &json)
        }
        return WorkAnswer(failure: status, body: json, retryAfter: retryAfter, allowed: allowed)
    }
}

// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id/search?q=: channels, members and messages of a playground.

package import Calls
package import Domain
import Surface
import Views
import Web

/// Finds things in a playground, for its members.
enum SearchPlayground {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        guard let playground = request.names.first.flatMap({ PlaygroundID($0) }) else { throw Problem.notFound }
        let parameters = try request.parameters()
        let text = try parameters.contains("q") ? parameters.sought() : ""
        let limit = try parameters.number("limit", default: 20, 1...50)
        let offset = try parameters.number("offset", default: 0, 0...1000)
        let found = try await request.find(
            text,
            [.channel, .account, .message],
            in: playground,
            limit: limit,
            offset: offset
        )
        guard found.answer.isGood else { throw ServiceRefusal(found.answer) }
        let shown = try WorkRequest.shown(found.answer.body)
        let json = JSONWriter.object { json in
            json.member("channels", json: shown.channels)
            json.member("members", json: shown.members)
            json.member("messages", json: shown.messages)
            json.object("highlights") { json in
                json.member("messages", excerptsOf: found.findings[.message], shown: shown.messages)
            }
        }
        return request.answer(json)
    }
}

extension WorkRequest {
    /// What search finds in a playground, and how chat answers to whether the caller may see it; chat alone decides that.
    package func find(
        _ text: String,
        _ kinds: [FoundKind],
        in playground: PlaygroundID,
        limit: Int = 20,
        offset: Int = 0
    ) async throws -> (findings: SearchFindings, answer: ServiceAnswer) {
        let findings = try await find(
            SearchQuestion(text, kinds, limit: limit, offset: offset, place: playground.rawValue)
        )
        var wanted = FoundInChat()
        wanted.playground = playground
        let name = text.trimmed
        if offset == 0, !name.isEmpty, name.utf8.count <= 1000 { wanted.name = name }
        wanted.channels = findings[.channel].map { ChannelID($0.id) }
        wanted.members = findings[.account].accounts
        wanted.messages = findings[.message].map { MessageID($0.id) }
        return (findings, try await ask(ServiceCall(.chat, askedByCaller: ChatCall.getFound, wanted)))
    }
}

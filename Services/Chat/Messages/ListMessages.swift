// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/channels/:id/messages: what was said in a channel.

import Domain
import HTTPTypes
import Web

/// A page of a channel's history: the newest first, or the oldest first after a point.
enum ListMessages {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let parameters = try request.parameters()
        let bounds = HistoryBounds(
            beforeSeq: try parameters.seq("before_seq"),
            afterSeq: try parameters.seq("after_seq"),
            afterChange: try parameters.seq("after_change"),
            before: try parameters.moment("before"),
            after: try parameters.moment("after"),
            limit: try parameters.limit(default: 50, maximum: 200)
        )
        let channel: ChannelID = try request.id()
        let page = try await HistoryStore.page(channel, viewer: viewer, bounds, in: dependencies.database)
        guard let messages = page else { throw Problem.notFound }
        return .messages(messages, site: dependencies.site)
            .paged(request, messages, byChange: bounds.afterChange != nil, limit: bounds.limit, site: dependencies.site)
    }
}

extension Answer {
    /// Links to what is older (`next`) and to what is newer (`prev`) than the page.
    fileprivate func paged(
        _ request: Request,
        _ messages: [MessageRow],
        byChange: Bool,
        limit: Int,
        site: Site
    ) -> Answer {
        guard let oldest = messages.map(\.seq).min(), let newest = messages.map(\.seq).max(),
            let changed = messages.map(\.change).max(), let channel = messages.first?.channelID
        else { return self }
        let address = "\(site.origin)/api/v1/channels/\(channel)/messages?limit=\(limit)"
        var answer = self
        answer.headers[.link] =
            byChange
            ? "<\(address)&after_change=\(changed)>; rel=\"next\""
            : "<\(address)&before_seq=\(oldest)>; rel=\"next\", <\(address)&after_seq=\(newest)>; rel=\"prev\""
        return answer
    }
}

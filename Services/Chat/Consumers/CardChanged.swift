// SPDX-License-Identifier: Apache-2.0
// A link has another preview: what that means for the messages that show it.

import Domain
import Serving

/// Keeps what is said of the link and tells those who see it in a message.
enum CardChanged {
    static func react(_ news: CardNews, at moment: Timestamp, again: Bool = false, in work: Work) async throws {
        let isNew = try await CardStore.keep(news, at: moment, repairing: again, in: work)
        guard isNew, !again else { return }
        let first = MessageID.first(at: moment - CardNews.told)
        for message in try await CardStore.messages(with: news.url, from: first, most: CardNews.most, in: work) {
            ChannelStore.hold(message.channel, in: work)
            guard try await MessageChangeStore.apply(.cardChanged, to: message.id, in: work),
                let row = try await MessageStore.row(message.id, in: work)
            else { continue }
            try work.tell(.message("message:edited", row), of: row)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a page says of itself by oEmbed (https://oembed.com), but for its HTML, which nobody is to show.

import Events
import FoundationEssentials
import MediaWork
import Views

struct OEmbed: Sendable {
    let type: CardSnapshot.Kind
    let title: String?
    let authorName: String?
    let authorURL: String?
    let providerName: String?
    let providerURL: String?
    let image: String?

    /// Nil for what is no answer by oEmbed.
    init?(_ bytes: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)),
            let type = answer.type.flatMap(CardSnapshot.Kind.init(rawValue:))
        else { return nil }
        self.type = type
        title = answer.title.flatMap { PlainText.clean($0, most: 300) }
        authorName = answer.author_name.flatMap { PlainText.clean($0, most: 100) }
        authorURL = answer.author_url.flatMap(LinkURL.canonical)
        providerName = answer.provider_name.flatMap { PlainText.clean($0, most: 100) }
        providerURL = answer.provider_url.flatMap(LinkURL.canonical)
        image = answer.thumbnail_url ?? (type == .photo ? answer.url : nil)
    }

    private struct Answer: Decodable {
        let type: String?
        let title: String?
        let author_name: String?
        let author_url: String?
        let provider_name: String?
        let provider_url: String?
        let thumbnail_url: String?
        let url: String?
    }
}

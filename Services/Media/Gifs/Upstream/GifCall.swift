// SPDX-License-Identifier: Apache-2.0
// What others are asked for.

import Crypto
import Domain

/// What somebody looks for in catalogues of others.
struct GifSearch: Sendable {
    /// Nil for what trends.
    let words: String?
    let kind: GifKind
    let rating: GifRating
    /// Nil where nobody said.
    let language: String?

    init(_ words: String?, _ asked: GifRequest) {
        self.words = words?.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        kind = asked.kind
        rating = asked.rating
        language = asked.language
    }
}

enum GifCall: Sendable {
    /// Always the same parts of a list, so that whoever pages through it otherwise finds them again.
    case part(GifSearch, number: Int)
    /// By ids as clients have them, of one catalogue and at most `most`.
    case gifs([String])

    /// GIFs in a part.
    static let size = 50
    /// Parts of a list: GIPHY answers offsets up to 4,999.
    static let parts = 0..<100
    /// Ids in a call.
    static let most = 25
    /// Bytes of an answer. Fifty of GIPHY's are some 600 KiB.
    static let longest = 1 << 20

    /// How long an answer is new.
    var lifetime: Duration {
        switch self {
        case .part: .seconds(600)
        case .gifs: GifCall.gifLifetime
        }
    }

    /// The same of a single GIF.
    static let gifLifetime = Duration.seconds(3600)
    /// How long an answer serves where there is none that is newer.
    static let serves = Duration.seconds(24 * 3600)

    /// Statuses by which somebody says that they have nothing.
    var nothing: Set<Int> {
        switch self {
        case .part: [400, 414, 422]
        case .gifs: [400, 404, 414, 422]
        }
    }

    /// SHA-256 of who is asked for what.
    func hash(_ provider: GifProvider.Name) -> [UInt8] {
        let words: [String]
        switch self {
        case .part(let search, let number):
            words = [
                "part", search.words ?? "", search.words == nil ? "trending" : "search", search.kind.name,
                search.rating.name, search.language ?? "", "\(number)",
            ]
        case .gifs(let ids): words = ["gifs"] + ids.sorted()
        }
        return Array(SHA256.hash(data: Array(([provider.rawValue] + words).joined(separator: "\n").utf8)))
    }
}

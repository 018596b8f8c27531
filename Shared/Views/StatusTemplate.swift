// SPDX-License-Identifier: Apache-2.0
// A post whose JSON is written once and shown to many.

public import Domain
public import Events

/// The JSON of a post, or of a boost of one, as everybody but its author sees it, with places for what a viewer has done with it.
public struct StatusTemplate: Sendable {
    private let json: [UInt8]
    private let holes: [Int]

    /// Nil for a post whose JSON does not last: links to files that not everybody may see end.
    public init?(
        _ post: PostSnapshot,
        author: AccountSnapshot,
        card: CardSnapshot?,
        boost: StatusView.Boost? = nil,
        site: Site
    ) {
        guard post.isLasting else { return nil }
        var writer = JSONWriter(capacity: 2048)
        StatusView(template: post, author: author, card: card, boost: boost, site: site).write(to: &writer)
        (json, holes) = (writer.bytes, writer.holes)
    }

    /// - Parameter viewer: nil when nobody is signed in.
    public func filled(for viewer: StatusView.Viewer?) -> some View { Filled(template: self, viewer: viewer) }

    private struct Filled: View {
        let template: StatusTemplate
        let viewer: StatusView.Viewer?

        func write(to json: inout JSONWriter) {
            json.raw(template.json, filling: template.holes, with: viewer?.commaMembers ?? [])
        }
    }
}

extension PostSnapshot {
    /// Whether its JSON lasts: links to files that not everybody may see end.
    public var isLasting: Bool { media?.isEmpty != false || visibility.isOpen }
}

extension StatusView.Viewer {
    /// The members as they follow others, each with a comma before it; of somebody who sees the post as everybody but its author.
    fileprivate var commaMembers: [UInt8] {
        Self.written[(favourited ? 1 : 0) | (boosted ? 2 : 0) | (bookmarked ? 4 : 0) | (muted ? 8 : 0)]
    }

    private static let written: [[UInt8]] = (0..<16).map { bits in
        let viewer = StatusView.Viewer(
            favourited: bits & 1 != 0,
            boosted: bits & 2 != 0,
            bookmarked: bits & 4 != 0,
            muted: bits & 8 != 0
        )
        let object = JSONWriter.object { viewer.writeMembers(to: &$0) }
        return [UInt8(ascii: ",")] + object.dropFirst().dropLast()
    }
}

// SPDX-License-Identifier: Apache-2.0
// Ids of GIFs as clients have them.

import Domain
import Web

/// Ours are digits alone. GIPHY's have letters; KLIPY's are made here of where a GIF stands and its slug: `klipy-gifs-hello-1`.
enum GifID: Hashable, Sendable {
    case own(MediaID)
    case upstream(String)

    init?(_ text: String) {
        if let id = MediaID(text) {
            self = .own(id)
        } else if (1...128).contains(text.utf8.count), UpstreamGif.isName(text.utf8),
            !text.utf8.allSatisfy({ (48...57).contains($0) })
        {
            self = .upstream(text)
        } else {
            return nil
        }
    }
}

extension Request {
    /// The id of a GIF in the path; throws a 404 for what is none.
    func gifID(_ name: String) throws -> GifID { try GifID(pathParameters[name] ?? "").found() }
}

/// A GIF of one's own catalogue, or of another's.
enum FoundGif: Sendable {
    case own(Gif)
    case upstream(UpstreamGif)
}

// SPDX-License-Identifier: Apache-2.0
// A playground as its row and as somebody sees it.

import Domain
import Events
import Postgres
import Views

/// A playground's row, with what is counted.
struct PlaygroundRow: Joined {
    let id: PlaygroundID
    let name: String
    let description: String
    let coverID: MediaID?
    let ownerID: AccountID
    let isOpen: Bool
    let defaultChannelID: ChannelID
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let version: Int64
    let membersCount: Int
    /// Nil without a cover, and until the file is ready.
    let cover: MediaProcessed?

    /// The columns of `playground_entries g` that `init(columns:)` reads.
    static let list = ColumnList(
        "g",
        """
        id, name, description, cover_id, owner_id, open, default_channel_id, created_at, updated_at,
        version, members_count, cover
        """
    )

    var snapshot: PlaygroundSnapshot {
        PlaygroundSnapshot(
            id: id,
            name: name,
            description: description,
            coverID: coverID,
            ownerID: ownerID,
            createdAt: createdAt,
            version: version,
            open: isOpen
        )
    }
}

extension PlaygroundRow {
    init(columns: inout Columns) throws { self = try columns.read(Self.init) }
}

/// A playground as clients see it.
struct PlaygroundView: ObjectView {
    enum Viewer: Sendable {
        /// For a message that many receive: without what differs from one to the other.
        case everyone
        /// Nil for an outsider.
        case role(ChatRole?)
    }

    let playground: PlaygroundRow
    let viewer: Viewer
    let site: Site

    init(_ playground: PlaygroundRow, viewer: Viewer = .everyone, site: Site) {
        self.playground = playground
        self.viewer = viewer
        self.site = site
    }

    init(_ seen: SeenPlayground, site: Site) { self.init(seen.playground, viewer: .role(seen.role), site: site) }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", playground.id)
        json.member("name", playground.name)
        json.member("description", playground.description)
        json.member("cover", playground.cover.map { CoverView(cover: $0, site: site) })
        json.member("owner_id", playground.ownerID)
        json.member("open", playground.isOpen)
        json.member("default_channel_id", playground.defaultChannelID)
        if case .role(let role) = viewer { json.member("role", role?.rawValue) }
        json.member("members_count", playground.membersCount)
        json.member("created_at", playground.createdAt)
        json.member("updated_at", playground.updatedAt)
    }
}

/// A playground's picture, which anybody may see who is invited.
private struct CoverView: ObjectView {
    let cover: MediaProcessed
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", cover.mediaID)
        json.member("type", cover.type.rawValue)
        json.member("url", site.files?.open(cover.original.url))
        json.member("preview_url", site.files?.open((cover.preview ?? cover.original).url))
        json.member("width", cover.original.width)
        json.member("height", cover.original.height)
        json.member("description", cover.description)
        json.member("blurhash", cover.blurhash)
    }
}

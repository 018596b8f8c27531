// SPDX-License-Identifier: Apache-2.0
// The rules of the files of a post.

import Domain
import Events
import Postgres
import Serving
import Web

/// Finds and checks the files that somebody wants a post to show.
enum Attachments {
    /// Waits for files whose readiness may be told at this moment.
    static func wait(for ids: [MediaID], _ dependencies: Dependencies) async throws {
        try await MediaNews.wait(
            for: ids,
            atMost: dependencies.limits.mediaPatience,
            now: dependencies.now,
            in: dependencies.database
        )
    }

    /// The files of a post in the order of `ids`, each of which becomes or stays the post's own.
    static func take(
        _ ids: [MediaID],
        for post: PostID,
        by author: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> [MediaSnapshot] {
        guard !ids.isEmpty else { return [] }
        let held = try await MediaStore.hold(ids, of: author, in: transaction)
        let media = try ids.map { id -> MediaProcessed in
            guard let file = held.first(where: { $0.id == id }) else {
                throw MediaNews.mayCome(id, now: dependencies.now()) ? Post.Rejection.fileNotReady : .fileNotFound
            }
            guard file.postID == nil || file.postID == post else { throw Post.Rejection.fileNotFound }
            guard let media = file.media else { throw Post.Rejection.fileFailed }
            return media
        }
        guard media.count <= 1 || media.allSatisfy({ $0.type == .image }) else { throw Post.Rejection.mixedFiles }
        let new = held.filter { $0.postID == nil }.map(\.id)
        if !new.isEmpty { MediaStore.attach(new, to: post, in: transaction) }
        return media.map { MediaSnapshot(shown: $0, description: dependencies.limits.mediaDescription) }
    }
}

extension Parameters {
    /// `media_ids`: each once, in the order given; nil when the client says nothing of files.
    func mediaIDs(most: Int) throws -> [MediaID]? {
        // A form sends an empty text where there is none.
        guard let given = try strings("media_ids")?.filter({ !$0.isEmpty }) else { return nil }
        var ids: [MediaID] = []
        for text in given {
            guard let id = MediaID(text) else { throw Post.Rejection.fileNotFound }
            if !ids.contains(id) { ids.append(id) }
        }
        guard ids.count <= most else { throw Post.Rejection.tooManyFiles(most) }
        return ids
    }

    /// `media_attributes`: what is to be said of the files of a post.
    func mediaAttributes(limits: Limits) throws -> [MediaAttributes] {
        let list = try list("media_attributes") ?? []
        guard list.count <= limits.media else { throw Post.Rejection.tooManyFiles(limits.media) }
        return try list.map { try MediaAttributes($0, limits: limits) }
    }
}

/// What an author changes of a file of a post; nil leaves a thing as it is.
struct MediaAttributes: Hashable, Sendable {
    let id: MediaID
    /// Empty for none.
    let description: String?
    let focus: FocusSnapshot?

    init(_ parameters: Parameters, limits: Limits) throws {
        guard let id: MediaID = try parameters.id("id") else { throw Post.Rejection.fileNotFound }
        self.id = id
        description = try parameters.string("description").map(\.withoutControls)
        if let description {
            guard !description.utf8.contains(0) else { throw Post.Rejection.unreadable("media_attributes") }
            guard description.unicodeScalars.count <= limits.mediaDescription else {
                throw Post.Rejection.longDescription(limits.mediaDescription)
            }
        }
        focus = try parameters.string("focus").flatMap { text in
            if text.isEmpty { return nil }
            guard let focus = FocusSnapshot(text) else { throw Post.Rejection.badFocus }
            return focus
        }
    }

    func applied(to media: MediaSnapshot) -> MediaSnapshot {
        guard media.id == id else { return media }
        var media = media
        if let description { media.description = description.isEmpty ? nil : description }
        media.focus = focus ?? media.focus
        return media
    }
}

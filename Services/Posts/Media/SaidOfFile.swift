// SPDX-License-Identifier: Apache-2.0
// What the owner of a file says of it, and the post that shows the file.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Web

enum SaidOfFile {
    /// Keeps what is said of a file that is ready, unless something newer is known. A post that shows the file says of it
    /// whatever is new; what an edit of the post said stays until its owner says something else.
    ///
    /// - Parameter again: whether it is told again: what is of the same version is put right.
    /// - Returns: whether it was kept.
    static func keep(_ media: MediaProcessed, again: Bool, in transaction: Transaction) async throws -> Bool {
        // The post before the file, as whoever edits or deletes it.
        if let post = try await MediaStore.post(of: media.mediaID, in: transaction) {
            let isPost = try await PostStore.lock(post, of: media.ownerID, in: transaction) != nil
            if !isPost { _ = try await ProjectStore.hold(ProjectID(post.rawValue), in: transaction) }
        }
        // Whoever attaches it at this moment is waited for.
        let held = try await MediaStore.hold([media.mediaID], of: media.ownerID, in: transaction).first
        guard try await MediaStore.keep(MediaNews(media), repairing: again, in: transaction) else { return false }
        if held == nil, again {
            for showing in MediaStore.Showing.allCases {
                MediaStore.restore(showing, of: media.mediaID, by: media.ownerID, in: transaction)
            }
        }
        if let post = held?.postID, let before = held?.media, before.subjectVersion < media.subjectVersion {
            try await say(
                of: post,
                what: MediaSnapshot(shown: media),
                insteadOf: MediaSnapshot(shown: before),
                transaction
            )
        }
        return true
    }

    private static func say(
        of id: PostID,
        what said: MediaSnapshot,
        insteadOf before: MediaSnapshot,
        _ transaction: Transaction
    ) async throws {
        guard said.description != before.description || said.focus != before.focus else { return }
        guard let shown = try await PostStore.entry(id, viewer: nil, in: transaction)?.post.media else {
            return try await say(of: ProjectID(id.rawValue), what: said, insteadOf: before, transaction)
        }
        let media = shown.saying(said, insteadOf: before)
        guard media != shown else { return }
        try MediaStore.show(media, in: id, transaction)
        let after = try await PostStore.entry(id, viewer: nil, in: transaction).found()
        try transaction.record(PostEdited(author: after.author, post: after.post, quiet: true))
    }

    /// Of a project nobody else keeps what is said of its pictures.
    private static func say(
        of id: ProjectID,
        what said: MediaSnapshot,
        insteadOf before: MediaSnapshot,
        _ transaction: Transaction
    ) async throws {
        guard let project = try await ProjectStore.hold(id, in: transaction)?.project else { return }
        let media = project.media.saying(said, insteadOf: before)
        guard media != project.media else { return }
        try ProjectStore.show(media, in: id, version: project.version + 1, transaction)
    }
}

extension [MediaSnapshot] {
    /// With what is new of one of them.
    fileprivate func saying(_ said: MediaSnapshot, insteadOf before: MediaSnapshot) -> [MediaSnapshot] {
        map { file in
            guard file.id == said.id else { return file }
            var file = file
            if said.description != before.description { file.description = said.description }
            if said.focus != before.focus { file.focus = said.focus }
            return file
        }
    }
}

extension MediaSnapshot {
    /// As a post shows it: events carry four of them.
    init(shown media: MediaProcessed, description limit: Int = MediaLimits.description) {
        self.init(media)
        description = description.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(limit))) }
    }
}

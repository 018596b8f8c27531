// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/gifs: an upload that everybody may find.

import Domain
import Events
import HTTPTypes
import Postgres
import Web

/// Who may put something into the catalogue, and who may read it without an account.
struct GifSettings: Sendable {
    enum Uploaders: String, CaseIterable, Sendable {
        case admins, everybody
    }

    var uploaders = Uploaders.admins
    /// Of apps; where there are none, nobody needs one.
    var keys: Set<String> = []
    /// How many an account may keep, how many collections it may have, and how many each may hold.
    var favourites = 5000
    var collections = 200
    var collected = 1000
    /// Who takes a GIF counts for so long.
    var lately = Duration.seconds(7 * 24 * 3600)
    /// Answers of others that are kept: with fifty GIFs of GIPHY each they take some 400 MB.
    var answers = 5000
    /// How long a GIF of others stays that nobody keeps any more.
    var unkept = Duration.seconds(24 * 3600)
}

enum AddGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        guard dependencies.gifs.uploaders == .everybody || account.administers else { throw Problem.forbidden }
        let parameters = try request.parameters()
        guard let id: MediaID = try parameters.id("media_id") else { throw Problem.invalid("media_id", "blank") }
        var text = GifText()
        try text.change(by: parameters)
        let (draft, now) = (text, dependencies.now())
        try await dependencies.database.transaction { transaction in
            let upload = try await UploadStore.lock(id, of: account.id, in: transaction)
            guard let upload, upload.state == .ready else { throw Problem.invalid("media_id", "invalid") }
            let new = (importer: account.id, name: account.username.text)
            guard try await add(upload, draft, by: new, source: nil, at: now, in: transaction) else {
                throw Problem.invalid("media_id", "taken")
            }
        }
        let gif = try await GifStore.gif(id, in: dependencies.database).found()
        return GifAnswer.one(.own(gif), request, dependencies)
    }

    /// Puts an upload that is ready into the catalogue, which keeps it from then on.
    ///
    /// - Returns: false where it, or one from the same file, is there already.
    static func add(
        _ upload: Upload,
        _ text: GifText,
        by importer: (importer: AccountID, name: String?),
        source: String?,
        at now: Timestamp,
        in transaction: Transaction
    ) async throws -> Bool {
        let bytes = try await GifStore.lengths(of: upload.id, in: transaction)
        let files = GifFiles(upload.media?.renditions ?? [:], bytes: bytes)
        guard files.isWhole else { throw Problem.invalid("media_id", "invalid") }
        var text = text
        if text.altText.isEmpty { text.altText = upload.text.description ?? "" }
        if text.title.isEmpty { text.title = String(text.altText.prefix(GifLimits.title)) }
        let gif = NewGif(
            id: upload.id,
            importer: importer.importer,
            importerName: importer.name,
            text: text,
            files: files,
            source: source,
            now: now
        )
        guard try await GifStore.insert(gif, in: transaction) else { return false }
        try await show(upload.id, [upload.id], at: now, in: transaction)
        return true
    }

    /// Notes what the catalogue shows under an id.
    static func show(_ id: MediaID, _ uploads: [MediaID], at now: Timestamp, in transaction: Transaction) async throws {
        let showing = Showing(
            kind: .gif,
            subject: id.rawValue,
            version: now.milliseconds,
            uploads: uploads,
            mayReplace: true
        )
        try await Uses.keep([showing], at: now, in: transaction)
    }
}

extension Principal.Account {
    var administers: Bool { role == .moderator || role == .admin }
}

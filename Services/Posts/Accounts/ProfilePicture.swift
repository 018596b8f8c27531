// SPDX-License-Identifier: Apache-2.0
// The pictures of a profile, and what may be one.

import Domain
import Events
import Postgres
import Serving
import Web

/// A picture of a profile, by the name of its field and of its place in what is kept of the profile.
enum ProfilePicture: String, CaseIterable, Sendable {
    case avatar, header

    /// The picture that was cut from a file for this place; nil for a file that came for something else.
    ///
    /// Old clients know no WebP.
    func snapshot(of media: MediaProcessed) -> PictureSnapshot? {
        let name = self == .avatar ? "square" : "header"
        let cut = media.renditions.flatMap { $0["\(name).jpg"] ?? $0["\(name).png"] }
        return cut.map { PictureSnapshot(id: media.mediaID, file: $0.url) }
    }

    /// The upload that somebody wants to show. A form sends an empty text where nothing was chosen.
    func chosen(_ parameters: Parameters) throws -> MediaID? {
        guard parameters.contains(rawValue) else { return nil }
        let text = try? parameters.string(rawValue)
        if text == "" { return nil }
        guard let id = text.flatMap({ MediaID($0) }) else { throw Problem.invalid(rawValue, "invalid") }
        return id
    }

    /// What it is to say of the picture; another picture is not what was said of the one before.
    func description(_ parameters: Parameters, limit: Int) throws -> String? {
        try parameters.text("\(rawValue)_description", limit: limit)?.withoutControls
            ?? (chosen(parameters) == nil ? nil : "")
    }
}

extension ProfileDraft {
    /// Sees what is known of the chosen files; throws for one that can never be shown.
    ///
    /// - Parameter account: held, so that a file that becomes ready meanwhile finds that it is awaited.
    mutating func takePictures(
        of account: AccountID,
        _ dependencies: Dependencies,
        _ transaction: some Transacting
    ) async throws {
        guard !pictures.isEmpty else { return }
        let files = try await MediaStore.files(Array(pictures.values), in: transaction)
        for (picture, id) in pictures {
            guard let file = files.first(where: { $0.id == id }) else {
                guard MediaNews.mayCome(id, now: dependencies.now()) else {
                    throw Problem.invalid(picture.rawValue, "invalid")
                }
                awaited[picture] = id
                continue
            }
            guard file.owner == account, let snapshot = file.media.flatMap(picture.snapshot) else {
                throw Problem.invalid(picture.rawValue, "invalid")
            }
            switch picture {
            case .avatar: extras.profile.avatar = snapshot
            case .header: extras.profile.header = snapshot
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// An upload as its owner sees it.

import Domain
import Events
import HTTPTypes
import ServiceKit
import Views
import Web

enum MediaAnswer {
    /// 202 as long as it is worked on, else as `show` says; waits for the end of the work, but no longer than `patience`.
    static func answer(_ upload: Upload, after patience: Duration, _ dependencies: Dependencies) async throws -> Answer
    {
        let upload = try await settled([upload.id], of: upload.owner, after: patience, dependencies).first.found()
        guard upload.state == .processing else { return try show(upload, dependencies) }
        return json(upload, .accepted, dependencies)
    }

    /// Uploads once none of them is worked on or one of them failed, or as they are when `patience` ends.
    static func settled(
        _ ids: [MediaID],
        of owner: AccountID,
        after patience: Duration,
        _ dependencies: Dependencies
    ) async throws -> [Upload] {
        let end = ContinuousClock.now + patience
        while true {
            let rings = dependencies.ended.rings
            let uploads = try await UploadStore.uploads(ids, of: owner, in: dependencies.database)
            let rest = end - .now
            guard uploads.contains(where: { $0.state == .processing }), rest > .zero,
                !uploads.contains(where: { $0.state == .failed })
            else { return uploads }
            // Another process may have them.
            await dependencies.ended.wait(after: rings, atMost: min(rest, .milliseconds(200)))
        }
    }

    /// 200 for a file that is ready, 206 for one that is not yet, 422 for one that will never be.
    static func show(_ upload: Upload, _ dependencies: Dependencies) throws -> Answer {
        switch upload.state {
        case .ready: return json(upload, .ok, dependencies)
        case .receiving, .processing: return json(upload, .partialContent, dependencies)
        case .failed: throw problem(upload.failure ?? "")
        }
    }

    private static func json(_ upload: Upload, _ status: HTTPResponse.Status, _ dependencies: Dependencies) -> Answer {
        .json(
            MediaView(upload.id, upload.media.map(MediaSnapshot.init), isOpen: false, site: dependencies.site),
            status: status
        )
    }

    /// - Parameter reason: as `MediaFailed` has it.
    static func problem(_ reason: String) -> Problem {
        let texts: [Language: String] =
            switch reason {
            case "unsupported":
                [
                    .english: "Files of this kind cannot be shown", .korean: "지원하지 않는 파일 형식입니다",
                    .japanese: "この種類のファイルには対応していません",
                ]
            case "too_large":
                [
                    .english: "The file has too many pixels or lasts too long", .korean: "파일이 너무 크거나 너무 깁니다",
                    .japanese: "ファイルが大きすぎるか長すぎます",
                ]
            case "empty":
                [.english: "The file is empty", .korean: "파일이 비어 있습니다", .japanese: "ファイルが空です"]
            default:
                [.english: "The file cannot be read", .korean: "파일을 읽을 수 없습니다", .japanese: "ファイルを読み取れません"]
            }
        return Problem(.unprocessableContent, "media-\(reason.replacing("_", with: "-"))", detail: texts)
    }
}

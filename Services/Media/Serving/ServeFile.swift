// SPDX-License-Identifier: Apache-2.0
// GET /media/o/:code/:name and /media/x/:until/:code/:name: the bytes of a stored file.

import Domain
import HTTPTypes
import Web

/// The link alone says whether the file may be seen: the database is not asked.
enum ServeFile {
    @Sendable static func open(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let name = request.pathParameters["name"] ?? ""
        guard dependencies.links.opens(name, code: request.pathParameters["code"] ?? "") else { throw Problem.notFound }
        return try await serve(name, "public", for: forever, request, dependencies)
    }

    @Sendable static func closed(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parts = request.pathParameters
        let name = parts["name"] ?? ""
        let end = dependencies.links.closes(name, until: parts["until"] ?? "", code: parts["code"] ?? "")
        guard let end, dependencies.now() < end else { throw Problem.notFound }
        // Nobody's cache keeps everything that is somebody's.
        return try await serve(name, "private", for: isArchive(name) ? "no-store" : forever, request, dependencies)
    }

    private static let forever = "max-age=31536000, immutable"

    /// - Parameters:
    ///   - audience: `public`, or `private` for what caches between must not keep.
    ///   - time: how long the link shows this file.
    static func serve(
        _ name: String,
        _ audience: String,
        for time: String,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let suffix = name.drop { $0 != "." }.dropFirst()
        let type = types[String(suffix)]
        let isDownload = type == nil || isArchive(name) || request.query.split(separator: "&").contains("download")
        let disposition = isDownload ? "attachment; filename=\"\(name)\"" : nil
        let caching = "\(audience), \(time)"
        if request.method == .get {
            let told = KeptFileHeaders(type: type ?? unknown, cacheControl: caching, disposition: disposition)
            if let link = dependencies.storage.link(to: name, headers: told, now: dependencies.now()) {
                // Asked again before the link ends.
                return Answer(status: .found, headers: [.location: link, .cacheControl: "\(audience), max-age=1800"])
            }
        }
        let file = try await dependencies.storage.open(name).found()
        let tag = EntityTag(name)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: caching, .acceptRanges: "bytes"]
        if request.headers[.ifNoneMatch].map(tag.isNamed) == true {
            return Answer(status: .notModified, headers: headers)
        }
        headers[.contentType] = type ?? unknown
        headers[.contentSecurityPolicy] = policy
        headers[.xContentTypeOptions] = "nosniff"
        headers[.resourcePolicy] = "cross-origin"
        headers[.contentDisposition] = disposition
        // A part of another file than the client has is of no use to it.
        let isSame = request.headers[.ifRange].map { $0 == tag.text } ?? true
        let wanted = isSame ? request.headers[.range] : nil
        switch ByteRange(wanted, of: file.size) {
        case .whole:
            var answer = Answer(headers: headers)
            answer.file = FileBody(file, 0..<file.size)
            return answer
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            var answer = Answer(status: .partialContent, headers: headers)
            answer.file = FileBody(file, range)
            return answer
        case .none:
            return Answer(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */\(file.size)"])
        }
    }

    /// Whatever is in a file, it cannot do anything where it is looked at.
    private static let policy =
        "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

    private static func isArchive(_ name: String) -> Bool { name.hasSuffix(".zip") }

    private static let unknown = "application/octet-stream"

    /// What is stored has a name that was given here, by what the file is.
    private static let types = [
        "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif", "mp4": "video/mp4",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg",
        "zip": "application/zip",
    ]
}

extension HTTPField.Name {
    fileprivate static let resourcePolicy = own("Cross-Origin-Resource-Policy")
}

// SPDX-License-Identifier: Apache-2.0
// Every setting of media.

import Domain
import Outbound
import ServiceKit
import Serving
import Surface
import Web

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    let links: MediaLinks
    /// Where files are kept; empty only where the setting is bad, which stops the start.
    let directory: String
    /// Where stored files are kept instead.
    let s3: S3Settings?
    let limits: Limits
    let gifs: GifSettings
    /// Others whose catalogues are asked besides.
    let gifProviders: [GifProvider]
    /// Files that are worked on at a time.
    let workers: Int
    let previews: Previews
    let exports: ExportSettings

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .media)
        links = settings.mediaLinks(service.site)
        directory =
            settings.parsed(
                "MADANG_MEDIA_DIRECTORY",
                expected: "the path of a folder, from the root",
                meaning: "where what comes is kept, and files without a bucket; the same folder for every process",
                parse: { $0.hasPrefix("/") ? $0 : nil }
            ) ?? ""
        s3 = S3Settings.read(&settings)
        var limits = Limits(sizes: settings.mediaLimits())
        limits.quota = settings.integer(
            "MADANG_MEDIA_QUOTA",
            default: 5 << 30,
            in: 0...1 << 50,
            meaning: "bytes that the files of one account may take, 0 unlimited"
        )
        self.limits = limits
        gifs = GifSettings(
            uploaders: settings.choice(
                "MADANG_GIF_UPLOADS",
                default: .admins,
                meaning: "who may put files into the catalogue of GIFs: admins (and moderators), or everybody"
            ),
            keys: Set(
                (settings.optional(
                    "MADANG_GIF_KEYS",
                    secret: true,
                    meaning:
                        "keys with which apps read the catalogue of GIFs, parted by commas; none lets everybody read"
                ) ?? "").split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
            )
        )
        gifProviders = GifProvider.read(&settings)
        workers = settings.integer(
            "MADANG_MEDIA_WORKERS",
            default: 2,
            in: 1...64,
            meaning: "files that a process works on at a time"
        )
        previews = Previews(
            areOn: settings.boolean(
                "MADANG_LINK_PREVIEWS",
                default: true,
                meaning: "whether pages that posts and messages link to are fetched for a preview"
            ),
            guard: .anybody(
                allowing: settings.parsed(
                    "MADANG_OUTBOUND_ALLOW",
                    default: "none",
                    expected: "addresses with ports, such as 10.1.2.3:443,[fd00::1]:80, or none",
                    meaning: "servers beside those of the internet that links may lead to, such as an intranet's",
                    parse: Guard.Endpoint.list
                ) ?? []
            )
        )
        var exports = ExportSettings()
        let days = settings.integer(
            "MADANG_EXPORT_DAYS",
            default: 7,
            in: 1...365,
            meaning: "days for which an archive of what is somebody's is kept"
        )
        exports.lifetime = .seconds(days * 24 * 3600)
        exports.bytes = settings.integer(
            "MADANG_EXPORT_LIMIT",
            default: 10 << 30,
            in: 1 << 20...1 << 50,
            meaning: "bytes of such an archive; files that find no room are left out"
        )
        self.exports = exports
    }

    func storage(now: @escaping @Sendable () -> Timestamp) throws -> Storage {
        try Storage(root: directory, bucket: s3.map { Bucket(settings: $0, client: .reusingConnections(), now: now) })
    }
}

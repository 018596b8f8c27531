// SPDX-License-Identifier: Apache-2.0
// The archive as a file: what services handed over, what media has itself, and what all of it is.

import Domain
import Events
import NIOCore
import Postgres
import ServiceKit
import Views
import Web

/// Writes from the beginning, however often: nothing of an earlier attempt is used.
struct WriteExport {
    /// Parts and files that are read at a time.
    private static let page = 16
    /// Bytes that a line about a file has at most.
    private static let line: Int64 = 16 * 1024

    private let export: Export
    private let dependencies: Dependencies
    private let moment: Timestamp
    private var zip: ZipWriter
    /// What the archive has, for its list.
    private var files: [(path: String, about: [UInt8])] = []
    /// Bytes that services handed over.
    private let handedOver: Int64
    /// Files of media that were looked at.
    private var seen: Int64 = 0
    /// Files that found no room, or are not there any more.
    private var leftOut: Set<MediaID> = []

    /// Writes the archive.
    ///
    /// - Parameter path: where.
    static func run(_ export: Export, at path: String, _ dependencies: Dependencies) async throws {
        let bytes = try await ExportPartStore.size(of: export.id, in: dependencies.database)
        var writing = try WriteExport(export, at: path, handedOver: bytes, dependencies)
        for service in ExportParts.services { try await writing.writePart(of: service) }
        Failpoint.reach("export.written")
        try await writing.writeFiles()
        try await writing.writeFileList()
        try await writing.writeGifs()
        try await writing.writeIndex()
        try await writing.zip.finish()
    }

    private init(_ export: Export, at path: String, handedOver: Int64, _ dependencies: Dependencies) throws {
        self.handedOver = handedOver
        self.export = export
        self.dependencies = dependencies
        moment = dependencies.now()
        zip = try ZipWriter(path: path)
    }

    // MARK: Of services

    private mutating func writePart(of service: String) async throws {
        var (last, open): (Int64, String?) = (-1, nil)
        while true {
            let parts = try await ExportPartStore.parts(
                of: export.id,
                from: service,
                after: last,
                limit: Self.page,
                in: dependencies.database
            )
            guard let newest = parts.last else { break }
            for part in parts {
                if part.file != open {
                    if open != nil { try await zip.end() }
                    open = part.file
                    try await begin(part.file, about: Array(part.about.utf8), expecting: handedOver)
                }
                try await zip.write(part.content)
            }
            last = newest.number
        }
        if open != nil { try await zip.end() }
    }

    private mutating func begin(_ file: String, about: [UInt8], expecting bytes: Int64) async throws {
        files.append((file, about))
        try await zip.begin(file, at: moment, packing: true, expecting: bytes)
    }

    // MARK: Of media

    /// The files as they are kept, the oldest first, as far as there is room.
    private mutating func writeFiles() async throws {
        let most = Int64(dependencies.exports.bytes)
        try await each { writing, upload, media in
            writing.seen += 1
            guard let file = try await writing.dependencies.storage.open(media.original.url),
                writing.zip.size + Int64(file.size) <= most
            else {
                writing.leftOut.insert(upload.id)
                return
            }
            try await writing.zip.begin(
                Self.path(of: upload, media),
                at: upload.created,
                packing: false,
                expecting: Int64(file.size)
            )
            var written = 0
            while written < file.size {
                let bytes = try await file.read(min(file.piece, file.size - written), at: written)
                try await writing.zip.write(Array(bytes.readableBytesView))
                written += bytes.readableBytes
            }
            try await writing.zip.end()
        }
    }

    private mutating func writeFileList() async throws {
        let words = ExportWords(
            en: "Your files, which are beside this list, and what you say they show.",
            ko: "올린 파일과 그 설명. 파일은 이 목록과 같은 폴더에 있습니다.",
            ja: "アップロードしたファイルとその説明。ファイルはこの一覧と同じフォルダーにあります。"
        )
        try await begin("media/media.json", about: words.json, expecting: seen * Self.line)
        try await zip.write(Array("[".utf8))
        var isFirst = true
        try await each { writing, upload, media in
            let isThere = !writing.leftOut.contains(upload.id)
            let line = JSONWriter.object { json in
                json.member("id", upload.id)
                json.member("file", isThere ? Self.path(of: upload, media) : nil)
                json.member("type", media.type.rawValue)
                json.member("mime_type", media.mimeType)
                json.member("purpose", upload.purpose)
                json.member("description", media.description)
                json.member("created_at", upload.created)
            }
            try await writing.zip.write(Array((isFirst ? "\n" : ",\n").utf8) + line)
            isFirst = false
        }
        try await zip.write(Array("\n]\n".utf8))
        try await zip.end()
    }

    /// Goes through the files that are ready.
    private mutating func each(
        _ body: (inout WriteExport, ExportedUpload, MediaProcessed) async throws -> Void
    ) async throws {
        var last = MediaID(0)
        while true {
            let uploads = try await ExportedUploadStore.uploads(
                of: export.account,
                after: last,
                limit: Self.page,
                in: dependencies.database
            )
            guard let newest = uploads.last else { return }
            for upload in uploads {
                guard let media = upload.media else { continue }
                try await body(&self, upload, media)
            }
            last = newest.id
        }
    }

    private static func path(of upload: ExportedUpload, _ media: MediaProcessed) -> String {
        "media/\(upload.id).\(EndJob.suffix(of: media.original.url))"
    }

    private mutating func writeGifs() async throws {
        let favourites = ExportWords(
            en: "GIFs that you like.",
            ko: "즐겨찾는 GIF.",
            ja: "お気に入りの GIF。"
        )
        try await begin("media/gif_favourites.json", about: favourites.json, expecting: 0)
        let list = try await ExportedGifStore.favourites(of: export.account, in: dependencies.database)
        try await zip.write(Array((list ?? "[]").utf8))
        try await zip.end()
        let collections = ExportWords(
            en: "Your collections of GIFs.",
            ko: "만든 GIF 모음.",
            ja: "作成した GIF コレクション。"
        )
        try await begin("media/gif_collections.json", about: collections.json, expecting: 0)
        try await zip.write(Array("[".utf8))
        var last: Int64?
        while true {
            let page = try await ExportedGifStore.collections(
                of: export.account,
                after: last ?? 0,
                limit: Self.page,
                in: dependencies.database
            )
            for collection in page {
                try await zip.write(Array(((last == nil ? "\n" : ",\n") + collection.json).utf8))
                last = collection.id
            }
            guard page.count == Self.page else { break }
        }
        try await zip.write(Array("\n]\n".utf8))
        try await zip.end()
    }

    // MARK: The list

    private mutating func writeIndex() async throws {
        let index = JSONWriter.object { json in
            json.member("id", export.id)
            json.member("account_id", export.account)
            json.member("site", dependencies.site.origin)
            json.member("asked_at", export.asked)
            json.member("made_at", moment)
            json.member("files_left_out", leftOut.count)
            json.array("files") { json in
                for (path, about) in files {
                    json.object { json in
                        json.member("path", path)
                        json.name("about")
                        if about.isEmpty { json.null() } else { json.raw(about) }
                    }
                }
            }
        }
        try await zip.begin("index.json", at: moment, packing: true, expecting: Int64(index.count))
        try await zip.write(index)
        try await zip.end()
    }
}

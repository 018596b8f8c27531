// SPDX-License-Identifier: Apache-2.0
// An entry of the catalogue of GIFs.

import Domain
import Events
import Postgres
import Serving

/// What is searched apart, as GIPHY does.
enum GifKind: Int, CaseIterable, Sendable {
    case gif = 1
    case sticker
    case text

    init?(_ name: String) {
        guard let kind = GifKind.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    var name: String { "\(self)" }
}

/// Who may see it, the mildest first.
enum GifRating: Int, CaseIterable, Sendable {
    case y
    case g
    case pg
    case pg13
    case r

    init?(_ name: String) {
        guard let rating = GifRating.allCases.first(where: { $0.name == name.lowercased() }) else { return nil }
        self = rating
    }

    var name: String { self == .pg13 ? "pg-13" : "\(self)" }
}

/// What is said of a GIF.
struct GifText: Equatable, Sendable {
    var kind = GifKind.gif
    var rating = GifRating.g
    var title = ""
    /// For those who cannot see it.
    var altText = ""
    /// Folded, each once.
    var tags: [String] = []
    /// Empty for none.
    var category = ""
    var subcategory = ""
    var language: String?
}

/// A row of `gifs`.
struct Gif: Joined {
    let id: MediaID
    /// 0 is the operator's command.
    let importer: AccountID
    /// Nil for nobody's, and for somebody's whom nobody may see.
    let importerName: String?
    let text: GifText
    let files: GifFiles
    let created: Timestamp
    let trended: Timestamp?

    static let list =
        ColumnList(
            "g",
            """
            id, importer_id, importer_name, kind, rating, title, alt_text, tags, category, subcategory, language, files,
            created_at, trended_at
            """
        ) + ColumnList(RestrictedAccounts.isHidden("g.importer_id"))

    init(columns: inout Columns) throws {
        id = try columns.next()
        importer = try columns.next()
        let importerName: String? = try columns.next()
        var text = GifText()
        text.kind = GifKind(rawValue: try columns.next()) ?? .gif
        text.rating = GifRating(rawValue: try columns.next()) ?? .r
        text.title = try columns.next()
        text.altText = try columns.next()
        text.tags = try columns.next()
        text.category = try columns.next()
        text.subcategory = try columns.next()
        text.language = try columns.next()
        self.text = text
        files = GifFiles(rows: try columns.next())
        created = try columns.next()
        trended = try columns.next()
        self.importerName = try columns.next() ? nil : importerName
    }
}

/// The stored files of a GIF, by what they are and how they are written: `fixed_height.webp`.
struct GifFiles: Sendable {
    struct File: Sendable {
        /// Of the stored file.
        let name: String
        let width: Int
        let height: Int
        let bytes: Int64
    }

    private let files: [String: File]

    /// - Parameter bytes: the lengths of stored files by their names.
    init(_ renditions: [String: RenditionSnapshot], bytes: [String: Int64]) {
        files = renditions.mapValues { rendition in
            File(
                name: rendition.url,
                width: rendition.width,
                height: rendition.height,
                bytes: bytes[rendition.url] ?? 0
            )
        }
    }

    init(rows: [String]) {
        let pairs = rows.compactMap { row -> (String, File)? in
            let parts = row.split(separator: " ")
            guard parts.count == 5, let width = Int(parts[2]), let height = Int(parts[3]), let bytes = Int64(parts[4])
            else { return nil }
            return (String(parts[0]), File(name: String(parts[1]), width: width, height: height, bytes: bytes))
        }
        files = Dictionary(pairs) { first, _ in first }
    }

    var rows: [String] {
        files.sorted { $0.key < $1.key }.map { key, file in
            "\(key) \(file.name) \(file.width) \(file.height) \(file.bytes)"
        }
    }

    /// Nil where there is none.
    subscript(key: String) -> File? { files[key] }

    /// Whether all is there without which nothing is shown.
    var isWhole: Bool {
        ["gif.gif", "original.mp4", "fixed_height.gif", "fixed_width.gif", "preview_gif.gif"].allSatisfy {
            files[$0].map { $0.width > 0 && $0.height > 0 && $0.bytes > 0 } ?? false
        }
    }
}

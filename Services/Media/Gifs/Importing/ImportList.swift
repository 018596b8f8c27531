// SPDX-License-Identifier: Apache-2.0
// What a list beside files says of them.

import Domain
import Foundation
import Web

/// `catalogue.json` or `catalogue.csv` in a folder that is imported: for each file, by its path in the folder, what
/// `POST /api/v1/gifs` takes as well. JSON is a list of objects, perhaps as the member `files`; CSV (RFC 4180) has the names in
/// its first line, and the tags of a file parted by `|`.
struct ImportList {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    private struct Entry: Decodable {
        let file: String
        let title: String?
        let alt_text: String?
        let tags: [String]?
        let category: String?
        let subcategory: String?
        let rating: String?
        let kind: String?
        let language: String?

        var fields: [(String, String)] {
            let texts: [(String, String?)] = [
                ("title", title), ("alt_text", alt_text), ("category", category), ("subcategory", subcategory),
                ("rating", rating), ("kind", kind), ("language", language), ("tags", tags?.joined(separator: ",")),
            ]
            return texts.compactMap { name, text in text.map { (name, $0) } }
        }
    }

    private struct Whole: Decodable {
        let files: [Entry]
    }

    private(set) var fields: [String: [(String, String)]] = [:]

    init(in folder: String) throws {
        if let json = FileManager.default.contents(atPath: "\(folder)/catalogue.json") {
            let decoder = JSONDecoder()
            guard
                let entries = (try? decoder.decode([Entry].self, from: json))
                    ?? (try? decoder.decode(Whole.self, from: json))?.files
            else { throw Unreadable(description: "catalogue.json is no list of files") }
            for entry in entries { fields[entry.file] = entry.fields }
        } else if let csv = FileManager.default.contents(atPath: "\(folder)/catalogue.csv") {
            var rows = CSV(String(decoding: csv, as: UTF8.self)).rows.map(\.fields)[...]
            let names = rows.popFirst() ?? []
            guard let place = names.firstIndex(of: "file") else {
                throw Unreadable(description: "catalogue.csv has no column file")
            }
            for row in rows where place < row.count {
                fields[row[place]] = zip(names, row).filter { $0 != "file" && !$1.isEmpty }.map { name, text in
                    (name, name == "tags" ? text.replacing("|", with: ",") : text)
                }
            }
        }
    }

    /// What is said of a file; where the list says nothing, what its path says.
    ///
    /// - Parameters:
    ///   - path: in the folder, such as `cats/angry-cat.gif`.
    ///   - usual: for all files, which the list overrides.
    func text(of path: String, usual: [(String, String)]) throws -> GifText {
        let parts = path.split(separator: "/").map(String.init)
        let name = ((parts.last ?? "") as NSString).deletingPathExtension
        let words = name.split { "-_ .".contains($0) }.map(String.init)
        var said = [("title", words.joined(separator: " ")), ("tags", words.joined(separator: ","))]
        if parts.count > 1 { said.append(("category", parts[0])) }
        if parts.count > 2 { said.append(("subcategory", parts[1])) }
        var parameters = Parameters()
        for (name, text) in said + usual + (fields[path] ?? []) { try parameters.add(name, text: Array(text.utf8)) }
        var text = GifText()
        try text.change(by: parameters)
        return text
    }
}

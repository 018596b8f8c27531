// SPDX-License-Identifier: Apache-2.0
// A form with files, read while it comes.

import Domain
import HTTPTypes
import Surface
import Web

/// What a form brought: its files are on the disk, its fields are here.
struct UploadForm {
    /// A file that came whole.
    struct File: Sendable {
        let id: MediaID
        let field: FileField
        /// Bytes, at least one.
        let length: Int
    }

    /// What there is to know of a form before it comes.
    struct Rules: Sendable {
        /// Which of its parts are files.
        let fields: [FileField]
        /// Whether a file that belongs to none of them is refused rather than forgotten, as thumbnails of clients are.
        let refusesOthers: Bool
        /// Bytes of a file.
        let mostOfFile: Int
        /// Bytes of all that is no file.
        let mostOfRest: Int
    }

    /// Which part of the form the bytes belong to.
    private enum Part {
        case none
        case file(FileField)
        case field(String)
        case other(String)
    }

    private(set) var files: [File] = []
    /// In the order in which they came.
    private(set) var fields: [(name: String, value: [UInt8])] = []
    /// Files that were begun; whoever does not keep them has to forget them.
    private(set) var begun: [MediaID] = []

    private let rules: Rules
    private let dependencies: Dependencies
    private var part = Part.none
    private var file: IncomingFile?
    private var length = 0
    private var kept = 0

    init(_ rules: Rules, _ dependencies: Dependencies) {
        self.rules = rules
        self.dependencies = dependencies
    }

    /// Reads all of it. A file without a byte is as if it were not there.
    mutating func read(_ body: UploadBody, contentType: String?) async throws {
        var stream = try MultipartStream(contentType: contentType)
        try await body.read { bytes in
            for piece in try stream.read(bytes) { try await take(piece) }
        }
        guard stream.isComplete else { throw Problem.badRequest("multipart") }
    }

    /// The fields by their names.
    func parameters() throws -> Parameters {
        var parameters = Parameters()
        for (name, value) in fields { try parameters.add(name, text: value) }
        return parameters
    }

    private mutating func take(_ piece: MultipartStream.Piece) async throws {
        switch piece {
        case .part(let name, .some):
            part = rules.fields.first { $0.isNamed(name) }.map { .file($0) } ?? .other(name)
        case .part(let name, .none):
            part = .field(name)
            fields.append((name, []))
            try keep(name.utf8.count)
        case .content(let content): try await take(content)
        case .partEnd:
            if case .file(let field) = part, let file, let id = begun.last {
                try await file.finish(length: length)
                files.append(File(id: id, field: field, length: length))
            }
            file = nil
            part = .none
        }
    }

    private mutating func take(_ content: [UInt8]) async throws {
        switch part {
        case .none: break
        case .other(let name):
            if rules.refusesOthers { throw Problem.invalid(String(name.prefix(100)), "unsupported") }
        case .field:
            try keep(content.count)
            fields[fields.count - 1].value += content
        case .file(let field):
            let file = try file ?? open(field)
            guard length + content.count <= rules.mostOfFile else {
                throw Problem(.contentTooLarge, "content-too-large", fields: [(field.name, "too_large")])
            }
            try await file.write(content, at: length)
            length += content.count
        }
    }

    private mutating func open(_ field: FileField) throws -> IncomingFile {
        guard files.count(where: { $0.field == field }) < field.most else {
            throw Problem.invalid(field.name, "too_many")
        }
        let id: MediaID = try dependencies.ids.next()
        let opened = try dependencies.storage.receive(id)
        begun.append(id)
        (file, length) = (opened, 0)
        return opened
    }

    private mutating func keep(_ count: Int) throws {
        kept += count
        guard kept <= rules.mostOfRest else { throw Problem.contentTooLarge }
    }
}

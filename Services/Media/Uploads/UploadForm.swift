// SPDX-License-Identifier: Apache-2.0
// A form with a file, read while it comes.

import HTTPTypes
import Web

/// What a form brought: its file is on the disk, its fields are here.
struct UploadForm {
    /// Bytes of the file.
    let length: Int
    let fields: Parameters

    /// Which part of the form the bytes belong to.
    private enum Part {
        case none
        case file
        case field(String)
        /// A thumbnail of the client's own: previews are made here.
        case ignored
    }

    /// - Parameter open: makes the place for the file.
    static func read(
        _ body: UploadBody,
        contentType: String?,
        limits: Limits,
        into open: () throws -> IncomingFile
    ) async throws -> UploadForm {
        var stream = try MultipartStream(contentType: contentType)
        var file: IncomingFile?
        var length = 0
        var part = Part.none
        var field: [UInt8] = []
        var kept = 0
        var fields = Parameters()
        try await body.read { bytes in
            for piece in try stream.read(bytes) {
                switch piece {
                case .part(let name, .some):
                    guard name == "file" else {
                        part = .ignored
                        continue
                    }
                    guard file == nil else { throw Problem.badRequest("file") }
                    file = try open()
                    part = .file
                case .part(let name, .none):
                    part = .field(name)
                    field = []
                    kept += name.utf8.count
                case .content(let content):
                    switch part {
                    case .file:
                        guard length + content.count <= limits.sizes.largest else {
                            throw Problem(.contentTooLarge, "content-too-large")
                        }
                        try await file?.write(content, at: length)
                        length += content.count
                    case .field:
                        kept += content.count
                        guard kept <= limits.fields else { throw Problem(.contentTooLarge, "content-too-large") }
                        field += content
                    case .none, .ignored: break
                    }
                case .partEnd:
                    if case .field(let name) = part { try fields.add(name, text: field) }
                    part = .none
                }
            }
        }
        guard stream.isComplete else { throw Problem.badRequest("multipart") }
        guard let file else { throw Problem.invalid("file", "blank") }
        guard length > 0 else { throw Problem.invalid("file", "blank") }
        try await file.finish(length: length)
        return UploadForm(length: length, fields: fields)
    }
}

// SPDX-License-Identifier: Apache-2.0
// What somebody uploads, from its first byte until nobody shows it.

import Domain
import Events
import MediaWork
import Postgres
import Serving
import Web

/// A row of `uploads`.
struct Upload: Columned {
    enum State: String, Sendable {
        /// Its bytes are still coming.
        case receiving
        /// Files are made of it, or will be.
        case processing
        case ready
        /// None could be made; `failure` says why.
        case failed
    }

    let id: MediaID
    let owner: AccountID
    let state: State
    let version: Int64
    let purpose: WorkOrder.Purpose
    let text: UploadText
    /// Bytes that will come.
    let length: Int64
    let received: Int64
    let expires: Timestamp?
    let failure: String?
    let media: MediaProcessed?

    static let columns: SQL = """
        id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media
        """

    init(columns: inout Columns) throws {
        id = try columns.next()
        owner = try columns.next()
        state = State(rawValue: try columns.next()) ?? .failed
        version = try columns.next()
        purpose = WorkOrder.Purpose(rawValue: try columns.next()) ?? .attachment
        text = try UploadText(columns: &columns)
        length = try columns.next()
        received = try columns.next()
        expires = try columns.next()
        failure = try columns.next()
        media = try columns.next()
    }
}

/// What the owner says of a file: what it shows, and where its middle is.
struct UploadText: Columned, Equatable {
    var description: String?
    var focus: FocusSnapshot?

    static let columns: SQL = "description, focus_x, focus_y"

    init() {}

    init(columns: inout Columns) throws {
        description = try columns.next()
        let x: Double? = try columns.next()
        let y: Double? = try columns.next()
        if let x, let y { focus = FocusSnapshot(x: x, y: y) }
    }

    /// Takes over what a request says; throws a problem for what cannot be.
    mutating func change(by parameters: Parameters) throws {
        if let description = try parameters.string("description") {
            guard description.unicodeScalars.count <= MediaLimits.description else {
                throw Problem.invalid("description", "too_long")
            }
            self.description = description.isEmpty ? nil : description
        }
        if let text = try parameters.string("focus"), !text.isEmpty {
            guard let focus = FocusSnapshot(text) else { throw Problem.invalid("focus", "invalid") }
            self.focus = focus
        }
    }

    /// What people may have made of a file.
    private static let purposes: [WorkOrder.Purpose] = [.attachment, .avatar, .header, .gif]

    /// What it will be; an attachment unless the request says otherwise.
    static func purpose(_ parameters: Parameters) throws -> WorkOrder.Purpose {
        guard let text = try parameters.string("purpose") else { return .attachment }
        guard let purpose = WorkOrder.Purpose(rawValue: text), purposes.contains(purpose) else {
            throw Problem.invalid("purpose", "inclusion")
        }
        return purpose
    }
}

extension MediaProcessed {
    /// The same files with what the owner says of them now, perhaps as another upload.
    func told(_ text: UploadText, version: Int64, as upload: Upload? = nil) -> MediaProcessed {
        MediaProcessed(
            mediaID: upload?.id ?? mediaID,
            ownerID: upload?.owner ?? ownerID,
            type: type,
            original: original,
            preview: preview,
            mimeType: mimeType,
            bytes: bytes,
            blurhash: blurhash,
            description: text.description,
            subjectVersion: version,
            focus: text.focus,
            colour: colour,
            duration: duration,
            renditions: renditions
        )
    }
}

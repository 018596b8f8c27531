// SPDX-License-Identifier: Apache-2.0
// Every statement of media: its text, its rows and its plan.

import Domain
import Events
import MediaWork
import Postgres
import Support
import Testing

@testable import MediaService

@Suite struct StatementTests {
    @Test func `every function of a store is called`() throws { try Self.catalogue.expectComplete() }

    @Test func `every statement is as agreed and walks an index`() async throws {
        try await Self.catalogue.expectStatements(migrations: MediaService.migrations, schema: "media")
    }

    // See Tests/Fixtures/statements/media.rows.sql.
    private static let owner = AccountID(1)
    private static let ready = MediaID(101)
    private static let receiving = MediaID(102)
    private static let processing = MediaID(103)
    private static let now = Timestamp(milliseconds: 1_780_000_000_000)
    private static let late = Timestamp(milliseconds: 1_900_000_000_000)
    private static let file = StoredFile(name: "00000000000000000000000000000101.jpg", bytes: 5)
    private static let loose = "00000000000000000000000000000107.jpg"

    private static let media = MediaProcessed(
        mediaID: processing,
        ownerID: owner,
        type: .image,
        original: RenditionSnapshot(url: file.name, width: 1, height: 1),
        mimeType: "image/jpeg",
        bytes: 5,
        subjectVersion: 2
    )

    private static let catalogue: StatementCatalogue = {
        var catalogue = StatementCatalogue("Media")
        uploads(&catalogue)
        jobs(&catalogue)
        files(&catalogue)
        uses(&catalogue)
        return catalogue
    }()

    private static func uploads(_ call: inout StatementCatalogue) {
        call("UploadStore.usage(of:in:)", walks: "uploads_owner") { _ = try await UploadStore.usage(of: owner, in: $0) }
        call("UploadStore.insert(_:in:)") {
            let new = NewUpload(
                id: MediaID(900_000),
                owner: owner,
                purpose: .attachment,
                text: UploadText(),
                length: 5,
                received: 5,
                now: now,
                expires: nil
            )
            _ = try await UploadStore.insert(new, in: $0)
        }
        call("UploadStore.upload(_:of:in:)", walks: "uploads_pkey") {
            _ = try await UploadStore.upload(ready, of: owner, in: $0)
        }
        call("UploadStore.lock(_:of:in:)", walks: "uploads_pkey") {
            _ = try await UploadStore.lock(ready, of: owner, in: $0)
        }
        call("UploadStore.describe(_:as:version:told:in:)", walks: "uploads_pkey") {
            try UploadStore.describe(ready, as: UploadText(), version: 3, told: media, in: $0)
        }
        call("UploadStore.take(_:of:at:in:)", walks: "uploads_pkey") {
            _ = try await UploadStore.take(receiving, of: owner, at: 3, in: $0)
        }
        call("UploadStore.advance(_:to:by:expires:in:)", walks: "uploads_pkey") {
            _ = try await UploadStore.advance(receiving, to: 4, by: 1, expires: now, in: $0)
        }
        call("UploadStore.finish(_:in:)", walks: "uploads_pkey") { UploadStore.finish(MediaID(202), in: $0) }
        call("UploadStore.isUsed(_:in:)", walks: "uploads_pkey") { _ = try await UploadStore.isUsed(ready, in: $0) }
        call("UploadStore.delete(_:in:)", walks: "uploads_pkey") {
            _ = try await UploadStore.delete([ready], in: $0)
        }
        call("UploadStore.unused(since:in:)", walks: "uploads_unused") {
            _ = try await UploadStore.unused(since: late, in: $0)
        }
        call("UploadStore.expired(at:in:)", walks: "uploads_expiring") {
            _ = try await UploadStore.expired(at: late, in: $0)
        }
        call("UploadStore.needed(_:in:)", walks: "uploads_pkey") {
            _ = try await UploadStore.needed([processing], in: $0)
        }
    }

    private static func jobs(_ call: inout StatementCatalogue) {
        call("JobStore.claim(at:lease:in:)", walks: "uploads_waiting") {
            _ = try await JobStore.claim(at: late, lease: .seconds(30), in: $0)
        }
        call("JobStore.renew(_:attempt:until:in:)", walks: "uploads_waiting") {
            _ = try await JobStore.renew(processing, attempt: 1, until: late, in: $0)
        }
        call("JobStore.putOff(_:attempt:until:counts:in:)", walks: "uploads_waiting") {
            try await JobStore.putOff(processing, attempt: 1, until: late, counts: true, in: $0)
        }
        call("JobStore.lock(_:attempt:in:)", walks: "uploads_waiting") {
            _ = try await JobStore.lock(processing, attempt: 1, in: $0)
        }
        call("JobStore.finish(_:keptBytes:in:)", walks: "uploads_pkey") {
            try JobStore.finish(media, keptBytes: 5, in: $0)
        }
        call("JobStore.fail(_:in:)", walks: "uploads_pkey") {
            let failure = MediaFailed(mediaID: processing, ownerID: owner, reason: "damaged", subjectVersion: 2)
            JobStore.fail(failure, in: $0)
        }
    }

    private static func files(_ call: inout StatementCatalogue) {
        call("FileStore.announce(_:at:in:)") { try await FileStore.announce([file], at: now, in: $0) }
        call("FileStore.keep(_:for:in:)", walks: "files_pkey") {
            _ = try await FileStore.keep([file], for: processing, in: $0)
        }
        call("FileStore.loosen(filesOf:at:in:)", walks: "renditions_pkey") {
            FileStore.loosen(filesOf: [ready], at: now, in: $0)
        }
        call("FileStore.loose(before:in:)", walks: "files_loose") {
            _ = try await FileStore.loose(before: late, in: $0)
        }
        call("FileStore.settle(_:in:)", walks: "renditions_file") { _ = try await FileStore.settle([loose], in: $0) }
        call("FileStore.known(_:in:)", walks: "files_pkey") { _ = try await FileStore.known([file.name], in: $0) }
    }

    private static func uses(_ call: inout StatementCatalogue) {
        call("UseStore.keep(_:at:in:)", walks: "uses_pkey") {
            let showing = Showing(kind: .post, subject: 101, version: 9, uploads: [processing], mayReplace: true)
            _ = try await UseStore.keep([showing], at: now, in: $0)
        }
        call("UseStore.lock(_:in:)", walks: "uploads_pkey") { try await UseStore.lock([ready], in: $0) }
        call("UseStore.settle(_:at:in:)", walks: "uses_upload") { UseStore.settle([ready], at: now, in: $0) }
        call("UseStore.forget(_:in:)", walks: "uses_upload") { UseStore.forget([ready], in: $0) }
        call("UseStore.forgetSubjects(before:in:)", walks: "subjects_touched") {
            _ = try await UseStore.forgetSubjects(before: late, in: $0)
        }
    }
}

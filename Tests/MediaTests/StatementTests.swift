// SPDX-License-Identifier: Apache-2.0
// Every statement of media: its text, its rows and its plan.

import Crypto
import Domain
import Events
import MediaWork
import Outbox
import Postgres
import Serving
import Support
import Testing

@testable import MediaService

@Suite struct StatementTests {
    @Test func `every function of a store is called`() throws { try Self.catalogue.expectComplete() }

    @Test func `every statement is as agreed and walks an index`() async throws {
        try await Self.catalogue.expectStatements(migrations: MediaService.migrations, schema: "media")
    }

    // See StatementRows.sql.
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
        exported(&catalogue)
        jobs(&catalogue)
        files(&catalogue)
        uses(&catalogue)
        links(&catalogue)
        covers(&catalogue)
        gifs(&catalogue)
        gifsFound(&catalogue)
        gifsKept(&catalogue)
        gifsOfOthers(&catalogue)
        erasures(&catalogue)
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
        call("UploadStore.uploads(_:of:in:)") { _ = try await UploadStore.uploads([ready], of: owner, in: $0) }
        call("UploadStore.claim(_:for:in:)") { _ = try await UploadStore.claim([MediaID(30_001)], for: owner, in: $0) }
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

    private static let gif = MediaID(21)
    private static let part = GifPart(offset: 0, limit: 25)
    private static let page = Page(limit: 20)

    private static func gifText(_ title: String) -> GifText {
        var text = GifText()
        text.title = title
        text.tags = ["cat", "new"]
        return text
    }

    private static func gifs(_ call: inout StatementCatalogue) {
        call("GifStore.insert(_:in:)") {
            let new = NewGif(
                id: MediaID(900_000),
                importer: owner,
                importerName: nil,
                text: gifText("cat"),
                files: GifFiles(rows: []),
                source: "new",
                now: now
            )
            _ = try await GifStore.insert(new, in: $0)
        }
        call("GifStore.change(_:to:in:)", walks: "gifs_pkey") { GifStore.change(gif, to: gifText("dog"), in: $0) }
        call("GifStore.delete(_:in:)", walks: "gif_favourites_gif") { GifStore.delete(gif, in: $0) }
        call("GifStore.gif(_:in:)", walks: "gifs_pkey") { _ = try await GifStore.gif(gif, in: $0) }
        call("GifStore.lock(_:in:)", walks: "gifs_pkey") { _ = try await GifStore.lock(gif, in: $0) }
        call("GifStore.gifs(_:in:)", walks: "gifs_pkey") { _ = try await GifStore.gifs([gif], in: $0) }
        call("GifStore.isImported(_:in:)", walks: "gifs_source") { _ = try await GifStore.isImported("21", in: $0) }
        call("GifStore.lengths(of:in:)", walks: "renditions_pkey") { _ = try await GifStore.lengths(of: gif, in: $0) }
        call("GifStore.share(_:with:at:in:)", walks: "renditions_pkey") {
            GifStore.share(gif, with: processing, at: now, in: $0)
        }
        call(
            "GifStore.recount(since:at:in:)",
            scansBecause: "four times an hour; whatever was taken in a week may be most of a table"
        ) {
            _ = try await GifStore.recount(since: Timestamp(milliseconds: 0), at: now, in: $0)
        }
        call("GifStore.agedTakings", walks: "gif_takings_taken") {
            _ = try await GifStore.agedTakings.forget(before: late, in: $0)
        }
    }

    private static func gifsFound(_ call: inout StatementCatalogue) {
        // See StatementRows.sql: the keys of a word do not depend on where it stands.
        call("GifSearchStore.search(_:_:in:)", walks: "gifs_keys") {
            _ = try await GifSearchStore.search(try #require(GifQuery("cat", .gif, .r)), part, in: $0)
        }
        call("GifSearchStore.trending(_:_:_:in:)", walks: "gifs_trending") {
            _ = try await GifSearchStore.trending(.gif, .r, part, in: $0)
        }
        call("GifSearchStore.category(_:_:_:_:_:in:)", walks: "gifs_category") {
            _ = try await GifSearchStore.category("1", "1", .gif, .r, part, in: $0)
        }
        call("GifSearchStore.nearest(_:without:limit:in:)", walks: "gifs_keys") {
            _ = try await GifSearchStore.nearest(try #require(GifQuery("cat", .gif, .r)), limit: 1, in: $0)
        }
        call("GifSearchStore.drawn(_:in:)", walks: "gifs_keys") {
            _ = try await GifSearchStore.drawn(try #require(GifQuery("cat", .gif, .r)), in: $0)
        }
        call("GifSearchStore.drawn(_:_:in:)", walks: "gifs_lot") {
            _ = try await GifSearchStore.drawn(.gif, .r, in: $0)
        }
        call("GifSearchStore.categories(_:_:in:)", walks: "gifs_category") {
            _ = try await GifSearchStore.categories(.gif, .r, in: $0)
        }
        call("GifTagStore.beginning(with:limit:in:)", walks: "gif_tags_pkey") {
            _ = try await GifTagStore.beginning(with: "ca", limit: 10, in: $0)
        }
        call("GifTagStore.beside(_:limit:in:)", walks: "gif_tags_gif") {
            _ = try await GifTagStore.beside("cat", limit: 10, in: $0)
        }
        call("GifTagStore.trending(limit:in:)", walks: "gifs_trending") {
            _ = try await GifTagStore.trending(limit: 10, in: $0)
        }
    }

    private static func gifsOfOthers(_ call: inout StatementCatalogue) {
        let answer = UpstreamGifs(gifs: [UpstreamGif(id: "new", json: "{}")], total: 1)
        let upstream = MediaID(100_007)
        let hash = Array(SHA256.hash(data: Array("7".utf8)))
        call("GifAnswerStore.answer(_:_:at:since:in:)", walks: "gif_answers_pkey") {
            _ = try await GifAnswerStore.answer(hash, 0..<25, at: now, since: Timestamp(milliseconds: 0), in: $0)
        }
        call("GifAnswerStore.claim(_:at:until:in:)") {
            _ = try await GifAnswerStore.claim([1], at: now, until: late, in: $0)
        }
        call("GifAnswerStore.release(_:in:)", walks: "gif_answers_pkey") {
            try await GifAnswerStore.release(hash, in: $0)
        }
        call("GifAnswerStore.keep(_:as:at:fresh:in:)") {
            try await GifAnswerStore.keep(answer, as: [1], at: now, fresh: late, in: $0)
        }
        call("GifAnswerStore.gifs(_:since:in:)", walks: "gif_answers_ids") {
            _ = try await GifAnswerStore.gifs(["gif7", "none"], since: Timestamp(milliseconds: 0), in: $0)
        }
        call("GifAnswerStore.aged", "old", walks: "gif_answers_touched") {
            _ = try await GifAnswerStore.aged.forget(before: late, in: $0)
        }
        call("GifAnswerStore.aged", "beyond", walks: "gif_answers_touched") {
            _ = try await GifAnswerStore.aged.forget(beyond: 5000, in: $0)
        }
        call("UpstreamGifStore.keep(_:as:at:in:)") {
            _ = try await UpstreamGifStore.keep(answer.gifs[0], as: MediaID(900_000), at: now, in: $0)
        }
        call("UpstreamGifStore.number(of:in:)", walks: "upstream_gifs_gif_key") {
            _ = try await UpstreamGifStore.number(of: "gif7", in: $0)
        }
        call("UpstreamGifStore.gif(_:in:)", walks: "upstream_gifs_gif_key") {
            _ = try await UpstreamGifStore.gif("gif7", in: $0)
        }
        call("UpstreamGifStore.old(before:in:)", walks: "upstream_gifs_touched") {
            _ = try await UpstreamGifStore.old(before: late, in: $0)
        }
        call("UpstreamGifStore.settle(_:at:in:)", walks: "gif_favourites_gif") {
            UpstreamGifStore.settle([upstream], at: now, in: $0)
        }
    }

    private static func gifsKept(_ call: inout StatementCatalogue) {
        call("GifFavouriteStore.standing(of:for:in:)", walks: "gif_favourites_pkey") {
            _ = try await GifFavouriteStore.standing(of: gif, for: owner, in: $0)
        }
        call("GifFavouriteStore.add(_:to:at:in:)", walks: "gifs_pkey") {
            try await GifFavouriteStore.add(gif, to: AccountID(2_000_000), at: 1, in: $0)
        }
        call("GifFavouriteStore.remove(_:from:in:)") {
            try await GifFavouriteStore.remove(gif, from: owner, in: $0)
        }
        call("GifFavouriteStore.list(of:_:in:)", walks: "gif_favourites_places") {
            _ = try await GifFavouriteStore.list(of: owner, page, in: $0)
        }
        call("GifCollectionStore.count(of:in:)", walks: "gif_collections_account") {
            _ = try await GifCollectionStore.count(of: owner, in: $0)
        }
        call("GifCollectionStore.make(_:of:named:at:in:)") {
            try await GifCollectionStore.make(900_000, of: owner, named: "new", at: now, in: $0)
        }
        call("GifCollectionStore.collection(_:of:in:)") {
            _ = try await GifCollectionStore.collection(21, of: owner, in: $0)
        }
        call("GifCollectionStore.list(of:_:in:)", walks: "gif_collections_account") {
            _ = try await GifCollectionStore.list(of: owner, page, in: $0)
        }
        call("GifCollectionStore.rename(_:of:to:in:)") {
            _ = try await GifCollectionStore.rename(21, of: owner, to: "new", in: $0)
        }
        call("GifCollectionStore.delete(_:of:in:)") {
            _ = try await GifCollectionStore.delete(21, of: owner, in: $0)
        }
        call("GifCollectionStore.gifs(in:_:in:)", walks: "gif_collected_places") {
            _ = try await GifCollectionStore.gifs(in: 21, page, in: $0)
        }
        call("GifCollectionStore.add(_:to:of:at:limit:in:)", walks: "gif_collected_pkey") {
            _ = try await GifCollectionStore.add(gif, to: 22, of: owner, at: 9, limit: 1000, in: $0)
        }
        call("GifCollectionStore.remove(_:from:of:in:)") {
            try await GifCollectionStore.remove(gif, from: 21, of: owner, in: $0)
        }
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

    private static func covers(_ call: inout StatementCatalogue) {
        @Sendable func hash(_ number: Int) -> [UInt8] {
            Array(SHA256.hash(data: Array("https://c.example/\(number)".utf8)))
        }
        call("CoverStore.cover(_:at:in:)", walks: "covers_pkey") {
            _ = try await CoverStore.cover(hash(1), at: now, in: $0)
        }
        call("CoverStore.touch(_:at:in:)", walks: "covers_pkey") {
            try await CoverStore.touch(hash(1), at: now, in: $0)
        }
        call("CoverStore.hold(in:)") { CoverStore.hold(in: $0) }
        call("CoverStore.claim(_:of:atOnce:at:until:in:)", walks: "covers_leased") {
            _ = try await CoverStore.claim(hash(0), of: "1.example", atOnce: 4, at: late, until: late, in: $0)
        }
        call("CoverStore.release(_:in:)", walks: "covers_pkey") { try await CoverStore.release(hash(3), in: $0) }
        call("CoverStore.lock(_:in:)", walks: "covers_pkey") { _ = try await CoverStore.lock(hash(3), in: $0) }
        call("CoverStore.keep(_:file:as:until:in:)", walks: "covers_pkey") {
            CoverStore.keep(hash(3), file: file.name, as: ready, until: late, in: $0)
        }
        call("CoverStore.leave(_:until:in:)", walks: "covers_pkey") {
            CoverStore.leave(hash(3), until: late, in: $0)
        }
        call("CoverStore.forget(before:in:)", walks: "covers_touched") {
            _ = try await CoverStore.forget(before: late, in: $0)
        }
    }

    private static let link = LinkID(1_003)
    private static let forgotten = LinkID(1_005)

    private static func links(_ call: inout StatementCatalogue) {
        let place = Teller.Place(after: [9000], limit: 250)
        call("RetoldStore.uploads(after:in:)", walks: "uploads_pkey") {
            _ = try await RetoldStore.uploads(after: place, in: $0)
        }
        call("RetoldStore.links(after:in:)", walks: "links_id_key") {
            _ = try await RetoldStore.links(after: place, in: $0)
        }
        call("LinkStore.mention(_:ids:at:in:)") {
            let showing = Showing(kind: .post, subject: 9, version: 9, mayReplace: true)
            let mention = Mention(showing: showing, url: "https://a.example/new")
            try await LinkStore.mention([mention], ids: [LinkID(900_000)], at: now, in: $0)
        }
        call("LinkStore.hold(in:)") { LinkStore.hold(in: $0) }
        call("LinkStore.claim(at:retry:lease:in:)", walks: "links_due") {
            _ = try await LinkStore.claim(at: late, retry: late, lease: late, in: $0)
        }
        call("LinkStore.lock(_:in:)", walks: "links_id_key") {
            let due = DueLink(id: link, url: "https://a.example/3", attempt: 0)
            _ = try await LinkStore.lock(due, in: $0)
        }
        call("LinkStore.finish(_:image:at:fresh:in:)", walks: "links_id_key") {
            let news = LinkPreviewReady(
                linkID: link,
                url: "https://a.example/3",
                card: CardSnapshot(url: "https://a.example/3", title: "a"),
                subjectVersion: 2
            )
            try LinkStore.finish(news, image: ready, at: now, fresh: late, in: $0)
        }
        call("LinkStore.leave(_:at:fresh:in:)", walks: "links_id_key") {
            LinkStore.leave(link, at: now, fresh: late, in: $0)
        }
        call("LinkStore.old(before:in:)", walks: "links_touched") { _ = try await LinkStore.old(before: late, in: $0) }
        call("LinkStore.settle(_:at:in:)", walks: "mentions_hash") {
            _ = try await LinkStore.settle([forgotten], at: now, in: $0)
        }
        call("LinkStore.agedMentions", walks: "mentions_ended") {
            _ = try await LinkStore.agedMentions.forget(before: late, in: $0)
        }
    }

    private static func exported(_ call: inout StatementCatalogue) {
        let (account, id, own) = (AccountID(300_006), ExportID(300_006), ExportID(300_008))
        @Sendable func writing(_ attempt: Int) -> Export {
            Export(
                id: ExportID(300_007),
                account: AccountID(300_007),
                state: .writing,
                asked: now,
                ready: nil,
                expires: nil,
                file: nil,
                bytes: nil,
                failure: nil,
                attempt: attempt
            )
        }
        let part = ExportPartRow(
            export: id,
            service: "posts",
            number: 7,
            file: "posts/posts.json",
            about: "",
            content: [91],
            isLast: false
        )
        call("ExportStore.ask(_:for:at:in:)") {
            _ = try await ExportStore.ask(ExportID(900_000), for: owner, at: now, in: $0)
        }
        call("ExportStore.newest(of:in:)", walks: "exports_account") {
            _ = try await ExportStore.newest(of: account, in: $0)
        }
        call("ExportStore.list(of:in:)", walks: "exports_account") {
            _ = try await ExportStore.list(of: account, in: $0)
        }
        call("ExportStore.export(_:of:in:)") {
            _ = try await ExportStore.export(id, of: account, in: $0)
        }
        call("ExportStore.delete(_:of:in:)") {
            _ = try await ExportStore.delete(own, of: AccountID(own.rawValue), in: $0)
        }
        call("ExportStore.erase(of:in:)", walks: "exports_account") {
            _ = try await ExportStore.erase(of: account, in: $0)
        }
        call("ExportStore.gathering(_:in:)", walks: "exports_pkey") {
            _ = try await ExportStore.gathering([id], in: $0)
        }
        call("ExportStore.settle(_:services:bytes:in:)", walks: "export_parts_pkey") {
            ExportStore.settle([id], services: 5, bytes: 1 << 20, in: $0)
        }
        call("ExportStore.claim(at:lease:in:)", walks: "exports_writing") {
            _ = try await ExportStore.claim(at: late, lease: .seconds(60), in: $0)
        }
        call("ExportStore.renew(_:until:in:)") {
            _ = try await ExportStore.renew(writing(1), until: late, in: $0)
        }
        call("ExportStore.putOff(_:until:counts:in:)") {
            try await ExportStore.putOff(writing(1), until: late, counts: true, in: $0)
        }
        call("ExportStore.finish(_:_:at:until:in:)") {
            _ = try await ExportStore.finish(writing(1), file, at: now, until: late, in: $0)
        }
        call("ExportStore.fail(_:_:in:)") {
            try await ExportStore.fail(writing(1), .broken, in: $0)
        }
        call("ExportStore.abandon(before:in:)", walks: "exports_gathering") {
            _ = try await ExportStore.abandon(before: late, in: $0)
        }
        call("ExportStore.expire(at:in:)", walks: "exports_ready") {
            _ = try await ExportStore.expire(at: late, in: $0)
        }
        call("ExportStore.forget(before:in:)", walks: "exports_ended") {
            _ = try await ExportStore.forget(before: late, in: $0)
        }
        call("ExportPartStore.keep(_:in:)") { ExportPartStore.keep([part], in: $0) }
        call("ExportPartStore.parts(of:from:after:limit:in:)", walks: "export_parts_pkey") {
            _ = try await ExportPartStore.parts(of: id, from: "posts", after: -1, limit: 16, in: $0)
        }
        call("ExportPartStore.size(of:in:)", walks: "export_parts_pkey") {
            _ = try await ExportPartStore.size(of: id, in: $0)
        }
        call("ExportPartStore.forget(of:in:)", walks: "export_parts_pkey") { ExportPartStore.forget(of: id, in: $0) }
        call("ExportPartStore.forgetEnded(in:)", walks: "exports_ended") {
            _ = try await ExportPartStore.forgetEnded(in: $0)
        }
        call("ExportedGifStore.favourites(of:in:)") {
            _ = try await ExportedGifStore.favourites(of: owner, in: $0)
        }
        call("ExportedGifStore.collections(of:after:limit:in:)", walks: "gif_collections_account") {
            _ = try await ExportedGifStore.collections(of: owner, after: 0, limit: 16, in: $0)
        }
        call("ExportedUploadStore.uploads(of:after:limit:in:)", walks: "uploads_of_owner") {
            _ = try await ExportedUploadStore.uploads(of: owner, after: MediaID(0), limit: 16, in: $0)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Media in process with a database and a folder of its own, and a worker that does what a test wants.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import MediaWork
import Outbox
import Postgres
import ServiceKit
import Serving
import Support
import Synchronization
import Testing
import Web

@testable import MediaService

typealias Somebody = Principal.Account

/// The service without a socket.
struct MediaWorld: Sendable {
    static let start = Timestamp(milliseconds: 1_767_323_045_678)
    static let secret = "a secret of the tests"
    static let logger = Logger(label: "media") { _ in SwiftLogNoOpLogHandler() }
    static let minji = Somebody(id: AccountID(1), username: Username("minji").unsafelyUnwrapped)
    static let haruto = Somebody(id: AccountID(2), username: Username("haruto").unsafelyUnwrapped)

    let dependencies: Dependencies
    let responder: Responder<Dependencies>
    let clock: SetClock
    let root: String

    /// Runs `body` with a new database and a new folder.
    static func run(
        limits: Limits = Limits(),
        gifs: GifSettings = GifSettings(),
        worker: @escaping @Sendable (WorkOrder) async throws -> WorkReport = copying,
        _ body: @Sendable (MediaWorld) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(
            path: "madang-media-\(UInt64.random(in: 0 ... .max))"
        )
        defer { try? FileManager.default.removeItem(at: root) }
        try await withDatabase(migrations: MediaService.migrations, schema: "media") { database, _ in
            try await body(MediaWorld(database, root: root.path, limits: limits, gifs: gifs, worker: worker))
        }
    }

    init(
        _ database: Database,
        root: String,
        limits: Limits,
        gifs: GifSettings,
        worker: @escaping @Sendable (WorkOrder) async throws -> WorkReport
    ) throws {
        let clock = SetClock(MediaWorld.start)
        var limits = limits
        limits.patience = .zero
        limits.longPatience = .zero
        let site = Site(domain: "madang.example", origin: "https://madang.example")
        let links = MediaLinks(site: site, key: "a key for the tests of media")
        let dependencies = Dependencies(
            database: database,
            ids: IDGenerator(slot: 0, now: { clock.now }),
            now: { clock.now },
            site: site.showing(links.shown { clock.now }),
            links: links,
            storage: try Storage(root: root),
            makeRenditions: worker,
            limits: limits,
            gifs: gifs
        )
        self.clock = clock
        self.root = root
        self.dependencies = dependencies
        responder = MediaService.service(worker).responder(
            dependencies,
            internalSecret: MediaWorld.secret,
            deadline: .seconds(60),
            logger: MediaWorld.logger
        )
    }

    /// What each upload begins with, so that it is taken for a picture.
    static let signature = "GIF89a"

    /// Keeps an upload as it came, in two formats and a smaller one, unless it says what is to become of it.
    static let copying: @Sendable (WorkOrder) async throws -> WorkReport = { order in
        let input = try Data(contentsOf: URL(filePath: order.input)).dropFirst(MediaWorld.signature.utf8.count)
        let text = String(decoding: input.prefix(100), as: UTF8.self)
        if text.hasPrefix("refuse ") {
            return .refused(WorkReport.Refusal(rawValue: String(text.dropFirst(7))) ?? .damaged)
        }
        if text.hasPrefix("crash") { throw Crash() }
        func rendition(_ name: String, _ file: String, _ mime: String, _ size: Int) throws -> Made.Rendition {
            let content = Data("\(name) of ".utf8) + input
            try content.write(to: URL(filePath: "\(order.directory)/\(file)"))
            return Made.Rendition(
                name: name,
                file: file,
                mime: mime,
                width: size,
                height: size / 2,
                bytes: Int64(content.count)
            )
        }
        return .made(
            Made(
                kind: .image,
                mime: "image/jpeg",
                width: 1000,
                height: 500,
                blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
                colour: "#336699",
                renditions: [
                    try rendition("original", "original.webp", "image/webp", 1000),
                    try rendition("original", "original.jpg", "image/jpeg", 1000),
                    try rendition("medium", "medium.jpg", "image/jpeg", 640),
                ]
            )
        )
    }

    struct Crash: Error {}

    private init(_ dependencies: Dependencies, _ clock: SetClock, root: String) {
        self.clock = clock
        self.root = root
        self.dependencies = dependencies
        responder = MediaService.service(dependencies.makeRenditions).responder(
            dependencies,
            internalSecret: MediaWorld.secret,
            deadline: .seconds(60),
            logger: MediaWorld.logger
        )
    }

    /// The same with other limits.
    func with(_ dependencies: Dependencies) -> MediaWorld { MediaWorld(dependencies, clock, root: root) }

    // MARK: Asking

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: String = "",
        as person: Somebody? = minji,
        app: Bool = false,
        isOwnApp: Bool = true,
        headers: HTTPFields = [:],
        form: String? = nil,
        upload: UploadBody? = nil
    ) async throws -> Answer {
        var request = Request(method: method, path: path, query: query, headers: headers, requestID: "a-request")
        if let form {
            request.headers[.contentType] = "application/x-www-form-urlencoded"
            request.body = Array(form.utf8)
        }
        request.upload = upload
        if app || person != nil {
            request.principal = Principal(
                account: app ? nil : person,
                appID: AppID(7),
                appName: "a test",
                sessionID: SessionID(8),
                scopes: try #require(ScopeSet("read write")),
                isOwnApp: isOwnApp,
                expires: clock.now + .seconds(300)
            )
        }
        return await responder.respond(to: request)
    }

    /// Uploads a file in a form.
    func upload(
        _ content: String,
        fields: [(String, String)] = [],
        as person: Somebody? = minji,
        path: String = "/api/v2/media",
        signature: String = signature
    ) async throws -> Answer {
        var body = ""
        for (name, value) in fields {
            body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../a.jpg\"\r\n"
        body += "Content-Type: text/html\r\n\r\n\(signature)\(content)\r\n--b--\r\n"
        return try await send(
            .post,
            path,
            as: person,
            headers: [.contentType: "multipart/form-data; boundary=b"],
            upload: UploadBody(Array(body.utf8))
        )
    }

    /// Uploads a file and has it worked on.
    func ready(_ content: String, as person: Somebody = minji) async throws -> MediaID {
        let id = try attachment(try await upload(content, as: person)).id
        _ = try await work()
        return try #require(MediaID(id))
    }

    /// Works on what waits longest; whether there was anything.
    func work() async throws -> Bool {
        try await JobWorker.step(dependencies, metrics: Metrics(), logger: MediaWorld.logger)
    }

    func workAll() async throws { while try await work() {} }

    // MARK: Looking

    /// The names of the files that are there.
    var files: [String] { paths(under: "files") }
    /// What came and is still there.
    var incoming: [String] { paths(under: "incoming") }
    var workplaces: [String] { paths(under: "work") }

    private func paths(under folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return all.filter { folder != "files" || $0.contains("/") }.map { String($0.split(separator: "/").last ?? "") }
            .sorted()
    }

    /// How many uploads there are.
    func uploads() async throws -> Int {
        try await dependencies.database.query("SELECT count(*) FROM uploads").number()
    }

    func events() async throws -> [TestEvent] {
        try await recordedEvents(in: dependencies.database).map(TestEvent.init)
    }

    func told() async throws -> [MediaProcessed] {
        try await recordedEvents(in: dependencies.database).filter { try TestEvent($0).type.contains("Processed") }
            .map { try JSONDecoder().decode(Envelope<MediaProcessed>.self, from: Data($0)).data }
    }
}

/// A MediaAttachment as clients read it.
struct Attachment: Decodable {
    let id: String
    let type: String
    let url: String?
    let preview_url: String?
    let description: String?
    let blurhash: String?
}

func attachment(_ answer: Answer) throws -> Attachment {
    try JSONDecoder().decode(Attachment.self, from: Data(answer.body))
}

extension Answer {
    /// The body, read from the file where it is one.
    func bytes() async throws -> [UInt8] {
        guard let file else { return body }
        return try await file.bytes()
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

// SPDX-License-Identifier: Apache-2.0
// What a page shows, asked of the page.

import Domain
import Events
import Foundation
import MediaWork
import Outbound
import Serving

enum FetchLink {
    /// It may be another time.
    enum Nobody: Error { case answers }

    private static let languages = "en, ko;q=0.9, ja;q=0.8, *;q=0.5"

    /// Nil where a page shows nothing; throws `Nobody` where none came.
    static func run(_ url: String, _ dependencies: Dependencies) async throws -> Preview? {
        let blocks = try await dependencies.blocks.list(in: dependencies.database)
        guard !isBlocked(url, blocks) else { return nil }
        let answer = try await ask(url, for: "text/html, application/xhtml+xml;q=0.9", dependencies)
        guard answer.status < 500, answer.status != 429 else { throw Nobody.answers }
        guard !isBlocked(answer.url, blocks) else { return nil }
        let (type, charset) = contentType(answer)
        guard answer.status == 200, type == "text/html" || type == "application/xhtml+xml", !answer.body.isEmpty else {
            return nil
        }
        let facts = try await facts(of: answer, charset: charset, dependencies)
        let embed = await oEmbed(facts, at: answer.url, blocks, dependencies)
        guard let title = facts.title ?? embed?.title else { return nil }
        let image = [facts.image, embed?.image].lazy.compactMap(\.self)
            .compactMap { OutboundURL.resolved($0, from: answer.url) }.first
        var picture: KeptPicture?
        if let image, !isBlocked(image, blocks) {
            picture = await CardPicture.fetch(image, dependencies)
        }
        // What was broken off is no page without a picture.
        try Task.checkCancellation()
        let card = CardSnapshot(
            url: url,
            title: title,
            description: facts.description ?? "",
            type: embed?.type ?? .link,
            authorName: embed?.authorName ?? facts.author,
            authorURL: embed?.authorURL,
            providerName: embed?.providerName ?? facts.siteName,
            providerURL: embed?.providerURL,
            image: picture?.rendition,
            blurhash: picture?.blurhash,
            imageDescription: picture == nil ? nil : facts.imageDescription,
            language: facts.language.flatMap(language),
            publishedAt: facts.publishedAt.flatMap { Timestamp(rfc3339: $0) }
        )
        return Preview(card: card, picture: picture.map { Preview.Picture(id: $0.id, file: $0.file) })
    }

    /// Throws `Nobody` unless somebody answered.
    static func ask(
        _ url: String,
        for types: String,
        bytes: Int = 1 << 20,
        _ dependencies: Dependencies
    ) async throws -> OutboundAnswer {
        let site = dependencies.site
        let request = OutboundRequest(
            .get,
            url,
            headers: [
                ("User-Agent", "Madang (+\(site.origin)) link previews"), ("Accept", types),
                ("Accept-Language", languages),
            ],
            limits: .init(bytes: bytes, time: dependencies.previews.time),
            guard: dependencies.previews.guard
        )
        do {
            return try await dependencies.outbound.send(request)
        } catch is OutboundFailure {
            // Also of what may not be asked: that it may not is for nobody to learn.
            throw Nobody.answers
        }
    }

    private static func facts(of answer: OutboundAnswer, charset: String?, _ dependencies: Dependencies) async throws
        -> PageFacts
    {
        let host = OutboundURL.endpoint(of: answer.url)?.host
        return try await dependencies.working(on: answer.body) { input, directory in
            let order = WorkOrder(input: input, directory: directory, purpose: .page, charset: charset, host: host)
            guard case .page(let facts) = try await dependencies.makeRenditions(order) else { return PageFacts() }
            return facts
        }
    }

    private static func isBlocked(_ url: String, _ blocks: BlockList) -> Bool {
        OutboundURL.endpoint(of: url).map { blocks.blocksLink(to: $0.host) } ?? false
    }

    private static func oEmbed(
        _ facts: PageFacts,
        at page: String,
        _ blocks: BlockList,
        _ dependencies: Dependencies
    ) async -> OEmbed? {
        guard let link = facts.oEmbed.flatMap({ OutboundURL.resolved($0, from: page) }), !isBlocked(link, blocks),
            let answer = try? await ask(link, for: "application/json", bytes: 128 << 10, dependencies),
            answer.status == 200, !answer.isCut
        else { return nil }
        return OEmbed(answer.body)
    }

    /// The type, in lower case, and the charset of an answer.
    private static func contentType(_ answer: OutboundAnswer) -> (type: String, charset: String?) {
        let parts = (answer.header("content-type") ?? "text/html").split(separator: ";")
        let type = parts.first.map { $0.filter { !$0.isWhitespace }.lowercased() } ?? ""
        let charset = parts.dropFirst().lazy.map { $0.filter { !$0.isWhitespace } }
            .first { $0.lowercased().hasPrefix("charset=") }.map { String($0.dropFirst("charset=".count).prefix(40)) }
        return (type, charset)
    }

    /// `ko` of `ko_KR`; nil for what is no language.
    private static func language(_ text: String) -> String? {
        let code = text.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return (2...3).contains(code.utf8.count) && code.utf8.allSatisfy { (97...122).contains($0) } ? code : nil
    }
}

extension Dependencies {
    /// Puts bytes where a worker may read them, for as long as `body` runs.
    func working<Value: Sendable>(
        on bytes: [UInt8],
        _ body: @Sendable (_ input: String, _ directory: String) async throws -> Value
    ) async throws -> Value {
        let id: MediaID = try ids.next()
        let workplace = try await storage.makeWorkplace(id, attempt: 1)
        do {
            let file = try storage.receive(id)
            try await file.write(bytes, at: 0)
            let value = try await body(storage.incoming(id), workplace)
            await storage.clear(workplace: workplace)
            await storage.forget(id)
            return value
        } catch {
            await storage.clear(workplace: workplace)
            await storage.forget(id)
            throw error
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a message may be.

import Domain
import Events
import Views
import Web

enum Message {
    /// A message as somebody wants to send it.
    struct Draft: Sendable {
        let text: String
        let language: String?
        let attachmentIDs: [MediaID]
        let gif: GifSnapshot?
        let replyToID: MessageID?
        let threadID: MessageID?
        /// With which a retry is known.
        let clientID: String?
    }

    /// What the author changes of a message; nil is left as it is.
    struct Revision: Sendable {
        let text: String
        let language: String?
    }

    /// Bytes of JSON that a text may take: an event holds more than one text.
    static let bytes = 24_000

    /// Whom a text names.
    struct Names: Sendable {
        var people: [Username] = []
        var wide: WideMention?

        init(in text: String, site: Site) {
            for name in PostText.mentions(in: text, domain: site.domain).prefix(Names.most) {
                switch name.text {
                case "channel": wide = .channel
                case "here": wide = wide ?? .here
                default: people.append(name)
                }
            }
        }

        /// Names beyond it are text.
        private static let most = 100
    }
}

extension Message.Draft {
    init(_ parameters: Parameters, idempotencyKey: String?, limits: Limits) throws {
        text = try Message.text(parameters, limits: limits) ?? ""
        language = try Message.language(parameters)
        attachmentIDs = try Message.attachments(parameters, limits: limits)
        gif = try Message.gif(parameters)
        replyToID = try parameters.id("reply_to_id")
        threadID = try parameters.id("thread_id")
        let key = try parameters.string("client_id") ?? idempotencyKey
        if let key, key.utf8.count > limits.clientID || key.utf8.contains(0) {
            throw Problem.invalid("client_id", "too_long")
        }
        clientID = key?.isEmpty == true ? nil : key
        guard !text.isBlank || !attachmentIDs.isEmpty || gif != nil else { throw Problem.invalid("text", "blank") }
    }

    /// The same bytes for the same wish, so that a retry is told from another message with its client id.
    var fingerprint: [UInt8] {
        var json = JSONWriter()
        json.array { json in
            json.string(text)
            json.string(language ?? "")
            json.array { json in for id in attachmentIDs { json.string(id.description) } }
            json.string(gif?.url ?? "")
            json.string(replyToID?.description ?? "")
            json.string(threadID?.description ?? "")
        }
        return json.bytes
    }
}

extension Message.Revision {
    init(_ parameters: Parameters, limits: Limits) throws {
        guard let text = try Message.text(parameters, limits: limits) else { throw Problem.invalid("text", "blank") }
        self.text = text
        language = try Message.language(parameters)
    }
}

extension Message {
    fileprivate static func text(_ parameters: Parameters, limits: Limits) throws -> String? {
        guard let text = try parameters.string("text") else { return nil }
        guard !text.utf8.contains(0) else { throw Problem.invalid("text", "invalid") }
        guard text.count <= limits.message, written(text) <= bytes else { throw Problem.invalid("text", "too_long") }
        return text
    }

    /// Bytes in an event, where a message stands in JSON within JSON.
    private static func written(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 7 : $1 == 0x22 || $1 == 0x5C ? 4 : 1) }
    }

    /// BCP 47 by its form: subtags of letters and digits.
    fileprivate static func language(_ parameters: Parameters) throws -> String? {
        guard let tag = try parameters.string("language"), !tag.isEmpty else { return nil }
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isWellFormed = parts.enumerated().allSatisfy { index, part in
            let lengths = index == 0 ? 2...3 : 1...8
            return lengths.contains(part.count)
                && part.allSatisfy { byte in
                    (97...122).contains(byte | 32) || (index > 0 && (48...57).contains(byte))
                }
        }
        guard isWellFormed, tag.utf8.count <= 35 else { throw Problem.invalid("language", "inclusion") }
        return tag
    }

    fileprivate static func attachments(_ parameters: Parameters, limits: Limits) throws -> [MediaID] {
        var ids: [MediaID] = []
        for text in try parameters.strings("attachment_ids") ?? [] {
            guard let id = MediaID(text) else { throw Problem.invalid("attachment_ids", "invalid") }
            if !ids.contains(id) { ids.append(id) }
            guard ids.count <= limits.attachments else { throw Problem.invalid("attachment_ids", "too_many") }
        }
        return ids
    }

    fileprivate static func gif(_ parameters: Parameters) throws -> GifSnapshot? {
        guard let gif = try parameters.nested("gif") else { return nil }
        func text(_ name: String, most: Int) throws -> String? {
            guard let text = try gif.string(name), !text.isEmpty else { return nil }
            guard text.utf8.count <= most, !text.utf8.contains(0) else { throw Problem.invalid("gif", "too_long") }
            return text
        }
        func address(_ name: String) throws -> String? {
            guard let address = try text(name, most: 2048) else { return nil }
            guard address.hasPrefix("https://"), !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 }) else {
                throw Problem.invalid("gif", "invalid")
            }
            return address
        }
        func pixels(_ name: String) throws -> Int {
            guard let pixels = try gif.integer(name), (1...20_000).contains(pixels) else {
                throw Problem.invalid("gif", "invalid")
            }
            return Int(pixels)
        }
        guard let id = try text("id", most: 100), let url = try address("url") else {
            throw Problem.invalid("gif", "invalid")
        }
        return GifSnapshot(
            id: id,
            url: url,
            previewURL: try address("preview_url") ?? url,
            width: try pixels("width"),
            height: try pixels("height"),
            title: try text("title", most: 300)?.withoutHidden ?? ""
        )
    }
}

extension String {
    /// Whether there is nothing to read.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

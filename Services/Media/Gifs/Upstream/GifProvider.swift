// SPDX-License-Identifier: Apache-2.0
// Catalogues of others, which are asked where one's own has too little.

import Outbound
import ServiceKit

/// Somebody who has GIFs, and the key with which an operator may ask them.
struct GifProvider: Sendable {
    /// In the order in which they are asked.
    enum Name: String, CaseIterable, Sendable {
        case giphy, klipy

        /// Whose GIF has this id.
        init(of id: String) { self = id.hasPrefix("klipy-") ? .klipy : .giphy }
    }

    let name: Name
    /// Stands in requests to them alone: in no answer, no row and no log.
    let key: String
    let server: ServerAddress

    /// Those whose keys are set.
    static func read(_ settings: inout Settings) -> [GifProvider] {
        var providers: [GifProvider] = []
        for name in Name.allCases {
            let title = name.rawValue.uppercased()
            let key = settings.parsed(
                "MADANG_\(title)_KEY",
                default: "none",
                secret: true,
                expected: "none, or 8 to 200 letters, digits, hyphens and underscores",
                meaning: "the key with which \(title) is asked where the catalogue of GIFs has too little",
                parse: { $0 == "none" || isKey($0) ? $0 : nil }
            )
            let server = settings.parsed(
                "MADANG_\(title)_URL",
                default: "https://api.\(name.rawValue).com",
                expected: "http or https, a host and perhaps a port",
                meaning: "where \(title)'s API is, such as behind an operator's own proxy",
                parse: ServerAddress.init
            )
            guard let key, key != "none", let server else { continue }
            providers.append(GifProvider(name: name, key: key, server: server))
        }
        return providers
    }

    private static func isKey(_ text: String) -> Bool {
        (8...200).contains(text.utf8.count) && UpstreamGif.isName(text.utf8)
    }

    /// What is sent; nil for what they have not.
    func request(_ call: GifCall, time: Duration, from site: String) -> OutboundRequest? {
        let path: String? =
            switch name {
            case .giphy: giphyPath(call)
            case .klipy: klipyPath(call)
            }
        guard let path else { return nil }
        return OutboundRequest(
            .get,
            server.origin + path,
            headers: [("User-Agent", "Madang (+\(site)) GIFs"), ("Accept", "application/json")],
            limits: .init(bytes: GifCall.longest, time: time),
            guard: .operators(server.hostName, port: server.port)
        )
    }

    /// Whether they do not know the key. KLIPY's stands in the path: a list that is not there is one of nobody, and of ids that are
    /// not there the answer repeats a wrong key.
    func refusesKey(_ answer: OutboundAnswer, to call: GifCall) -> Bool {
        switch (name, answer.status) {
        case (_, 401), (_, 403): true
        case (.klipy, 404):
            switch call {
            case .part: true
            case .gifs: String(decoding: answer.body, as: UTF8.self).contains(key)
            }
        default: false
        }
    }

    /// What they answered; nil for what is no answer of theirs.
    func read(_ answer: OutboundAnswer, to call: GifCall) -> UpstreamGifs? {
        guard let text = String(validating: answer.body, as: UTF8.self) else { return nil }
        var gifs: UpstreamGifs? =
            switch name {
            case .giphy: GiphyAnswers.read(text, to: call)
            case .klipy: KlipyAnswers.read(text, to: call)
            }
        gifs?.gifs.removeAll { $0.json.contains(key) }
        return gifs
    }
}

/// A GIF of somebody else.
struct UpstreamGif: Sendable, Equatable {
    /// As clients have it.
    let id: String
    /// An object in GIPHY's form.
    let json: String

    /// What ids, slugs and keys consist of: letters, digits, hyphens and underscores.
    static func isName(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}

/// A part of what somebody has.
struct UpstreamGifs: Sendable {
    var gifs: [UpstreamGif]
    /// How many there are in all.
    let total: Int
}

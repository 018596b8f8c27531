// SPDX-License-Identifier: Apache-2.0
// What a page says of itself.

import CXML
import FoundationEssentials
import Glibc
package import MediaWork

/// Reads HTML that strangers wrote.
package enum Page {
    /// Characters of each text.
    private static let longest = 500
    private static let longestTitle = 300
    /// Bytes of a link.
    private static let longestLink = 2048
    /// More elements than a megabyte of a page has that anybody reads.
    private static let mostNodes = 400_000

    /// - Parameters:
    ///   - charset: by the `Content-Type` of whoever sent it.
    ///   - host: whose page it is.
    package static func facts(of bytes: [UInt8], charset: String?, host: String? = nil) -> PageFacts {
        let text = Charset.utf8(bytes, named: charset, host: host)
        guard !text.isEmpty, text.count < Int32.max else { return PageFacts() }
        let document = text.withUnsafeBytes {
            madang_read_html($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        guard let document else { return PageFacts() }
        defer { xmlFreeDoc(document) }
        var said = Said()
        var node = xmlDocGetRootElement(document)
        var seen = 0
        // In the order of the document, without a call for each depth of it.
        while let here = node, seen < mostNodes {
            seen += 1
            if here.pointee.type == XML_ELEMENT_NODE { said.note(here) }
            var next = here.pointee.children ?? here.pointee.next
            var above = here.pointee.parent
            while next == nil, let parent = above, parent.pointee.type == XML_ELEMENT_NODE {
                next = parent.pointee.next
                above = parent.pointee.parent
            }
            node = next
        }
        return said.facts
    }

    static func facts(of order: WorkOrder) throws -> PageFacts {
        guard let data = FileManager.default.contents(atPath: order.input) else { throw WorkFailed.cannotRead }
        return facts(of: Array(data), charset: order.charset, host: order.host)
    }

    /// What was found so far; of everything the first counts.
    private struct Said {
        private var meta: [String: String] = [:]
        private var title: String?
        private var oEmbed: String?
        private var language: String?

        mutating func note(_ node: xmlNodePtr) {
            switch Page.text(node.pointee.name).lowercased() {
            case "meta":
                guard let name = Page.attribute("property", of: node) ?? Page.attribute("name", of: node),
                    let content = Page.attribute("content", of: node), !content.isEmpty, name.utf8.count <= 100
                else { return }
                let key = name.lowercased().filter { !$0.isWhitespace }
                if meta[key] == nil, meta.count < 1000 { meta[key] = content }
            case "title" where title == nil:
                let content = xmlNodeGetContent(node)
                defer { madang_release_text(content) }
                title = Page.text(content)
            case "link" where oEmbed == nil:
                guard Page.attribute("type", of: node)?.lowercased().hasPrefix("application/json+oembed") == true else {
                    return
                }
                oEmbed = Page.attribute("href", of: node)
            case "html" where language == nil: language = Page.attribute("lang", of: node)
            default: break
            }
        }

        var facts: PageFacts {
            var facts = PageFacts()
            facts.title =
                text(["og:title", "twitter:title"], most: longestTitle)
                ?? title.flatMap { PlainText.clean($0, most: longestTitle) }
            facts.description = text(["og:description", "twitter:description", "description"], most: longest)
            facts.siteName = text(["og:site_name", "application-name"], most: 100)
            facts.type = text(["og:type"], most: 40)
            facts.image = link([
                "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
            ])
            facts.imageDescription = text(["og:image:alt", "twitter:image:alt"], most: longest)
            facts.oEmbed = oEmbed.flatMap(Said.link)
            facts.author = text(["author", "dc.creator"], most: 100)
            facts.language = (language ?? meta["og:locale"]).flatMap { PlainText.clean($0, most: 20) }
            facts.publishedAt = text(["article:published_time", "og:article:published_time"], most: 40)
            return facts
        }

        private func text(_ names: [String], most: Int) -> String? {
            names.lazy.compactMap { meta[$0] }.compactMap { PlainText.clean($0, most: most) }.first
        }

        private func link(_ names: [String]) -> String? {
            names.lazy.compactMap { meta[$0] }.compactMap(Said.link).first
        }

        private static func link(_ text: String) -> String? {
            let scalars = text.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }
            let link = String(String.UnicodeScalarView(scalars))
            return link.isEmpty || link.utf8.count > longestLink ? nil : link
        }
    }

    private static func attribute(_ name: String, of node: xmlNodePtr) -> String? {
        guard let value = xmlGetProp(node, name) else { return nil }
        defer { madang_release_text(value) }
        return text(value)
    }

    private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String {
        guard let bytes else { return "" }
        // No text of a page that counts is longer.
        let count = min(strlen(UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)), 64 << 10)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

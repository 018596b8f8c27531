// SPDX-License-Identifier: Apache-2.0
// Links to stored files: who has one may see the file, and nobody makes one.

import Domain
import ServiceKit
import Testing

@testable import Web

@Suite struct MediaLinksTests {
    private static let site = Site(domain: "madang.example", origin: "https://madang.example")
    private static let name = "0123456789abcdef0123456789abcdef.jpg"
    private let links = MediaLinks(site: site, key: "a key of sixteen")

    /// The parts of a link's path behind `/media/`.
    private func parts(_ link: String) throws -> [String] {
        let prefix = "https://madang.example/media/"
        try #require(link.hasPrefix(prefix))
        return link.dropFirst(prefix.count).split(separator: "/").map(String.init)
    }

    @Test func anOpenLinkIsGoodForItsFileAlone() throws {
        let parts = try parts(links.open(Self.name))
        #expect(parts.count == 3 && parts[0] == "o" && parts[2] == Self.name)
        #expect(links.opens(Self.name, code: parts[1]))
        #expect(!links.opens("1" + Self.name.dropFirst(), code: parts[1]))
        #expect(!links.opens(Self.name, code: String(parts[1].dropLast())))
        #expect(!MediaLinks(site: Self.site, key: "another key of16").opens(Self.name, code: parts[1]))
    }

    @Test(arguments: [0, 1, 86_399_999, 86_400_000, 1_795_000_000_000] as [Int64])
    func aClosedLinkIsGoodForSevenToEightDays(milliseconds: Int64) throws {
        let now = Timestamp(milliseconds: milliseconds)
        let parts = try parts(links.closed(Self.name, now: now))
        #expect(parts.count == 4 && parts[0] == "x")
        let until = try #require(links.closes(Self.name, until: parts[1], code: parts[2]))
        #expect(until - now > .seconds(7 * 86_400) && until - now <= .seconds(8 * 86_400))
        #expect(links.closes(Self.name, until: parts[1] + "z", code: parts[2]) == nil)
        #expect(!links.opens(Self.name, code: parts[2]), "a closed link opens nothing for ever")
    }

    @Test func aClosedLinkMayBeGoodUntilAMoment() throws {
        let end = Timestamp(milliseconds: 1_795_000_000_000)
        let parts = try parts(links.closed(Self.name, until: end))
        #expect(links.closes(Self.name, until: parts[1], code: parts[2]) == end)
        #expect(links.closes(Self.name, until: parts[1] + "0", code: parts[2]) == nil)
    }

    @Test func aClosedLinkStaysTheSameForADay() {
        let midnight: Int64 = 20_000 * 86_400_000
        let first = links.closed(Self.name, now: Timestamp(milliseconds: midnight))
        #expect(links.closed(Self.name, now: Timestamp(milliseconds: midnight + 86_399_999)) == first)
        #expect(links.closed(Self.name, now: Timestamp(milliseconds: midnight + 86_400_000)) != first)
    }

    @Test(arguments: [
        "", ".jpg", "../../../../../../../../../etc/passwd", "0123456789abcdef0123456789abcdeF.jpg",
        "0123456789abcdef0123456789abcdef.", "0123456789abcdef0123456789abcdef.j/g",
        "0123456789abcdef0123456789abcdef.jpegxx", "0123456789abcdef0123456789abcdef\0jpg",
    ])
    func nothingElseIsAName(text: String) throws {
        #expect(!StoredFileName.isOne(text))
        let parts = try parts(links.open(text))
        #expect(!links.opens(text, code: parts[1]))
    }

    @Test func aNameIsMadeOfWhatIsInTheFile() {
        let name = StoredFileName.of(digest: [UInt8](0..<32), suffix: "webp")
        #expect(name == "000102030405060708090a0b0c0d0e0f.webp" && StoredFileName.isOne(name))
    }

    @Test(arguments: [
        "https://covers.example/b/1-M.jpg", "http://c.example/?f=%EC%B1%85&x=/~?>", "https://c.example/책",
    ])
    func aLinkToACoverIsGoodForItsPictureAlone(url: String) throws {
        let link = links.cover(url)
        let parts = try parts(link)
        #expect(parts.count == 3 && parts[0] == "c")
        #expect(links.covers(parts[2], code: parts[1]) == url)
        #expect(links.covers(parts[2] + "A", code: parts[1]) == nil)
        #expect(links.covers(CoverLink.address(of: url + "?"), code: parts[1]) == nil)
        #expect(MediaLinks(site: Self.site, key: "another key of16").covers(parts[2], code: parts[1]) == nil)
        #expect(!links.opens(parts[2], code: parts[1]))
        #expect(CoverLink.source(of: link) == url)
    }

    @Test(arguments: [
        "", "a", "https://a.example/", "https://a.example/media/c/1/aHR0cHM", "https://a.example/media/o/x/a.jpg",
        "https://madang.example/media/c/0123456789abcdef0123456789abcdef/",
        "media/c/0123456789abcdef0123456789abcdef/a=b",
        "https://madang.example/media/c/0123456789abcdef0123456789abcdef/_w",
    ])
    func noOtherLinkLeadsToACover(link: String) { #expect(CoverLink.source(of: link) == nil) }

    @Test func aShortKeyStopsTheStart() {
        var settings = Settings(environment: ["MADANG_MEDIA_LINK_KEY": "short"])
        _ = settings.mediaLinks(Self.site)
        #expect(throws: Settings.Invalid.self) { try settings.finish() }
    }
}

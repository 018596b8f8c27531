// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaWork
import Testing

@Suite struct ContentTests {
    @Test func knowsEveryKindThatIsTaken() throws {
        let shop = try Workshop()
        let kinds = try shop.everyKind().map { Content($0.bytes) }
        #expect(kinds == Content.allCases)
    }

    @Test(arguments: Strangers.texts)
    func takesNothingElse(_ text: String) {
        #expect(Content(Data(text.utf8)) == nil)
    }

    @Test func takesNoBytesThatBeginOtherwise() {
        #expect(Content([UInt8]()) == nil)
        #expect(Content([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]) == nil)
        #expect(Content([0x50, 0x4B, 3, 4]) == nil)
        #expect(Content([0, 1, 0, 0, 0, 12]) == nil)
        #expect(Content([0xFF, 0xD8]) == nil)
        // The order mark of UTF-16, and AAC in its bare form: neither is MPEG audio of the third layer.
        #expect(Content([0xFF, 0xFE, 0x3C, 0x00]) == nil)
        #expect(Content([0xFF, 0xF1, 0x50, 0x80]) == nil)
        #expect(Content([0x49, 0x49, 0x2A, 0]) == nil)
    }

    @Test func tellsTheKindsOfHEIFApart() {
        func file(_ brands: String...) -> Data {
            Planted.text("\0\0\0\u{1C}ftyp\(brands[0])\0\0\0\0\(brands.dropFirst().joined())")
        }
        #expect(Content(file("mif1", "mif1", "heic")) == .heic)
        #expect(Content(file("mif1", "mif1", "avif")) == .avif)
        #expect(Content(file("avis", "msf1")) == .avif)
        #expect(Content(file("isom", "avif")) == .mp4)
        #expect(Content(file("M4A ", "mp42")) == .m4a)
        #expect(Content(file("qt  ")) == .quickTime)
    }
}

/// What calls itself a picture or a film and is none.
enum Strangers {
    static let texts = [
        "<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
        "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg>&x;</svg>",
        "<!doctype html><script>alert(1)</script>",
        "%PDF-1.7\n1 0 obj",
        "%!PS-Adobe-3.0\n(/etc/passwd) (r) file",
        "push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 'https://127.0.0.1/x'\npop graphic-context",
        "#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST",
        "ffconcat version 1.0\nfile /etc/passwd",
        "<?xml version='1.0'?><MPD><BaseURL>http://127.0.0.1/</BaseURL></MPD>",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96",
        "MZ this program cannot be run",
        "#!/bin/sh\ntouch /tmp/owned",
    ]
}

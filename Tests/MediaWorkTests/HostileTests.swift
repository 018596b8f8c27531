// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MediaWork
import Testing

/// What is sent to break whoever opens it: every file ends as something made or as a refusal.
@Suite struct HostileTests {
    @Test(arguments: Strangers.texts)
    func refusesWhatOnlyCallsItselfAPicture(_ text: String) async throws {
        let shop = try Workshop()
        let outcome = try await shop.work(Data(text.utf8), named: "a.png")
        #expect(outcome.refusal == .unsupported)
        #expect(try outcome.written().isEmpty)
    }

    @Test func refusesWhatHoldsNothing() async throws {
        #expect(try await Workshop().work(Data()).refusal == .empty)
    }

    @Test func refusesWhatIsCutOff() async throws {
        let shop = try Workshop()
        for (name, bytes) in try shop.everyKind() {
            let outcome = try await shop.work(bytes.prefix(max(64, bytes.count / 8)))
            // A sound has no end but that of the file, and a film is what there is of it.
            if ["a.mp3", "a.ogg", "a.webm"].contains(name), (try? outcome.made) != nil { continue }
            #expect(outcome.refusal == .damaged, "\(name)")
        }
    }

    @Test func outlivesFlippedBits() async throws {
        let shop = try Workshop()
        var random = SplitMix(seed: 20_261_122)
        for (name, bytes) in try shop.everyKind() {
            for _ in 0..<2 {
                var flipped = bytes
                for _ in 0..<max(2, bytes.count / 400) {
                    let place = flipped.startIndex + 12 + Int(random.next() % UInt64(bytes.count - 12))
                    flipped[place] ^= 1 << UInt8(random.next() % 8)
                }
                let outcome = try await shop.work(flipped)
                if outcome.refusal == nil {
                    #expect(try !outcome.made.renditions.isEmpty, "\(name)")
                }
            }
        }
    }

    @Test func refusesBombs() async throws {
        let shop = try Workshop()
        let bombs = [
            Planted.png(width: 30_000, height: 30_000), Planted.png(width: 65_535, height: 65_535),
            Planted.png(width: 2_000_000_000, height: 2_000_000_000),
            Planted.gif(delays: Array(repeating: 5, count: 100_000)), Planted.webp(width: 16_383, height: 16_383),
        ]
        for bomb in bombs {
            let refusal = try await shop.work(bomb).refusal
            #expect(refusal == .tooLarge || refusal == .damaged)
        }
        var limits = WorkOrder.Limits()
        limits.pixels = 64 * 48 - 1
        for name in ["a.jpg", "a.png", "a.webp"] {
            #expect(try await shop.work(shop.picture(name), limits: limits).refusal == .tooLarge, "\(name)")
        }
        // Boxes that say how large the coded picture is, which says otherwise.
        let place = try #require(Workshop.heic.range(of: Planted.join(Planted.big(48, 4), Planted.big(32, 4))))
        var heic = Workshop.heic
        heic.replaceSubrange(place, with: Planted.join(Planted.big(60_000, 4), Planted.big(60_000, 4)))
        #expect(try await shop.work(heic).refusal != nil)
    }

    @Test func makesPicturesOfWhatIsAlsoSomethingElse() async throws {
        let shop = try Workshop()
        let gif = try shop.animation("a.gif")
        let tails = [
            "PK\u{3}\u{4}planted-archive", "%PDF-1.4 planted-page", "<script>planted-script()</script>",
            "<?php planted();",
        ]
        let pictures = [gif, try shop.picture("a.png"), try shop.picture("a.jpg"), try shop.picture("a.webp")]
        for (picture, tail) in zip(pictures, tails) {
            let outcome = try await shop.work(picture + Data(tail.utf8))
            _ = try outcome.made
            #expect(try !outcome.written().contains { $0.range(of: Data("planted".utf8)) != nil })
        }
    }

    /// Films that name other files, and places of the network.
    @Test func opensNothingThatAFileNames() async throws {
        let shop = try Workshop()
        let listener = try Listener()
        let secret = try shop.write(Data("planted-file".utf8), "secret.txt")
        var upload = try shop.video("a.mov", "-c:v", "libx264", "-c:a", "aac")
        // A data reference that is not "in this file": an alias of a path, and a URL.
        let place = try #require(upload.range(of: Data("url \0\0\0\u{1}".utf8)))
        upload.replaceSubrange(place, with: Data("url \0\0\0\0".utf8))
        let outcome = try await shop.work(upload)
        #expect(try !outcome.written().contains { $0.range(of: Data("planted".utf8)) != nil })
        let lists = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:\(listener.port)/a.ts\n#EXT-X-ENDLIST",
            "#EXTM3U\n#EXTINF:9,\nconcat:\(secret)|\(secret)\n#EXT-X-ENDLIST", "ffconcat version 1.0\nfile '\(secret)'",
            "http://127.0.0.1:\(listener.port)/a.mp4",
        ]
        for list in lists {
            #expect(try await shop.work(Data(list.utf8), named: "a.mp4").refusal == .unsupported)
            // With the first bytes of what is taken.
            let heads = [Data([0x1A, 0x45, 0xDF, 0xA3])] + ["ID3", "OggS", "\0\0\0\u{8}ftyp"].map(Planted.text)
            for head in heads {
                let outcome = try await shop.work(Planted.join(head, Planted.text("\n\(list)")))
                #expect(outcome.refusal != nil)
            }
        }
        #expect(listener.wasCalled == false)
    }

    @Test func readsNoOtherKindThanTheContentSays() async throws {
        let shop = try Workshop()
        // An image in TIFF's and one in BMP's coding behind the first bytes of a PNG and of a film.
        for name in ["a.tiff", "a.bmp"] {
            let bytes = try shop.picture(name)
            #expect(try await shop.work(bytes, named: "a.png").refusal == .unsupported)
            #expect(
                try await shop.work(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + bytes).refusal == .damaged
            )
        }
    }
}

/// Always the same numbers.
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// A port of this machine that nobody should call.
final class Listener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let opened = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(opened)
    }

    deinit { close(descriptor) }

    var wasCalled: Bool {
        let caller = accept(descriptor, nil, nil)
        if caller >= 0 { close(caller) }
        return caller >= 0
    }
}

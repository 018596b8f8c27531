// SPDX-License-Identifier: Apache-2.0
// Whatever comes in, nothing traps: good input with octets changed, left out, doubled and cut.

import NIOCore
import NIOHTTP1
import Support
import Testing

@testable import SocketIO

@Suite struct NoiseTests {
    private func spoiled(_ bytes: [UInt8], _ noise: inout TestSeed) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &noise) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &noise)
            switch Int.random(in: 0..<5, using: &noise) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &noise)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &noise), at: place)
            case 3: bytes.removeLast(bytes.count - place)
            default: bytes.insert(contentsOf: bytes.prefix(place), at: place)
            }
        }
        return bytes
    }

    @Test func packetsOfSocketIO() {
        let samples = [
            #"0/admin,{"token":"123"}"#, #"2/admin,13["foo",{"a":[1,-2.5e3,"x\u00e9\\n",null,true]}]"#, "1/admin,",
            #"52-/admin,7["baz",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#, #"312["a"]"#,
        ]
        var noise = TestSeed()
        for round in 0..<30_000 {
            let text = spoiled(Array(samples[round % samples.count].utf8), &noise)
            var world = SocketWorld(connected: "/", "/admin")
            _ = world.session.receive(text: ByteBuffer(bytes: text))
            _ = world.session.receive(binary: ByteBuffer(bytes: text))
            _ = world.session.receive(text: ByteBuffer(bytes: text))
        }
    }

    @Test func bodiesOfEngineIO() {
        let sample = Array("4hello\u{1E}bAQIDBA==\u{1E}3\u{1E}4마당\u{1E}6".utf8)
        var noise = TestSeed()
        for _ in 0..<20_000 {
            var world = EngineWorld.polling()
            _ = world.began(1)
            _ = world.session.postEnded(1, ByteBuffer(bytes: spoiled(sample, &noise)), now: 0)
            _ = world.get(2)
        }
    }

    @Test(arguments: [false, true]) func frames(isCompressed: Bool) {
        let sample =
            ClientFrame.text("hello 마당") + ClientFrame.bytes(1, [0xEB], isFinal: false) + ClientFrame.bytes(9, [1])
            + ClientFrame.bytes(0, [0xA7, 0x88]) + ClientFrame.bytes(2, [UInt8](repeating: 7, count: 300))
            + ClientFrame.bytes(8, [3, 0xE8, 65])
        var noise = TestSeed()
        for _ in 0..<10_000 {
            var bytes = spoiled(sample, &noise)
            if isCompressed, !bytes.isEmpty { bytes[0] |= 0x40 }
            var parser = WebSocketParser(limit: 400, inflater: isCompressed ? WebSocketInflater(forgets: true) : nil)
            var buffer = ByteBuffer()
            do throws(WebSocketParser.Violation) {
                while !bytes.isEmpty {
                    let count = min(bytes.count, Int.random(in: 1...50, using: &noise))
                    buffer.writeBytes(bytes.prefix(count))
                    bytes.removeFirst(count)
                    while let message = try parser.next(&buffer) {
                        if case .text(let text) = message {
                            #expect(String(validating: text.readableBytesView, as: UTF8.self) != nil)
                        }
                    }
                }
            } catch {
                #expect([1002, 1007, 1009].contains(error.code.number))
            }
        }
    }

    @Test func queries() {
        var noise = TestSeed()
        for _ in 0..<20_000 {
            let bytes = spoiled(Array("EIO=4&transport=polling&sid=%41b%2&x=+%zz".utf8), &noise)
            _ = try? EngineWish(method: .GET, query: String(decoding: bytes, as: UTF8.self), isUpgrade: false)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// JSON to which something happened.

extension TestSeed {
    private static let bytes = Array("\"\\,:{}[]0123-+e.u \n\u{0}/null".utf8) + [0x80, 0xFF]

    /// JSON of which one byte is lost, put in between or another one, or the end is lost.
    package mutating func damaged(_ json: [UInt8]) -> [UInt8] {
        guard let place = json.indices.randomElement(using: &self) else { return json }
        var damaged = json
        let byte = TestSeed.bytes[Int.random(in: TestSeed.bytes.indices, using: &self)]
        switch Int.random(in: 0..<4, using: &self) {
        case 0: damaged.remove(at: place)
        case 1: damaged.insert(byte, at: place)
        case 2: damaged.removeSubrange(place...)
        default: damaged[place] = byte
        }
        return damaged
    }
}

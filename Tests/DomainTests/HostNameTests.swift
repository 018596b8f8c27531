// SPDX-License-Identifier: Apache-2.0
// Names of hosts in one form.

import Domain
import Support
import Testing

@Suite struct HostNameTests {
    /// The third is an example of RFC 3492, section 7.1; the others are of names that are registered.
    @Test(arguments: [
        ("Example.COM", "example.com"), ("bücher.example", "xn--bcher-kva.example"),
        ("3年b組金八先生.example", "xn--3b-ww4c5e180e575a65lsy2b.example"), ("한국.example", "xn--3e0b707e.example"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("a.example.", "a.example"), ("a.example:8080", "a.example"),
        ("a_b.example", "a_b.example"),
    ])
    func `brings names into one form`(name: String, form: String) { #expect(HostName(name)?.text == form) }

    @Test(arguments: [
        "", ".", "example", "a..example", ".example", "-a.example", "a-.example", "a b.example", "127.0.0.1", "[::1]",
        "a/b.example", "user@a.example", String(repeating: "a", count: 64) + ".example",
        String(repeating: "a.", count: 130) + "example", "\u{0}.example",
    ])
    func `takes nothing else`(name: String) { #expect(HostName(name) == nil) }

    @Test func `knows what it is a part of`() {
        #expect(HostName("a.b.example")?.wholes == ["a.b.example", "b.example", "example"])
    }

    @Test func `bears whatever is written`() {
        var random = TestSeed()
        for _ in 0..<2000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) { view.append(scalar) }
                if random.chance(1, in: 6) { view.append(".") }
            }
            if let name = HostName(String(view)) { #expect(HostName(name.text) == name) }
        }
    }
}

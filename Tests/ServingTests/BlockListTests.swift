// SPDX-License-Identifier: Apache-2.0
// What a list of blocked words and domains says of texts, names and hosts.

import Domain
import Events
import Serving
import Support
import Testing
import Web

@Suite struct BlockListTests {
    private let list = BlockList(
        terms: [
            BlockList.Term(id: BlockedTermID(1), text: "odd", action: .report),
            BlockList.Term(id: BlockedTermID(2), text: "나쁜말", action: .refuse),
            BlockList.Term(id: BlockedTermID(3), text: "villain", action: .refuse, seesThroughDigits: true),
        ],
        domains: [
            BlockList.Domain(name: "mail.example", blocksMail: true, blocksLinks: false),
            BlockList.Domain(name: "link.example", blocksMail: false, blocksLinks: true),
        ]
    )

    @Test func `weighs what is found`() throws {
        #expect(try list.check(["fine", nil, ""]) == nil)
        #expect(try list.check(["how odd"]) == BlockedTermID(1))
        for texts in [["나쁜말"], ["odd", "나쁜말"], ["odd v1lla1n"]] {
            #expect(throws: Problem.self) { try list.check(texts) }
        }
        #expect(try BlockList().check(["나쁜말 https://link.example"]) == nil)
    }

    @Test func `finds the words of a name`() {
        for name in ["odd", "the_odd", "odd77", "v1llain", "Odd_One"] { #expect(list.blocks(name: name), "\(name)") }
        for name in ["oddly", "modd", "villains"] { #expect(!list.blocks(name: name), "\(name)") }
    }

    @Test func `tells mail and links apart`() throws {
        #expect(list.blocksMail(at: "mail.example") && list.blocksMail(at: "a.MAIL.example"))
        #expect(!list.blocksMail(at: "link.example") && !list.blocksMail(at: "amail.example"))
        #expect(list.blocksLink(to: "www.link.example:80") && !list.blocksLink(to: "mail.example"))
        #expect(!list.blocksLink(in: "link.example https://link.example.com/"))
        #expect(list.blocksLink(in: "https://a.example/ (http://LINK.example/x)"))
    }
}

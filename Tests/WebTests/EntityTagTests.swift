// SPDX-License-Identifier: Apache-2.0
// Tags of answers, and who has them already (RFC 9110, sections 8.8.3 and 13.1.2).

import HTTPTypes
import Testing

@testable import Web

@Suite struct EntityTagTests {
    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", true), ("*", true), ("\"b\", \"a\"", true), ("\"b\",W/\"a\" , \"c\"", true),
        (" \"a\" ", true),
        ("\"b\"", false), ("a", false), ("\"A\"", false), ("\"aa\"", false), ("\"a", false), ("", false),
        (",,,", false),
        ("W/", false),
        (String(repeating: "\"b\", ", count: 1_000_000), false),
    ])
    func isNamed(by field: String, _ isNamed: Bool) { #expect(EntityTag("a").isNamed(by: field) == isNamed) }

    @Test func allThatAnAnswerSaysMakesItsTag() {
        let answer = Answer(headers: [.contentType: "text/plain", .link: "</x>; rel=\"next\""], body: [1, 2])
        let others = [
            Answer(status: .created, headers: answer.headers, body: answer.body),
            Answer(headers: [.contentType: "text/html", .link: "</x>; rel=\"next\""], body: answer.body),
            Answer(headers: [.contentType: "text/plain"], body: answer.body),
            Answer(headers: answer.headers, body: [1, 2, 3]),
            Answer(headers: answer.headers),
        ]
        let tags = ([answer] + others).map { EntityTag(of: $0).text }
        #expect(Set(tags).count == tags.count)
        #expect(tags[0] == EntityTag(of: answer).text && tags[0].hasPrefix("\"") && tags[0].count == 24)
    }

    @Test func onlyWhatHasATagIsLeftOut() throws {
        let asked = { (had: String?) in
            var request = Request(method: .get, path: "/")
            request.headers[.ifNoneMatch] = had
            return request
        }
        let answer = Answer.text("hello").tagged()
        let tag = try #require(answer.headers[.eTag])
        #expect(answer.unlessHad(by: asked(nil)).body == answer.body)
        #expect(answer.unlessHad(by: asked("\"other\"")).status == .ok)
        let had = answer.unlessHad(by: asked("\"other\", \(tag)"))
        #expect(had.status == .notModified && had.body.isEmpty && had.headers == [.eTag: tag])
        #expect(Answer.text("hello").unlessHad(by: asked("*")).status == .ok)
    }
}

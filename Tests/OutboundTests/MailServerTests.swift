// SPDX-License-Identifier: Apache-2.0
// Servers that take letters, and letters that do not leave.

import Support
import Testing

@testable import Outbound

@Suite struct MailServerTests {
    @Test func speaksTLSAlone() throws {
        let server = try #require(MailServer("smtps://Mail.example", greeting: "madang.example"))
        #expect(server.origin == "smtps://mail.example:465" && server.url == "smtps://mail.example:465/madang.example")
        #expect(MailServer("smtp://mail.example", greeting: "")?.origin == "smtp://mail.example:587")
        #expect(MailServer("smtp://127.0.0.1:2525/", greeting: "")?.url == "smtp://127.0.0.1:2525/localhost")
        #expect(MailServer("smtp://mail.example", greeting: "a b\r\nRSET")?.url == "smtp://mail.example:587/localhost")
        for wrong in [
            "", "mail.example", "http://mail.example", "smtp://", "smtp://user@mail.example",
            "smtp://mail.example/path", "smtp://mail.example?x", "smtp://mail.example:0", "smtp://mail.example:70000",
        ] {
            #expect(MailServer(wrong, greeting: "") == nil, "\(wrong)")
        }
    }

    @Test func nothingOfAnAddressEndsACommand() async throws {
        let server = try #require(MailServer("smtp://127.0.0.1:1", greeting: ""))
        for wrong in [
            "", "a@example.com>\r\nRCPT TO:<b@example.com", "a b@example.com", "<a@example.com>", "가@example.com",
        ] {
            let message = MailMessage(sender: "no-reply@example.org", recipient: wrong, text: "x\r\n")
            #expect(await server.deliver(message, within: .seconds(5)) == .refused(reason: "no address"), "\(wrong)")
        }
    }

    @Test func whoDoesNotAnswerIsAskedLater() async throws {
        let nobody = try WebListener { _ in }
        nobody.close()
        let server = try #require(MailServer("smtp://127.0.0.1:\(nobody.port)", greeting: ""))
        let message = MailMessage(sender: "no-reply@example.org", recipient: "a@example.com", text: "x\r\n")
        guard case .later = await server.deliver(message, within: .seconds(5)) else {
            Issue.record("a letter went to nobody")
            return
        }
        // Somebody who waits for us to begin.
        let silent = try WebListener { _ in }
        defer { silent.close() }
        let slow = try #require(MailServer("smtp://127.0.0.1:\(silent.port)", greeting: ""))
        guard case .later = await slow.deliver(message, within: .milliseconds(300)) else {
            Issue.record("a letter went to somebody silent")
            return
        }
    }

    @Test func whoStopsWaitsForNobody() async throws {
        let silent = try WebListener { _ in }
        defer { silent.close() }
        let server = try #require(MailServer("smtp://127.0.0.1:\(silent.port)", greeting: ""))
        let message = MailMessage(sender: "no-reply@example.org", recipient: "a@example.com", text: "x\r\n")
        let task = Task { await server.deliver(message, within: .seconds(600)) }
        task.cancel()
        guard case .later = await task.value else {
            Issue.record("a letter went to somebody silent")
            return
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Which providers an operator's keys turn on, and what is said of keys that are none.

import Crypto
import Domain
import Foundation
import ServiceKit
import Support
import Testing

@testable import NotificationsService

@Suite struct SenderSettingsTests {
    private static let key = P256.Signing.PrivateKey().pemRepresentation
    private static let apple = [
        "MADANG_APNS_KEY": key, "MADANG_APNS_KEY_ID": "ABCDE12345", "MADANG_APNS_TEAM_ID": "TEAM123456",
    ]

    /// What is turned on, and what is wrong.
    private static func read(_ environment: [String: String]) -> (settings: SenderSettings, problems: [String]) {
        var settings = Settings(environment: environment)
        let site = Site(domain: "social.example", origin: "https://social.example")
        let read = SenderSettings(&settings, site: site)
        do {
            try settings.finish()
            return (read, [])
        } catch {
            return (read, (error as? Settings.Invalid)?.problems ?? ["\(error)"])
        }
    }

    @Test func `without keys nothing is wrong and nobody sends`() {
        let (settings, problems) = Self.read([:])
        #expect(problems.isEmpty)
        let senders = Senders(settings, now: Timestamp.now)
        #expect(senders.apple == nil && senders.firebase == nil && senders.web == nil && senders.serverKey == nil)
    }

    @Test func `each key turns on one`() throws {
        let account = try OperatorKeys.serviceAccount().text
        let given = [
            Self.apple, ["MADANG_FCM_SERVICE_ACCOUNT": account], ["MADANG_VAPID_KEY": Self.key],
        ]
        for (index, environment) in given.enumerated() {
            let (settings, problems) = Self.read(environment)
            #expect(problems.isEmpty, "\(problems)")
            let senders = Senders(settings, now: Timestamp.now)
            #expect([senders.apple, senders.firebase, senders.web].map { $0 != nil } == (0..<3).map { $0 == index })
            #expect((senders.serverKey != nil) == (index == 2))
        }
        let both = Self.read(["MADANG_VAPID_KEY": Self.key, "MADANG_VAPID_SUBJECT": "mailto:operator@example.org"])
        #expect(both.problems.isEmpty)
    }

    @Test func `what is no key is told by its name, and stays unsaid`() throws {
        let account = try OperatorKeys.serviceAccount("http://token.example/token").text
        let bad: [(String, String)] = [
            ("MADANG_APNS_KEY", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----"),
            ("MADANG_APNS_KEY_ID", "short"), ("MADANG_APNS_TEAM_ID", ""),
            ("MADANG_APNS_URL", "http://api.push.apple.com"), ("MADANG_FCM_SERVICE_ACCOUNT", "{\"type\":\"secret\"}"),
            ("MADANG_FCM_SERVICE_ACCOUNT", account), ("MADANG_FCM_URL", "ftp://x"), ("MADANG_VAPID_KEY", "secret"),
            ("MADANG_VAPID_SUBJECT", "operator@example.org"), ("MADANG_PUSH_CERTIFICATES", "/nowhere/at/all.pem"),
            ("MADANG_PUSH_CERTIFICATES", "relative.pem"),
        ]
        for (name, value) in bad {
            let (_, problems) = Self.read(Self.apple.merging([name: value]) { $1 })
            #expect(problems.count == 1 && problems.allSatisfy { $0.hasPrefix("\(name) ") }, "\(name): \(problems)")
            #expect(!problems.joined().contains("secret"), "\(name)")
        }
        let alone = Self.read(["MADANG_APNS_KEY_ID": "ABCDE12345"])
        #expect(alone.problems.count == 1)
    }

    @Test func `a key in a file that cannot be read is told`() {
        let (_, problems) = Self.read(["MADANG_VAPID_KEY_FILE": "/nowhere/at/all.pem"])
        #expect(problems.count == 1 && problems.allSatisfy { $0.hasPrefix("MADANG_VAPID_KEY_FILE ") })
    }
}

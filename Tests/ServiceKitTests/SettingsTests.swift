// SPDX-License-Identifier: Apache-2.0
// Settings: every bad variable is named, no secret is shown.

import ServiceKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

private enum Mode: String, CaseIterable { case open, closed }

/// Reads one setting of each kind.
private func readAll(_ settings: inout Settings) -> [String] {
    let address = settings.address("LISTEN", default: "127.0.0.1:4000", meaning: "where to listen")
    return [
        settings.string("DOMAIN", meaning: "public domain"),
        "\(settings.integer("SLOT", default: 0, in: 0...63, meaning: "slot"))",
        "\(settings.boolean("FLAG", default: false, meaning: "flag"))",
        settings.choice("MODE", default: Mode.open, meaning: "mode").rawValue,
        "\(address.host)|\(address.port)",
        settings.optional("KEY", secret: true, meaning: "key") ?? "-",
        settings.string("URI", default: "amqp://u:p@h/v", meaning: "broker"),
    ]
}

@Suite struct SettingsTests {
    @Test func defaultsAndValues() throws {
        var plain = Settings(environment: ["DOMAIN": "localhost:3000", "SLOT": ""])
        #expect(readAll(&plain) == ["localhost:3000", "0", "false", "open", "127.0.0.1|4000", "-", "amqp://u:p@h/v"])
        try plain.finish()
        var full = Settings(environment: [
            "DOMAIN": "d", "SLOT": "63", "FLAG": "yes", "MODE": "closed", "LISTEN": "[::1]:80", "KEY": "k",
        ])
        #expect(readAll(&full) == ["d", "63", "true", "closed", "::1|80", "k", "amqp://u:p@h/v"])
        try full.finish()
    }

    @Test func everyBadVariableIsNamedAtOnce() {
        var settings = Settings(environment: [
            "SLOT": "64", "FLAG": "maybe", "MODE": "ajar", "LISTEN": "nowhere", "KEY_FILE": "/does/not/exist",
        ])
        _ = readAll(&settings)
        do {
            try settings.finish()
            Issue.record("bad settings were accepted")
        } catch {
            let lines = "\(error)".split(separator: "\n")
            #expect(lines.count == 6)
            for name in ["DOMAIN is missing", "SLOT", "FLAG", "MODE", "LISTEN", "KEY_FILE"] {
                #expect(lines.contains { $0.hasPrefix(name) }, "\(name)")
            }
        }
    }

    @Test func bothFormsAreAmbiguous() {
        var settings = Settings(environment: ["DOMAIN": "a", "DOMAIN_FILE": "/etc/hostname"])
        _ = settings.string("DOMAIN", meaning: "m")
        #expect(throws: Settings.Invalid.self) { try settings.finish() }
    }

    @Test func filesHoldValues() throws {
        var path = Array("/tmp/madang-settings-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(name) }
        #expect(write(descriptor, "s3cret\n", 7) == 7)
        close(descriptor)
        var settings = Settings(environment: ["KEY_FILE": name])
        #expect(settings.optional("KEY", secret: true, meaning: "key") == "s3cret")
        #expect(settings.string("KEY", secret: true, meaning: "key") == "s3cret")
        try settings.finish()
    }

    @Test func secretsAreNotShown() {
        var settings = Settings(environment: ["DOMAIN": "d", "KEY": "hidden", "URI": "amqp://user:pa@ss@h:1/v"])
        _ = readAll(&settings)
        let shown = settings.effective.map { "\($0.name)=\($0.value)" }
        #expect(shown.contains("KEY=***"))
        #expect(shown.contains("URI=amqp://user:***@h:1/v"))
        var bad = Settings(environment: ["KEY": "hidden"])
        _ = bad.parsed("KEY", secret: true, expected: "a key", meaning: "key") { _ in nil as Int? }
        do { try bad.finish() } catch { #expect(!"\(error)".contains("hidden")) }
    }
}

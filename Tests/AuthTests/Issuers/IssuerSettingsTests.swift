// SPDX-License-Identifier: Apache-2.0
// What an operator says of issuers.

import Crypto
import Domain
import ServiceKit
import Testing

@testable import AuthService

@Suite struct IssuerSettingsTests {
    private static func read(_ environment: [String: String]) throws -> [Issuer] {
        var settings = Settings(environment: environment)
        let issuers = IssuerSettings.read(&settings)
        try settings.finish()
        return issuers
    }

    @Test func noneIsNamedByItself() throws { #expect(try Self.read([:]).isEmpty) }

    @Test func thoseOfNameNeedTheirClientsAlone() throws {
        let issuers = try Self.read([
            "MADANG_ISSUERS": "apple, google,kakao", "MADANG_ISSUER_APPLE_CLIENTS": "com.example.app",
            "MADANG_ISSUER_GOOGLE_CLIENTS": "web.apps.googleusercontent.com,ios.apps.googleusercontent.com",
            "MADANG_ISSUER_GOOGLE_SECRET": "a secret".replacing(" ", with: "-"), "MADANG_ISSUER_KAKAO_CLIENTS": "abc",
        ])
        #expect(issuers.map(\.name) == ["apple", "google", "kakao"])
        #expect(issuers.map(\.address).first == "https://appleid.apple.com")
        #expect(issuers.map(\.clients.count) == [1, 2, 1])
        // Without its key Apple signs in by apps alone.
        #expect(issuers.map(\.hasPage) == [false, true, true])
        #expect(issuers.map { $0.title(.korean) } == ["Apple", "Google", "카카오"])
    }

    @Test func applesKeyIsWhole() throws {
        let usual = [
            "MADANG_ISSUERS": "apple", "MADANG_ISSUER_APPLE_CLIENTS": "com.example.app",
            "MADANG_ISSUER_APPLE_KEY": P256.Signing.PrivateKey().pemRepresentation,
            "MADANG_ISSUER_APPLE_TEAM": "TEAM123456", "MADANG_ISSUER_APPLE_KEY_ID": "KEY1234567",
        ]
        #expect(try Self.read(usual).first?.wantsRevocation == true)
        for (name, value) in [
            ("MADANG_ISSUER_APPLE_KEY", "a key"), ("MADANG_ISSUER_APPLE_TEAM", "team"),
            ("MADANG_ISSUER_APPLE_TEAM", ""), ("MADANG_ISSUER_APPLE_KEY_ID", ""),
        ] {
            #expect(throws: Settings.Invalid.self, "\(name)") { try Self.read(usual.merging([name: value]) { $1 }) }
        }
    }

    @Test func whatIsWrongStopsTheStart() throws {
        let usual = [
            "MADANG_ISSUERS": "company", "MADANG_ISSUER_COMPANY_URL": "https://id.example.com/realms/a",
            "MADANG_ISSUER_COMPANY_CLIENTS": "madang",
        ]
        let issuer = try #require(try Self.read(usual).first)
        #expect(issuer.title(.english) == "company" && issuer.scopes == "openid email profile")
        for (name, value) in [
            ("MADANG_ISSUERS", "company,company"), ("MADANG_ISSUERS", "Company"), ("MADANG_ISSUERS", "a/b"),
            ("MADANG_ISSUERS", ","), ("MADANG_ISSUERS", "refresh"),
            ("MADANG_ISSUER_COMPANY_URL", "http://id.example.com"),
            ("MADANG_ISSUER_COMPANY_URL", "https://id.example.com/"), ("MADANG_ISSUER_COMPANY_URL", ""),
            ("MADANG_ISSUER_COMPANY_URL", "https://u@id.example.com"), ("MADANG_ISSUER_COMPANY_URL", "ftp://id"),
            ("MADANG_ISSUER_COMPANY_CLIENTS", ""), ("MADANG_ISSUER_COMPANY_CLIENTS", "a,,b"),
            ("MADANG_ISSUER_COMPANY_SECRET", "with a space"),
        ] {
            #expect(throws: Settings.Invalid.self, "\(name) \(value)") {
                try Self.read(usual.merging([name: value]) { $1 })
            }
        }
    }
}

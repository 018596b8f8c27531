// SPDX-License-Identifier: Apache-2.0
// The signed principal: only what auth signed, only while it lasts.

import Crypto
import Domain
import Support
import Synchronization
import Testing

@testable import Web

/// A key of these tests.
func testSigner(_ seed: UInt8 = 7) throws -> PrincipalSigner {
    try #require(PrincipalSigner(privateKey: Base64.encoded([UInt8](repeating: seed, count: 32))))
}

func testPrincipal(scopes: String = "read write", account: Bool = true, expires: Int64 = 4_000_000_000_000) throws
    -> Principal
{
    Principal(
        account: account
            ? Principal.Account(id: AccountID(117_000_000_000_000_001), username: try #require(Username("minji")))
            : nil,
        appID: AppID(5),
        appName: "마당 \"app\"",
        appWebsite: "https://app.example",
        sessionID: SessionID(9),
        scopes: try #require(ScopeSet(scopes)),
        expires: Timestamp(milliseconds: expires)
    )
}

@Suite struct PrincipalSigningTests {
    @Test func whatIsSignedIsRead() throws {
        let signer = try testSigner()
        let verifier = try #require(PrincipalVerifier(publicKey: signer.publicKey))
        for account in [true, false] {
            let principal = try testPrincipal(account: account)
            let value = try signer.sign(principal)
            #expect(verifier.principal(value) == principal)
            #expect(verifier.principal(value) == principal)
            #expect(value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    /// Whatever a later auth may say of a role, what is not known is nobody's right.
    @Test(arguments: Role.allCases) func aRoleIsSignedToo(_ role: Role) throws {
        let signer = try testSigner()
        let verifier = try #require(PrincipalVerifier(publicKey: signer.publicKey))
        let usual = try testPrincipal()
        let account = try #require(usual.account)
        let principal = Principal(
            account: Principal.Account(id: account.id, username: account.username, role: role),
            appID: usual.appID,
            appName: usual.appName,
            sessionID: usual.sessionID,
            scopes: usual.scopes,
            expires: usual.expires
        )
        #expect(verifier.principal(try signer.sign(principal))?.account?.role == role)
    }

    /// What an auth of the previous release signs says nothing of it, and then it is not one.
    @Test(arguments: [true, false]) func anAppOfOnesOwnIsSignedToo(_ isOwnApp: Bool) throws {
        let signer = try testSigner()
        let verifier = try #require(PrincipalVerifier(publicKey: signer.publicKey))
        let usual = try testPrincipal()
        let principal = Principal(
            account: usual.account,
            appID: usual.appID,
            appName: usual.appName,
            sessionID: usual.sessionID,
            scopes: usual.scopes,
            isOwnApp: isOwnApp,
            expires: usual.expires
        )
        #expect(verifier.principal(try signer.sign(principal))?.isOwnApp == isOwnApp)
        #expect(!usual.isOwnApp)
    }

    @Test func everyChangedByteIsRefused() throws {
        let signer = try testSigner()
        let verifier = try #require(PrincipalVerifier(publicKey: signer.publicKey))
        let value = Array(try signer.sign(testPrincipal()).utf8)
        for index in value.indices {
            var forged = value
            forged[index] = forged[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(verifier.principal(String(decoding: forged, as: UTF8.self)) == nil)
        }
        for broken in ["", ".", "a.b", "a", String(repeating: "a", count: 100_000), "é.é"] {
            #expect(verifier.principal(broken) == nil)
        }
        #expect(verifier.principal(try testSigner(8).sign(testPrincipal())) == nil)
    }

    @Test func aStatementForOneServiceIsRefusedByOthers() throws {
        let signer = try testSigner()
        let posts = try #require(PrincipalVerifier(publicKey: signer.publicKey, audience: "posts"))
        let chat = try #require(PrincipalVerifier(publicKey: signer.publicKey, audience: "chat"))
        let principal = try testPrincipal()
        let value = try signer.sign(principal, for: "posts")
        #expect(posts.principal(value) == principal)
        #expect(chat.principal(value) == nil)
        #expect(chat.principal(try signer.sign(principal, for: "chat")) == principal)
        #expect(chat.principal(try signer.sign(principal, for: "")) == nil)
        // What gateways of the previous release carry.
        #expect(chat.principal(try signer.sign(principal)) == principal)
    }

    @Test func theKeyIsChangedWithoutAnybodyBeingRefused() throws {
        let (old, new) = (try testSigner(7), try testSigner(8))
        let principal = try testPrincipal()
        let (byOld, byNew) = (try old.sign(principal, for: "posts"), try new.sign(principal, for: "posts"))
        func verifier(_ keys: String) throws -> PrincipalVerifier {
            try #require(PrincipalVerifier(publicKey: keys, audience: "posts"))
        }
        // Every service believes both before the first statement of the new key comes, and after the last of the old.
        for keys in ["\(old.publicKey) \(new.publicKey)", " \(new.publicKey)\n\(old.publicKey)\n"] {
            let both = try verifier(keys)
            #expect(both.principal(byOld) == principal)
            #expect(both.principal(byNew) == principal)
            #expect(both.principal(try testSigner(9).sign(principal, for: "posts")) == nil)
        }
        let done = try verifier(new.publicKey)
        #expect(done.principal(byNew) == principal)
        #expect(done.principal(byOld) == nil)
        #expect(PrincipalVerifier(publicKey: "\(old.publicKey) x") == nil)
        #expect(PrincipalVerifier(publicKey: Array(repeating: old.publicKey, count: 5).joined(separator: " ")) == nil)
    }

    @Test func itExpiresAlsoWhenRemembered() throws {
        let now = Mutex<Int64>(1000)
        let signer = try testSigner()
        let verifier = try #require(
            PrincipalVerifier(publicKey: signer.publicKey) { Timestamp(milliseconds: now.withLock { $0 }) }
        )
        let value = try signer.sign(testPrincipal(expires: 2000))
        #expect(verifier.principal(value) != nil)
        now.withLock { $0 = 2000 }
        #expect(verifier.principal(value) == nil)
    }

    @Test func keysMustBeKeys() {
        for bad in ["", "abc", "!!!!", Base64.encoded([UInt8](repeating: 1, count: 31))] {
            #expect(PrincipalSigner(privateKey: bad) == nil)
            #expect(PrincipalVerifier(publicKey: bad) == nil)
        }
    }

    @Test func base64RoundTrips() {
        var random = TestSeed()
        for count in 0..<70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
            #expect(Base64.decoded(Base64.encoded(bytes, url: true)) == bytes)
        }
        #expect(Base64.encoded(Array("any carnal pleas".utf8)) == "YW55IGNhcm5hbCBwbGVhcw==")
        for bad in ["a", "ab=c", "====", "a b", "YW55IGNhcm5hbCBwbGVhcx=="] { #expect(Base64.decoded(bad) == nil) }
    }
}

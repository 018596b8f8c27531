// SPDX-License-Identifier: Apache-2.0
// The pure rules of auth.

import Domain
import Support
import Testing
import Web
import WebPages

@testable import AuthService

@Suite struct RedirectURITests {
    private func matches(_ registered: String, _ asked: String) -> Bool {
        guard let registered = RedirectURI(registered), let asked = RedirectURI(asked) else { return false }
        return registered.accepts(asked)
    }

    @Test(arguments: [
        "https://app.example/callback", "https://app.example", "http://localhost:8080/cb", "http://127.0.0.1/cb",
        "http://[::1]:9000/cb", "app.example.ios:/oauth", "icecubesapp://", "urn:ietf:wg:oauth:2.0:oob",
        "https://app.example/cb?x=1", "com.example.app://callback",
    ])
    func registers(_ text: String) {
        #expect(RedirectURI(text) != nil)
        #expect(matches(text, text))
    }

    @Test(arguments: [
        "", "callback", "/callback", "//app.example", "https://", "https:app.example", "http://app.example/cb",
        "https://app.example/cb#fragment", "https://user@app.example/cb", "https://app.example:99999/",
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://app.example/a b",
        "https://app.example/\u{0}", "https://앱.example/", "https://app.example:/x:y", "HTTPS://app.example/",
        "https://app.example;x/", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/", ":",
    ])
    func refuses(_ text: String) { #expect(RedirectURI(text) == nil) }

    @Test(arguments: [
        "https://APP.example/callback", "https://app.example/Callback", "https://app.example/callback/",
        "https://app.example:443/callback", "https://app.example:444/callback", "https://app.example/callback?a=b",
        "https://app.example/callback/../callback", "https://app.example/./callback", "https://app.example//callback",
        "https://evil.app.example/callback", "https://app.example.evil/callback", "http://app.example/callback",
        "https://app.example/%63allback", "https://app.example@evil.example/callback", "https://app.example/callback#x",
        "https://app.example/callback\\", "https://app.example\t/callback", " https://app.example/callback",
    ])
    func comparesExactly(_ text: String) { #expect(!matches("https://app.example/callback", text)) }

    @Test func forgivesThePortOfALoopbackAddress() {
        #expect(matches("http://127.0.0.1/cb", "http://127.0.0.1:51234/cb"))
        #expect(matches("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb"))
        #expect(matches("http://[::1]:1/cb", "http://[::1]/cb"))
        #expect(!matches("http://127.0.0.1/cb", "http://127.0.0.1:1/other"))
        #expect(!matches("http://127.0.0.1/cb", "http://[::1]/cb"))
        #expect(!matches("http://localhost:1/cb", "http://localhost:2/cb"))
        #expect(!matches("https://127.0.0.1:1/cb", "https://127.0.0.1:2/cb"))
    }

    @Test func addsParameters() {
        #expect(RedirectURI("a:/b")?.adding([("code", "x/y"), ("state", "&")]) == "a:/b?code=x%2Fy&state=%26")
        #expect(RedirectURI("https://a.b/?q=1")?.adding([("code", "x")]) == "https://a.b/?q=1&code=x")
    }
}

@Suite struct SmallRulesTests {
    /// The example of RFC 7636, appendix B.
    @Test func provesTheKey() throws {
        let challenge = try #require(CodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        #expect(challenge.accepts("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(!challenge.accepts("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK"))
        #expect(!challenge.accepts(""))
        #expect(!challenge.accepts(String(repeating: "a", count: 129)))
        #expect(CodeChallenge("short") == nil)
        #expect(CodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM") == nil)
    }

    @Test func encodesBase64URL() {
        #expect([UInt8]().base64URL == "")
        #expect(Array("f".utf8).base64URL == "Zg")
        #expect(Array("foob".utf8).base64URL == "Zm9vYg")
        #expect([UInt8]([251, 255, 191]).base64URL == "-_-_")
        #expect(Secret(bytes: Dependencies.systemRandomBytes(32)).text.utf8.count == 43)
    }

    @Test func opensOnlyLocalPaths() {
        for path in ["/", "/auth/sign_in", "/oauth/authorize?a=b&c=%2F"] { #expect(PageRequest.isLocal(path)) }
        for path in [
            "", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/a\\b", "/ a",
            "/\tevil", "evil", "/한",
        ] { #expect(!PageRequest.isLocal(path)) }
    }

    @Test func saysEverythingInEveryLanguage() {
        let english = PageText.words.keys[.english] ?? []
        #expect(!english.isEmpty)
        for language in Language.allCases {
            #expect(PageText.words.keys[language] == english)
            for scope in Scope.known.compactMap({ Scope($0) }) {
                #expect(!PageText.meaning(of: scope, language).isEmpty, "\(scope) \(language)")
                #expect(!PageText.meaning(of: scope, language).contains("{"))
            }
            for key in english { #expect(!PageText.text(key, language).isEmpty, "\(key) \(language)") }
        }
    }

    @Test(arguments: [
        "admin", "Admin", "adm1n", "_root_", "supp0rt", "madang", "0fficial", "m0derator", "api", "well_known",
        "admin_madang", "madang_support", "minji_admin", "admin2", "the_admin_", "admin_2026", "madang_kim",
        "madangadmin", "adminmadang", "officialmadang", "thesupportteam", "madangteam", "madangofficial", "madangapp",
        "adrnin", "rnadang", "rnoderator", "adm1n99", "m4dang_help", "5upport_team", "admln", "vvebmaster", "staff1",
        "unyeongja", "madang_gwanrija",
    ])
    func keepsNamesForItself(_ name: String) throws {
        #expect(ReservedNames.contains(try #require(Username(name))))
    }

    @Test(arguments: [
        "alice", "minji", "badminton", "rooted", "madangsoe", "supporter", "bts_official", "iu_fan", "theowner",
        "kim_team",
        "square_root", "system_of_a_down", "news_junkie", "robot", "modernart", "stafford", "adminton", "mad_angel",
        "helpful", "apple", "infotech", "teamkorea", "realmadrid", "botany", "kim1", "1004", "a", "_", "security_kim",
        "ownit", "official_kim", "corn", "lily", "will", "chatty",
    ])
    func leavesOrdinaryNames(_ name: String) throws {
        #expect(!ReservedNames.contains(try #require(Username(name))))
    }
}

@Suite struct EmailAddressTests {
    @Test(arguments: [
        ("a@b.kr", "a@b.kr"), (" Minji.Kim@Example.COM ", "minji.kim@example.com"),
        ("a+tag@b-c.co.kr", "a+tag@b-c.co.kr"),
        ("o'neil@example.com", "o'neil@example.com"), ("x@xn--9t4b11yi5a.kr", "x@xn--9t4b11yi5a.kr"),
    ])
    func accepts(_ text: String, _ canonical: String) { #expect(EmailAddress(text)?.text == canonical) }

    @Test(arguments: [
        "", "a", "@", "a@", "@b.kr", "a@b", "a@@b.kr", "a@b@c.kr", "a b@c.kr", "\"a\"@b.kr", "\"a@b\"@c.kr",
        "a(comment)@b.kr", "a@(comment)b.kr", "a@b.kr(comment)", "a%evil.kr@b.kr", "b.kr!a@c.kr", "<a@b.kr>",
        "A <a@b.kr>", "a@[127.0.0.1]", "a@127.0.0.1", "a@b.1", "a.@b.kr", ".a@b.kr", "a..b@c.kr", "a@b..kr", "a@.b.kr",
        "a@b.kr.", "a@-b.kr", "a@b-.kr", "a@b_c.kr", "a@b\u{FF0E}kr", "a@b\u{3002}kr", "a@ｂ.kr", "\u{212A}a@b.kr",
        "a@\u{212A}b.kr", "a\u{0}@b.kr", "a@b.kr\u{0}", "a\r\nBcc: x@y.kr@b.kr", "a@b.kr,c@d.kr", "a@b.kr;c@d.kr",
        "a\\@b.kr", "a@b/c.kr", "한@b.kr", "a@한국.kr", "=?utf-8?q?a@b.kr?=@c.kr\n",
    ])
    func refuses(_ text: String) { #expect(EmailAddress(text) == nil) }

    @Test func bounds() {
        #expect(EmailAddress(String(repeating: "a", count: 65) + "@b.kr") == nil)
        #expect(EmailAddress("a@" + String(repeating: "b", count: 64) + ".kr") == nil)
        #expect(EmailAddress("a@" + String(repeating: "b.", count: 200) + "kr") == nil)
    }
}

@Suite struct PasswordTests {
    private func fault(_ text: String, _ others: [String] = ["minji", "kim.minji"]) -> ValidationFault? {
        do throws(ValidationFault) {
            _ = try Password.choosing(text, apartFrom: others)
            return nil
        } catch { return error }
    }

    @Test func bounds() {
        #expect(fault("") == .blank)
        #expect(fault("x7#kQ2!") == .tooShort)
        #expect(fault("x7#kQ2!m") == nil)
        #expect(fault(String(repeating: "a1B2c3D4e5", count: 12) + "Zy#x8w7v") == nil)
        #expect(fault(String(repeating: "abcdefg!", count: 129)) == .tooLong)
    }

    @Test func takesPassphrases() {
        for text in [
            "correct horse battery staple", "다섯 마리 고양이 tea", "kT9vLq2mXw", "마당에서만나요7", "p4ss-me-the-kimchi-jjigae",
            "umbrella-otter-9-violin",
        ] { #expect(fault(text) == nil, "\(text)") }
    }

    @Test(arguments: [
        "password", "password1", "Password123", "passw0rd", "P@ssw0rd!", "12345678", "123456789", "87654321",
        "11111111",
        "qwertyui", "qwerty123", "1q2w3e4r", "1qaz2wsx", "zaq12wsx", "asdfghjk", "iloveyou", "iloveyou1", "sunshine",
        "princess1", "football", "baseball", "superman", "trustno1", "letmein1", "welcome1", "monkey123", "dragon99",
        "starwars", "computer", "michelle", "abcdefgh", "abcd1234", "a1b2c3d4", "aaaaaaaa", "abababab", "19900101",
        "2024!2024", "minji2024", "Minji!!1", "kim.minji", "madang123", "administrator", "changeme", "internet1",
        "qwer1234", "1234qwer", "asdf1234", "dkssud12", "saranghae", "liverpool", "manchester1", "charlie1", "jennifer",
        "qazwsxedc", "access14", "whatever1", "pokemon1", "11223344", "147258369", "password!@#", "!@#$%^&*",
    ])
    func refusesWhatIsGuessedFirst(_ text: String) { #expect(fault(text) == .guessable, "\(text)") }

    @Test func refusesTheThreeThousandMostCommon() {
        #expect(CommonPasswords.all.count == 3_000)
        #expect(CommonPasswords.all.allSatisfy { $0.count >= Password.minimum })
        for text in CommonPasswords.all { #expect(fault(text) == .guessable, "\(text)") }
        #expect(fault("DKFLBVBHJDYF") == .guessable)
    }

    @Test func isOneHoweverHangulIsTyped() throws {
        let composed = try #require(Password(typed: "\u{B9C8}\u{B2F9}"))
        let decomposed = try #require(Password(typed: "\u{1106}\u{1161}\u{1103}\u{1161}\u{11BC}"))
        #expect(composed.bytes == decomposed.bytes)
    }

    @Test func hashes() async throws {
        let passwords = try await PasswordHashing(threads: 2, queue: 8)
        let password = try Password.choosing("umbrella-otter-9-violin", apartFrom: [])
        let hash = try await passwords.hash(password, salt: Array(0..<16))
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=3,p=1$"))
        #expect(!passwords.isOutdated(hash))
        #expect(passwords.isOutdated("$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$x"))
        #expect(try await passwords.verify(password, against: hash))
        #expect(try await !passwords.verify(Password(typed: "umbrella-otter-9-violi"), against: hash))
        #expect(try await !passwords.verify(password, against: nil))
        #expect(try await !passwords.verify(nil, against: hash))
    }

    @Test func doesNoWorkForWhoIsRefusedMeanwhile() async throws {
        struct Taken: Error {}
        let passwords = try await PasswordHashing(threads: 2, queue: 64)
        let password = try Password.choosing("umbrella-otter-9-violin", apartFrom: [])
        let hashed = Counter()
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let hash = try? await passwords.hash(password, salt: Array(0..<16)) {
                        if await hashed.value > 0 { throw Taken() }
                    }
                    if hash != nil { await hashed.add() }
                    return hash != nil
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        // Those that had begun when the first was told, and not each of the fifty.
        #expect((1...10).contains(outcomes.filter { $0 }.count), "\(outcomes.filter { $0 }.count) hashed")
        #expect(try await passwords.hash(password, salt: Array(0..<16)).hasPrefix("$argon2id$"))
    }

    private actor Counter {
        var value = 0
        func add() { value += 1 }
    }

    @Test func neverCutsOff() async throws {
        let passwords = try await PasswordHashing(threads: 1, queue: 8)
        let long = String(repeating: "w7", count: 40) + "umbrella"
        let hash = try await passwords.hash(try Password.choosing(long + "A", apartFrom: []), salt: Array(0..<16))
        #expect(try await !passwords.verify(Password(typed: long + "B"), against: hash))
        #expect(try await !passwords.verify(Password(typed: long), against: hash))
        #expect(try await passwords.verify(Password(typed: long + "A"), against: hash))
    }

    @Test func refusesWhenTooManyWait() async throws {
        let passwords = try await PasswordHashing(threads: 1, queue: 1)
        let password = Password(typed: "umbrella-otter-9-violin")
        // On a busy machine a round of tasks may happen to come one after the other.
        try await eventually("one being served and one being refused") {
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 {
                    group.addTask { (try? await passwords.verify(password, against: nil)) != nil }
                }
                return await group.reduce(into: Set<Bool>()) { $0.insert($1) }
            }
            return outcomes == [true, false]
        }
        #expect(try await !passwords.verify(password, against: nil))
    }
}

// SPDX-License-Identifier: Apache-2.0
// What a subscription reads of a message: the examples of the standards, and the bounds.

import Crypto
import Foundation
import Testing
import Web

@testable import NotificationsService

@Suite struct WebEncryptionTests {
    private static func bytes(_ text: String) throws -> Data { Data(try #require(Base64.decoded(text))) }

    /// RFC 8291, section 5.
    @Test func `the example of the standard`() throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        )
        let message = try WebEncryption(
            Data("When I grow up, I want to be a watermelon".utf8),
            publicKey: Self.bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            ),
            secret: Self.bytes("BTBZMqHH6r4Tts7J_aSIgg"),
            isStandard: true,
            key: key,
            salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw")
        )
        #expect(
            Base64.encoded(message.body, url: true)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
                + "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    /// RFC 8188, section 3.1.
    @Test func `the example of the encoding under it`() throws {
        let record = try WebEncryption.record(
            Data("I am the walrus".utf8),
            SymmetricKey(data: Self.bytes("yqdlZ-tYemfogSmv7Ws5PQ")),
            salt: Self.bytes("I1BsxtFttlv3u_Oo94xnmw"),
            keyID: Data()
        )
        #expect(
            Base64.encoded(record, url: true)
                == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
        )
    }

    /// draft-ietf-webpush-encryption-04, section 5.
    @Test func `the example of the draft`() throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes("nCScek-QpEjmOOlT-rQ38nZzvdPlqa00Zy0i6m2OJvY")
        )
        let message = try WebEncryption(
            Data("I am the walrus".utf8),
            publicKey: Self.bytes(
                "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU"
            ),
            secret: Self.bytes("R29vIGdvbyBnJyBqb29iIQ"),
            isStandard: false,
            key: key,
            salt: Self.bytes("lngarbyKfMoi9Z75xYXmkg")
        )
        #expect(Base64.encoded(message.body, url: true) == "6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA")
        #expect(message.salt == "lngarbyKfMoi9Z75xYXmkg")
        #expect(
            message.publicKey
                == "BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU"
        )
    }

    @Test func `the longest text makes the longest message, and one byte more is refused`() throws {
        let theirs = P256.KeyAgreement.PrivateKey().publicKey.x963Representation
        func encrypt(_ count: Int, _ isStandard: Bool) throws -> WebEncryption {
            try WebEncryption(
                Data(repeating: 97, count: count),
                publicKey: theirs,
                secret: Data(repeating: 1, count: 16),
                isStandard: isStandard
            )
        }
        #expect(try encrypt(3993, true).body.count == 4096)
        #expect(try encrypt(3993, false).body.count <= 4096)
        for isStandard in [true, false] {
            #expect(throws: WebEncryption.Failure.tooLarge) { try encrypt(3994, isStandard) }
        }
        // Nothing of a message is that of another.
        let (one, other) = (try encrypt(10, true), try encrypt(10, true))
        #expect(one.salt != other.salt && one.publicKey != other.publicKey && one.body != other.body)
    }

    @Test func `keys that are none are told`() {
        let theirs = P256.KeyAgreement.PrivateKey().publicKey.x963Representation
        let secret = Data(repeating: 1, count: 16)
        let bad: [(Data, Data)] = [
            (Data(), secret), (theirs.dropLast(), secret), (Data(repeating: 4, count: 65), secret),
            (Data(repeating: 0, count: 65), secret), (theirs, Data()), (theirs, Data(repeating: 1, count: 17)),
        ]
        for (publicKey, secret) in bad {
            #expect(throws: WebEncryption.Failure.badKeys) {
                try WebEncryption(Data("a".utf8), publicKey: Data(publicKey), secret: secret, isStandard: true)
            }
        }
    }
}

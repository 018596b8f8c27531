// SPDX-License-Identifier: Apache-2.0
// Encrypts for one subscription, so that the push service between reads nothing (RFC 8291 over RFC 8188).

import Crypto
import Foundation

/// A message for one subscription, and what its headers say of it.
struct WebEncryption: Sendable {
    /// Bytes of text that fit into one record of 4,096: less the header of 86, the mark of the last record and the tag of 16.
    static let most = 3993
    private static let recordSize: UInt32 = 4096

    enum Failure: Error {
        /// The subscription's public key is no point of the curve, or its secret is not 16 bytes.
        case badKeys
        case tooLarge
    }

    let body: [UInt8]
    /// Base64 for URLs, of the draft only: it has in headers what the standard has in the body.
    let salt: String
    let publicKey: String

    /// - Parameters:
    ///   - key: of this message alone.
    ///   - salt: 16 bytes.
    init(
        _ text: Data,
        publicKey bytes: Data,
        secret: Data,
        isStandard: Bool,
        key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(),
        salt: Data = Self.randomSalt()
    ) throws {
        guard secret.count == 16, salt.count == 16, bytes.count == 65,
            let theirs = try? P256.KeyAgreement.PublicKey(x963Representation: bytes),
            let shared = try? key.sharedSecretFromKeyAgreement(with: theirs)
        else { throw Failure.badKeys }
        guard text.count <= Self.most else { throw Failure.tooLarge }
        let (agreed, ours) = (shared.withUnsafeBytes { Data($0) }, key.publicKey.x963Representation)
        self.salt = salt.forURL
        publicKey = ours.forURL
        if isStandard {
            body = try Self.standard(text, agreed, secret: secret, salt: salt, theirs: bytes, ours: ours)
        } else {
            body = try Self.draft(text, agreed, secret: secret, salt: salt, theirs: bytes, ours: ours)
        }
    }

    static func randomSalt() -> Data { SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) } }

    // MARK: The standard, `aes128gcm`

    private static func standard(
        _ text: Data,
        _ agreed: Data,
        secret: Data,
        salt: Data,
        theirs: Data,
        ours: Data
    ) throws -> [UInt8] {
        let input = hkdf(agreed, salt: secret, info: Data("WebPush: info\0".utf8) + theirs + ours, 32)
        return try record(text, input, salt: salt, keyID: ours)
    }

    /// RFC 8188 with one record.
    static func record(_ text: Data, _ input: SymmetricKey, salt: Data, keyID: Data) throws -> [UInt8] {
        let input = input.withUnsafeBytes { Data($0) }
        let key = hkdf(input, salt: salt, info: Data("Content-Encoding: aes128gcm\0".utf8), 16)
        let nonce = hkdf(input, salt: salt, info: Data("Content-Encoding: nonce\0".utf8), 12)
        var head = [UInt8](salt)
        withUnsafeBytes(of: recordSize.bigEndian) { head += Array($0) }
        head.append(UInt8(truncatingIfNeeded: keyID.count))
        // 2 marks the last record.
        return head + [UInt8](keyID) + (try seal(text + [2], key, nonce))
    }

    // MARK: The draft, `aesgcm` (draft-ietf-webpush-encryption-04, draft-ietf-httpbis-encryption-encoding-03)

    private static func draft(
        _ text: Data,
        _ agreed: Data,
        secret: Data,
        salt: Data,
        theirs: Data,
        ours: Data
    ) throws -> [UInt8] {
        let input = hkdf(agreed, salt: secret, info: Data("Content-Encoding: auth\0".utf8), 32)
            .withUnsafeBytes { Data($0) }
        // Each key after its length in two bytes.
        let context = Data("P-256\0".utf8) + [0, 65] + theirs + [0, 65] + ours
        let key = hkdf(input, salt: salt, info: Data("Content-Encoding: aesgcm\0".utf8) + context, 16)
        let nonce = hkdf(input, salt: salt, info: Data("Content-Encoding: nonce\0".utf8) + context, 12)
        // Two bytes say how much padding follows: none.
        return try seal(Data([0, 0]) + text, key, nonce)
    }

    // MARK: Both

    private static func hkdf(_ input: Data, salt: Data, info: Data, _ count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: input),
            salt: salt,
            info: info,
            outputByteCount: count
        )
    }

    private static func seal(_ text: Data, _ key: SymmetricKey, _ nonce: SymmetricKey) throws -> [UInt8] {
        let nonce = try nonce.withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        let box = try AES.GCM.seal(text, using: key, nonce: nonce)
        return [UInt8](box.ciphertext) + [UInt8](box.tag)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Signature version 4 (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html).

import Crypto
import Domain
import FoundationEssentials
import Web

/// Who asks, and where.
struct S3Credentials: Sendable {
    let accessKey: String
    let secretKey: String
    /// Such as `eu-central-1`; whatever a server of one's own calls itself.
    let region: String
}

/// One request as it is signed: what is signed and what is sent must be the same to the byte.
struct S3Signature {
    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: S3Credentials
    let method: String
    /// With the port where it is not the scheme's.
    let host: String
    /// From the root, of characters that need no escape.
    let path: String
    let now: Timestamp

    /// The headers of a request besides those that it has.
    ///
    /// - Parameter query: names and values, unescaped.
    func headers(query: [(String, String)], body: [UInt8]) -> [(name: String, value: String)] {
        let digest = hexadecimal(SHA256.hash(data: body))
        let names = "host;x-amz-content-sha256;x-amz-date"
        let signed = "host:\(host)\nx-amz-content-sha256:\(digest)\nx-amz-date:\(moment)\n"
        let signature = signature(S3Signature.joined(query), headers: signed, names: names, digest: digest)
        return [
            ("x-amz-content-sha256", digest), ("x-amz-date", moment),
            (
                "Authorization",
                "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
            ),
        ]
    }

    /// The query of a link by which anybody may ask this for some time.
    func presigned(query: [(String, String)], for time: Duration) -> String {
        let signed = S3Signature.joined(
            query + [
                ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
                ("X-Amz-Date", moment), ("X-Amz-Expires", "\(time.components.seconds)"),
                ("X-Amz-SignedHeaders", "host"),
            ]
        )
        let signature = signature(signed, headers: "host:\(host)\n", names: "host", digest: "UNSIGNED-PAYLOAD")
        return "\(signed)&X-Amz-Signature=\(signature)"
    }

    /// Sorted, each name and value escaped.
    static func joined(_ items: [(String, String)]) -> String {
        items.map { ($0.percentEncoded, $1.percentEncoded) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }
            .joined(separator: "&")
    }

    private func signature(_ query: String, headers: String, names: String, digest: String) -> String {
        let request = "\(method)\n\(path)\n\(query)\n\(headers)\n\(names)\n\(digest)"
        let text = "\(Self.algorithm)\n\(moment)\n\(scope)\n\(hexadecimal(SHA256.hash(data: Array(request.utf8))))"
        var key = SymmetricKey(data: Array("AWS4\(credentials.secretKey)".utf8))
        for part in [day, credentials.region, "s3", "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
        }
        return hexadecimal(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    private var scope: String { "\(day)/\(credentials.region)/s3/aws4_request" }
    private var day: String { String(moment.prefix(8)) }

    /// As ISO 8601 has it without separators: `20261123T120000Z`.
    private var moment: String {
        String(now.rfc3339.prefix(19)).replacing("-", with: "").replacing(":", with: "") + "Z"
    }
}

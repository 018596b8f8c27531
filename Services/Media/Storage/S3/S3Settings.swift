// SPDX-License-Identifier: Apache-2.0
// Which bucket, and who may use it.

import Outbound
import ServiceKit

struct S3Settings: Sendable {
    /// Scheme, host and port, without a slash at its end.
    let origin: String
    let hostName: String
    let port: Int
    let bucket: String
    let credentials: S3Credentials
    /// Whether clients reach the server too, and are sent there.
    let isPublic: Bool

    /// As a request names it: the port stands where it is not the scheme's.
    var host: String { origin.split(separator: "/").last.map(String.init) ?? hostName }

    /// Nil without `MADANG_S3_ENDPOINT`.
    static func read(_ settings: inout Settings) -> S3Settings? {
        let address = settings.parsed(
            "MADANG_S3_ENDPOINT",
            default: "none",
            expected: "none, or http or https, a host and perhaps a port",
            meaning:
                "the server of S3 that keeps stored files, such as https://s3.example",
            parse: { $0 == "none" ? Address.folder : ServerAddress($0).map(Address.server) }
        )
        guard case .server(let server) = address else { return nil }
        let bucket = settings.parsed(
            "MADANG_S3_BUCKET",
            expected: "3 to 63 lower-case letters, digits, dots and hyphens",
            meaning: "the bucket, which is Madang's alone",
            parse: isBucket
        )
        let region = settings.string("MADANG_S3_REGION", default: "us-east-1", meaning: "the region of the bucket")
        let accessKey = settings.string("MADANG_S3_ACCESS_KEY", secret: true, meaning: "the access key of the bucket")
        let secretKey = settings.string("MADANG_S3_SECRET_KEY", secret: true, meaning: "the secret key of the bucket")
        let isPublic = settings.boolean(
            "MADANG_S3_PUBLIC",
            default: false,
            meaning: "whether clients reach the server of S3 and are sent there for files"
        )
        guard let bucket else { return nil }
        return S3Settings(
            origin: server.origin,
            hostName: server.hostName,
            port: server.port,
            bucket: bucket,
            credentials: S3Credentials(accessKey: accessKey, secretKey: secretKey, region: region),
            isPublic: isPublic
        )
    }

    private enum Address {
        case folder
        case server(ServerAddress)
    }

    private static func isBucket(_ text: String) -> String? {
        let isGood =
            (3...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 }
        return isGood ? text : nil
    }
}

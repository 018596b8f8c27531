// SPDX-License-Identifier: Apache-2.0
// Requests to S3 as its documentation signs them.

import Domain
import Foundation
import Testing

@testable import MediaService

/// The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html.
@Suite struct S3Tests {
    private func signature(_ path: String) throws -> S3Signature {
        S3Signature(
            credentials: S3Credentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE",
                secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                region: "us-east-1"
            ),
            method: "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: path,
            now: try #require(Timestamp(rfc3339: "2013-05-24T00:00:00Z"))
        )
    }

    @Test(arguments: [
        ([("lifecycle", "")], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ([("prefix", "J"), ("max-keys", "2")], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func requestsAreSigned(query: [(String, String)], expected: String) throws {
        let headers = try signature("/").headers(query: query, body: [])
        let authorization = headers.first { $0.name == "Authorization" }?.value
        #expect(
            authorization
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=\(expected)"
        )
    }

    @Test func linksAreSigned() throws {
        let query = try signature("/test.txt").presigned(query: [], for: .seconds(86_400))
        #expect(query.hasSuffix("&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"))
    }

    @Test func listsAreRead() {
        let page = """
            <ListBucketResult><Contents><Key>ab/x.jpg</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>
            <Contents><Key>ab/y.jpg</Key></Contents><NextContinuationToken>next</NextContinuationToken></ListBucketResult>
            """
        #expect(S3Text.values(of: "Key", in: page) == ["ab/x.jpg", "ab/y.jpg"])
        #expect(S3Text.values(of: "NextContinuationToken", in: page) == ["next"])
        #expect(S3Text.values(of: "UploadId", in: page).isEmpty)
    }
}

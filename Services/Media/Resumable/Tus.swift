// SPDX-License-Identifier: Apache-2.0
// The tus protocol for uploads that go on where they were cut off (tus.io/protocols/resumable-upload, 1.0.0).

import Crypto
import Domain
import Events
import Foundation
import HTTPTypes
import Web

enum Tus {
    static let version = "1.0.0"
    static let extensions = "creation,expiration,termination,checksum"
    static let algorithms = "sha256,sha1"

    /// Answers in the protocol's form, problems too.
    static func answering(_ request: Request, _ body: () async throws -> Answer) async throws -> Answer {
        guard request.headers[.tusResumable] == version else {
            throw Problem.own(
                .preconditionFailed,
                "tus-version",
                english: "Tus-Resumable must be 1.0.0",
                korean: "Tus-Resumable은 1.0.0이어야 합니다",
                japanese: "Tus-Resumable は 1.0.0 でなければなりません",
                headers: [.tusResumable: version, .tusVersion: version]
            )
        }
        do {
            var answer = try await body()
            answer.headers[.tusResumable] = version
            return answer
        } catch var problem as Problem {
            problem.headers[.tusResumable] = version
            throw problem
        }
    }

    /// A header field that is a number of bytes; throws a problem for one that is none.
    static func number(_ name: HTTPField.Name, _ request: Request) throws -> Int64 {
        guard let text = request.headers[name], (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text)
        else { throw Problem.badRequest(name.rawName) }
        return number
    }

    /// `filename d29ybGQucG5n,is_private`: names with values in Base64, or without.
    static func metadata(_ text: String?) throws -> Parameters {
        var parameters = Parameters()
        for pair in (text ?? "").split(separator: ",").prefix(32) {
            let parts = pair.split(separator: " ", maxSplits: 1)
            guard let name = parts.first else { continue }
            guard let value = parts.count == 2 ? Data(base64Encoded: String(parts[1])) : Data() else {
                throw Problem.badRequest("Upload-Metadata")
            }
            try parameters.add(String(name), text: Array(value))
        }
        return parameters
    }

    static func metadata(of text: UploadText) -> String? {
        var pairs: [String] = []
        if let description = text.description {
            pairs.append("description \(Data(description.utf8).base64EncodedString())")
        }
        if let focus = text.focus { pairs.append("focus \(Data("\(focus.x),\(focus.y)".utf8).base64EncodedString())") }
        return pairs.isEmpty ? nil : pairs.joined(separator: ",")
    }

    /// What a part must add up to.
    struct Checksum {
        private var sha256: SHA256?
        private var sha1: Insecure.SHA1?
        private let expected: Data

        /// - Parameter field: `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
        init(_ field: String) throws {
            let parts = field.split(separator: " ")
            guard parts.count == 2, let expected = Data(base64Encoded: String(parts[1])) else {
                throw Problem.badRequest("Upload-Checksum")
            }
            self.expected = expected
            switch parts[0] {
            case "sha256": sha256 = SHA256()
            case "sha1": sha1 = Insecure.SHA1()
            default: throw Problem.badRequest("Upload-Checksum")
            }
        }

        mutating func add(_ bytes: [UInt8]) {
            sha256?.update(data: bytes)
            sha1?.update(data: bytes)
        }

        func require() throws {
            let actual = sha256.map { Data($0.finalize()) } ?? sha1.map { Data($0.finalize()) }
            guard actual == expected else {
                throw Problem(
                    HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch"),
                    "checksum-mismatch",
                    detail: [
                        .english: "The part does not match its checksum", .korean: "체크섬이 일치하지 않습니다",
                        .japanese: "チェックサムが一致しません",
                    ]
                )
            }
        }
    }
}

extension HTTPField.Name {
    static let tusResumable = own("Tus-Resumable")
    static let tusVersion = own("Tus-Version")
    static let tusExtension = own("Tus-Extension")
    static let tusMaxSize = own("Tus-Max-Size")
    static let tusChecksums = own("Tus-Checksum-Algorithm")
    static let uploadLength = own("Upload-Length")
    static let uploadOffset = own("Upload-Offset")
    static let uploadMetadata = own("Upload-Metadata")
    static let uploadExpires = own("Upload-Expires")
    static let uploadChecksum = own("Upload-Checksum")
}

// SPDX-License-Identifier: Apache-2.0
// Stored files in a bucket of S3, or of what speaks its API.

import Domain
import Foundation
import NIOCore
import Outbound
import Web

/// `<first two digits>/<name>` in a bucket, addressed by its path, which every server of this API understands.
struct Bucket: KeptFiles {
    /// What is larger is sent in parts, so that no more of a file is in memory at a time. S3 wants 5 MiB at least.
    private static let part = 8 << 20
    /// For how long a link is good by which a client fetches a file without us.
    private static let linkTime = Duration.seconds(3600)

    let settings: S3Settings
    let client: OutboundClient
    let now: @Sendable () -> Timestamp

    private func key(_ name: String) -> String { "\(name.prefix(2))/\(name)" }

    // MARK: Reading

    func open(_ name: String) async throws -> (any FileContent)? {
        let answer = try await send(.head, key(name))
        guard answer.status != 404 else { return nil }
        guard answer.status == 200, let size = answer.header("content-length").flatMap({ Int($0) }) else {
            throw S3Failure("HEAD \(name)", answer)
        }
        return StoredObject(bucket: self, key: key(name), size: size)
    }

    fileprivate func read(_ key: String, _ range: Range<Int>) async throws -> [UInt8] {
        let part = "\(range.lowerBound)-\(range.upperBound - 1)"
        let answer = try await send(.get, key, headers: [("Range", "bytes=\(part)")], most: range.count)
        // Not every server says 206 of a part.
        guard answer.status == 206 || answer.status == 200, answer.body.count == range.count, !answer.isCut,
            answer.header("content-range")?.hasPrefix("bytes \(part)/") == true
        else { throw S3Failure("GET \(key)", answer) }
        return answer.body
    }

    func link(to name: String, headers: KeptFileHeaders, now: Timestamp) -> String? {
        guard settings.isPublic else { return nil }
        var query = [("response-content-type", headers.type), ("response-cache-control", headers.cacheControl)]
        if let disposition = headers.disposition { query.append(("response-content-disposition", disposition)) }
        let path = path(key(name))
        return "\(settings.origin)\(path)?\(signature("GET", path).presigned(query: query, for: Self.linkTime))"
    }

    // MARK: Writing

    func put(_ source: String, as name: String) async throws {
        let size = try await Disk.tryRun {
            guard let size = OpenFile(path: source)?.size else { throw StorageFailure("open", source) }
            return size
        }
        if size <= Self.part {
            let bytes = try await part(of: source, 0..<size)
            try await require(.put, key(name), body: bytes)
        } else {
            try await putInParts(source, size, key(name))
        }
        _ = await Disk.run { unlink(source) }
    }

    private func putInParts(_ source: String, _ size: Int, _ key: String) async throws {
        let begun = try await require(.post, key, query: [("uploads", "")])
        guard let upload = S3Text.values(of: "UploadId", in: begun.body).first else {
            throw S3Failure("POST \(key)?uploads", begun)
        }
        do {
            var parts = ""
            for (index, start) in stride(from: 0, to: size, by: Self.part).enumerated() {
                let bytes = try await part(of: source, start..<min(size, start + Self.part))
                let query = [("partNumber", "\(index + 1)"), ("uploadId", upload)]
                let sent = try await require(.put, key, query: query, body: bytes)
                guard let tag = sent.header("etag") else { throw S3Failure("PUT \(key) part \(index + 1)", sent) }
                parts += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            let all = Array("<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>".utf8)
            let done = try await require(.post, key, query: [("uploadId", upload)], body: all)
            // A failure may come with 200, after bytes that kept the connection open.
            guard !S3Text.values(of: "ETag", in: done.body).isEmpty else {
                throw S3Failure("POST \(key)?uploadId", done)
            }
        } catch {
            // What is left of it where this fails too, the bucket's own rule for unfinished uploads removes.
            _ = try? await send(.delete, key, query: [("uploadId", upload)])
            throw error
        }
    }

    private func part(of source: String, _ range: Range<Int>) async throws -> [UInt8] {
        try await Disk.tryRun {
            guard let handle = FileHandle(forReadingAtPath: source) else { throw StorageFailure("open", source) }
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(range.lowerBound))
            let bytes = range.isEmpty ? Data() : try handle.read(upToCount: range.count) ?? Data()
            guard bytes.count == range.count else { throw StorageFailure("read", source) }
            return Array(bytes)
        }
    }

    func remove(_ names: [String]) async {
        for name in names { _ = try? await send(.delete, key(name)) }
    }

    // MARK: Listing

    func names(beginning prefix: String) async throws -> [StoredEntry] {
        var found: [StoredEntry] = []
        var next: String?
        repeat {
            var query = [("list-type", "2"), ("prefix", "\(prefix)/")]
            if let next { query.append(("continuation-token", next)) }
            let page = try await require(.get, "", query: query, most: 4 << 20)
            for item in S3Text.values(of: "Contents", in: page.body) {
                guard let key = S3Text.values(of: "Key", in: item).first,
                    let changed = S3Text.values(of: "LastModified", in: item).first.flatMap(Timestamp.init(rfc3339:))
                else { continue }
                found.append(StoredEntry(name: String(key.dropFirst(3)), changed: changed))
            }
            next = S3Text.values(of: "NextContinuationToken", in: page.body).first
        } while next != nil
        return found
    }

    // MARK: Asking

    private func path(_ key: String) -> String { "/\(settings.bucket)\(key.isEmpty ? "" : "/")\(key)" }

    private func signature(_ method: String, _ path: String) -> S3Signature {
        S3Signature(credentials: settings.credentials, method: method, host: settings.host, path: path, now: now())
    }

    @discardableResult
    private func require(
        _ method: OutboundRequest.Method,
        _ key: String,
        query: [(String, String)] = [],
        body: [UInt8] = [],
        most: Int = 1 << 20
    ) async throws -> OutboundAnswer {
        let answer = try await send(method, key, query: query, body: body, most: most)
        guard (200..<300).contains(answer.status), !answer.isCut else {
            throw S3Failure("\(method.rawValue) \(key)", answer)
        }
        return answer
    }

    private func send(
        _ method: OutboundRequest.Method,
        _ key: String,
        query: [(String, String)] = [],
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        most: Int = 1 << 20
    ) async throws -> OutboundAnswer {
        let path = path(key)
        let signed = signature(method.rawValue, path).headers(query: query, body: body)
        let text = S3Signature.joined(query)
        return try await client.send(
            OutboundRequest(
                method,
                "\(settings.origin)\(path)\(text.isEmpty ? "" : "?")\(text)",
                headers: headers + signed,
                body: body,
                limits: OutboundRequest.Limits(bytes: most, time: .seconds(60), redirects: 0),
                guard: .operators(settings.hostName, port: settings.port)
            )
        )
    }
}

/// A file in a bucket, read a piece at a time.
struct StoredObject: FileContent {
    fileprivate let bucket: Bucket
    fileprivate let key: String
    let size: Int
    /// Each piece is a request.
    var piece: Int { 1 << 20 }

    func read(_ count: Int, at offset: Int) async throws -> ByteBuffer {
        ByteBuffer(bytes: try await bucket.read(key, offset..<min(size, offset + count)))
    }
}

/// What a server of S3 said instead of doing it: for the log.
struct S3Failure: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, _ answer: OutboundAnswer) {
        let code = S3Text.values(of: "Code", in: answer.body).first ?? ""
        description = "\(call): \(answer.status) \(code)"
    }
}

/// Elements of the documents of S3, which have neither attributes that matter nor escapes in what is read of them.
enum S3Text {
    static func values(of name: String, in document: [UInt8]) -> [String] {
        values(of: name, in: String(decoding: document, as: UTF8.self))
    }

    static func values(of name: String, in text: String) -> [String] {
        text.components(separatedBy: "<\(name)>").dropFirst().compactMap { rest in
            rest.range(of: "</\(name)>").map { String(rest[..<$0.lowerBound]) }
        }
    }
}

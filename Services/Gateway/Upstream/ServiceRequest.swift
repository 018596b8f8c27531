// SPDX-License-Identifier: Apache-2.0
// The head of a request to a service, as bytes.

import NIOCore
import NIOHTTP1

/// Written field by field; each value was checked where it came from.
struct ServiceRequest {
    private(set) var bytes: ByteBuffer
    /// Whether the body goes in chunks.
    private(set) var isChunked = false
    /// Whether the answer has no body, whatever its head says.
    let isHead: Bool

    init(_ method: HTTPMethod, _ target: String) {
        isHead = method == .HEAD
        bytes = ByteBufferAllocator().buffer(capacity: 512)
        bytes.writeString(method.rawValue)
        bytes.writeStaticString(" ")
        bytes.writeString(target)
        bytes.writeStaticString(" HTTP/1.1\r\n")
    }

    mutating func add(_ name: StaticString, _ value: String) {
        bytes.writeStaticString(name)
        bytes.writeStaticString(": ")
        bytes.writeString(value)
        bytes.writeStaticString("\r\n")
    }

    /// A field of somebody else's.
    mutating func pass(_ name: String, _ value: String) {
        bytes.writeString(name)
        bytes.writeStaticString(": ")
        bytes.writeString(value)
        bytes.writeStaticString("\r\n")
    }

    /// Begins the trace that goes by the request's id (W3C Trace Context, section 3.2).
    mutating func add(trace requestID: String, span: String) {
        bytes.writeStaticString("traceparent: 00-")
        bytes.writeString(requestID)
        bytes.writeStaticString("-")
        bytes.writeString(span)
        bytes.writeStaticString("-01\r\n")
    }

    /// Says how long the body is.
    mutating func add(length: Int) { add("content-length", String(length)) }

    /// Says that the body comes in chunks.
    mutating func addChunks() {
        isChunked = true
        add("transfer-encoding", "chunked")
    }

    /// There are no other fields.
    mutating func end() { bytes.writeStaticString("\r\n") }
}

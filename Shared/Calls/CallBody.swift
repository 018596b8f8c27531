// SPDX-License-Identifier: Apache-2.0
// What the gateway and the services tell each other: written by one half, read by the other.

public import NIOCore
public import Views
public import Web

/// The body of a call between the gateway and a service, or of its answer.
///
/// What one release writes, the one before and the one after must be able to read: members are added, never renamed, and
/// unknown ones are passed over.
public protocol CallBody: ObjectView {
    /// Throws a problem that names the member which is missing or is not what it should be.
    init(_ parameters: Parameters) throws
}

extension CallBody {
    /// Reads an answer; nil for what is none.
    public init?(answer: ByteBuffer) {
        guard let parameters = try? Parameters(json: answer.readableBytesView) else { return nil }
        try? self.init(parameters)
    }
}

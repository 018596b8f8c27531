// SPDX-License-Identifier: Apache-2.0
// What waits for a slow reader.

public import NIOCore

/// Frames that the connection could not take yet. Bounded: a reader that lets it fill is disconnected, not waited for.
public struct SendQueue {
    public enum Action: Equatable {
        case write
        case wait
        case disconnect
    }

    let limit: Int
    let byteLimit: Int
    private var frames = CircularBuffer<ByteBuffer>()
    private var bytes = 0

    public init(limit: Int, byteLimit: Int = .max) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    public var count: Int { frames.count }

    public mutating func offer(_ frame: ByteBuffer, isWritable: Bool) -> Action {
        if isWritable, frames.isEmpty { return .write }
        guard frames.count < limit, bytes <= byteLimit - min(byteLimit, frame.readableBytes) else { return .disconnect }
        frames.append(frame)
        bytes += frame.readableBytes
        return .wait
    }

    public mutating func next() -> ByteBuffer? {
        let frame = frames.popFirst()
        bytes -= frame?.readableBytes ?? 0
        if frames.isEmpty { frames = CircularBuffer() }
        return frame
    }
}

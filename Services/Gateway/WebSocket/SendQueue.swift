// SPDX-License-Identifier: Apache-2.0
// What waits for a slow reader, and for how long we are patient.

import NIOCore

/// Frames that the connection could not take yet. Bounded: a reader that lets it fill is disconnected, not waited for.
struct SendQueue {
    enum Action: Equatable {
        case write
        case wait
        case disconnect
    }

    let limit: Int
    private var frames = CircularBuffer<ByteBuffer>()

    init(limit: Int) { self.limit = limit }

    var count: Int { frames.count }

    mutating func offer(_ frame: ByteBuffer, isWritable: Bool) -> Action {
        if isWritable, frames.isEmpty { return .write }
        guard frames.count < limit else { return .disconnect }
        frames.append(frame)
        return .wait
    }

    mutating func next() -> ByteBuffer? {
        let frame = frames.popFirst()
        if frames.isEmpty { frames = CircularBuffer() }
        return frame
    }
}

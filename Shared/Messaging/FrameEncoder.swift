// SPDX-License-Identifier: Apache-2.0
// The frames that a connection sends all the time, as AMQP 0-9-1 (sections 2.3.5 and 4.2) lays them out.

/// Appends frames to a buffer, so that many messages travel in one write.
///
/// librabbitmq would write each frame by itself, and wait while the broker takes none.
struct FrameEncoder {
    let channel: UInt16
    /// The largest frame that both sides agreed on.
    let frameMax: Int
    private(set) var bytes: [UInt8] = []

    init(channel: UInt16, frameMax: Int) {
        self.channel = channel
        self.frameMax = max(frameMax, 4096)
    }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity < 4 << 20) }

    mutating func publish(_ message: Message) {
        method(60, 40) { bytes in
            bytes.appendInteger(UInt16(0))
            bytes.appendShort(message.exchange)
            bytes.appendShort(message.routingKey)
            bytes.append(message.mandatory ? 1 : 0)
        }
        frame(type: 2, channel: channel) { bytes in
            bytes.appendInteger(UInt16(60))
            bytes.appendInteger(UInt16(0))
            bytes.appendInteger(UInt64(message.body.count))
            let headers: UInt16 = message.headers.isEmpty ? 0 : 1 << 13
            bytes.appendInteger(1 << 15 | headers | 1 << 12 | 1 << 7)
            bytes.appendShort(message.contentType)
            if !message.headers.isEmpty {
                bytes.appendSized { bytes in
                    for (name, value) in message.headers {
                        bytes.appendShort(name)
                        bytes.append(UInt8(ascii: "S"))
                        bytes.appendSized { $0.append(contentsOf: value.utf8) }
                    }
                }
            }
            bytes.append(message.persistent ? 2 : 1)
            bytes.appendShort(message.id)
        }
        let share = frameMax - 8
        var start = 0
        while start < message.body.count {
            let end = min(start + share, message.body.count)
            frame(type: 3, channel: channel) { $0.append(contentsOf: message.body[start..<end]) }
            start = end
        }
    }

    mutating func acknowledge(_ tag: UInt64, multiple: Bool) {
        method(60, 80) { bytes in
            bytes.appendInteger(tag)
            bytes.append(multiple ? 1 : 0)
        }
    }

    mutating func refuse(_ tag: UInt64, multiple: Bool, requeue: Bool) {
        method(60, 120) { bytes in
            bytes.appendInteger(tag)
            bytes.append((multiple ? 1 : 0) | (requeue ? 2 : 0))
        }
    }

    /// Asks for one message of a queue.
    mutating func get(_ queue: String) {
        method(60, 70) { bytes in
            bytes.appendInteger(UInt16(0))
            bytes.appendShort(queue)
            bytes.append(0)
        }
    }

    mutating func settle(_ answer: DeliveryWindow.Answer) {
        switch answer.settlement {
        case .acknowledge: acknowledge(answer.tag, multiple: answer.multiple)
        case .reject: refuse(answer.tag, multiple: answer.multiple, requeue: false)
        case .requeue: refuse(answer.tag, multiple: answer.multiple, requeue: true)
        }
    }

    mutating func heartbeat() { frame(type: 8, channel: 0) { _ in } }

    /// Answers the broker's `connection.close`.
    mutating func closeOK() {
        frame(type: 1, channel: 0) { bytes in
            bytes.appendInteger(UInt16(10))
            bytes.appendInteger(UInt16(51))
        }
    }

    private mutating func method(_ type: UInt16, _ number: UInt16, _ arguments: (inout [UInt8]) -> Void) {
        frame(type: 1, channel: channel) { bytes in
            bytes.appendInteger(type)
            bytes.appendInteger(number)
            arguments(&bytes)
        }
    }

    private mutating func frame(type: UInt8, channel: UInt16, _ payload: (inout [UInt8]) -> Void) {
        bytes.append(type)
        bytes.appendInteger(channel)
        bytes.appendSized(payload)
        bytes.append(0xCE)
    }
}

extension [UInt8] {
    fileprivate mutating func appendInteger<Integer: FixedWidthInteger>(_ value: Integer) {
        var shift = Integer.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
            shift -= 8
        }
    }

    /// A text of at most 255 bytes after its length; `Message.isEncodable` sees to that.
    fileprivate mutating func appendShort(_ text: String) {
        append(UInt8(truncatingIfNeeded: Swift.min(text.utf8.count, 255)))
        append(contentsOf: text.utf8.prefix(255))
    }

    /// Whatever `content` appends, after its length in four bytes.
    fileprivate mutating func appendSized(_ content: (inout [UInt8]) -> Void) {
        let start = count
        append(contentsOf: [0, 0, 0, 0])
        content(&self)
        let size = UInt32(truncatingIfNeeded: count - start - 4)
        for index in 0..<4 { self[start + index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index)) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// What the broker says, put together from frames.

import CRabbitMQ

/// Something complete that arrived.
enum Incoming {
    case answered(tag: UInt64, multiple: Bool, refused: Bool)
    case returned(messageID: String, reason: String)
    case delivered(tag: UInt64, Delivery)
    /// The queue asked for a message has none.
    case empty
    /// The broker ended our consuming, for example because the queue was deleted.
    case cancelled
    case blocked(reason: String)
    case unblocked
    /// The broker closes the channel or the connection; perhaps because of something that we published.
    case closing(Refusal)
}

/// A message arrives as a method, a header and as many pieces of body as it needs; other methods never come between.
struct ContentAssembly {
    private enum Start {
        case returned(reason: String)
        case delivered(tag: UInt64, exchange: String, routingKey: String, redelivered: Bool)
    }

    private var start: Start?
    private var messageID: String?
    private var headers: [String: String] = [:]
    private var body: [UInt8] = []
    private var missing = 0

    /// - Returns: nil when more must come, or for what does not matter.
    mutating func take(_ frame: amqp_frame_t) throws -> Incoming? {
        switch Int32(frame.frame_type) {
        case Int32(AMQP_FRAME_METHOD): return take(frame.payload.method)
        case Int32(AMQP_FRAME_HEADER):
            guard start != nil else { return nil }
            let size = frame.payload.properties.body_size
            guard size <= 512 << 20 else { throw ConnectionFailure("a message of \(size) bytes") }
            missing = Int(size)
            body = []
            body.reserveCapacity(min(missing, 1 << 20))
            if let decoded = frame.payload.properties.decoded {
                read(decoded.assumingMemoryBound(to: amqp_basic_properties_t.self).pointee)
            }
            return missing == 0 ? complete() : nil
        case Int32(AMQP_FRAME_BODY):
            guard start != nil else { return nil }
            let piece = frame.payload.body_fragment
            body.append(contentsOf: UnsafeRawBufferPointer(start: piece.bytes, count: piece.len))
            missing -= piece.len
            return missing <= 0 ? complete() : nil
        default: return nil
        }
    }

    private mutating func take(_ method: amqp_method_t) -> Incoming? {
        guard let decoded = method.decoded else { return nil }
        switch method.id {
        case AMQP_BASIC_ACK_METHOD:
            let ack = decoded.assumingMemoryBound(to: amqp_basic_ack_t.self).pointee
            return .answered(tag: ack.delivery_tag, multiple: ack.multiple != 0, refused: false)
        case AMQP_BASIC_NACK_METHOD:
            let nack = decoded.assumingMemoryBound(to: amqp_basic_nack_t.self).pointee
            return .answered(tag: nack.delivery_tag, multiple: nack.multiple != 0, refused: true)
        case AMQP_BASIC_RETURN_METHOD:
            let back = decoded.assumingMemoryBound(to: amqp_basic_return_t.self).pointee
            start = .returned(reason: "\(back.reply_code) \(text(back.reply_text)) for \(text(back.routing_key))")
        case AMQP_BASIC_DELIVER_METHOD:
            let deliver = decoded.assumingMemoryBound(to: amqp_basic_deliver_t.self).pointee
            start = .delivered(
                tag: deliver.delivery_tag,
                exchange: text(deliver.exchange),
                routingKey: text(deliver.routing_key),
                redelivered: deliver.redelivered != 0
            )
        case AMQP_BASIC_GET_OK_METHOD:
            let got = decoded.assumingMemoryBound(to: amqp_basic_get_ok_t.self).pointee
            start = .delivered(
                tag: got.delivery_tag,
                exchange: text(got.exchange),
                routingKey: text(got.routing_key),
                redelivered: got.redelivered != 0
            )
        case AMQP_BASIC_GET_EMPTY_METHOD: return .empty
        case AMQP_BASIC_CANCEL_METHOD: return .cancelled
        case AMQP_CONNECTION_BLOCKED_METHOD:
            return .blocked(
                reason: text(decoded.assumingMemoryBound(to: amqp_connection_blocked_t.self).pointee.reason)
            )
        case AMQP_CONNECTION_UNBLOCKED_METHOD: return .unblocked
        case AMQP_CHANNEL_CLOSE_METHOD, AMQP_CONNECTION_CLOSE_METHOD:
            return .closing(refusal(method) ?? Refusal(code: 0, text: "", isOfPublish: false))
        default: break
        }
        return nil
    }

    private mutating func read(_ properties: amqp_basic_properties_t) {
        messageID = nil
        headers = [:]
        if properties._flags & UInt32(AMQP_BASIC_MESSAGE_ID_FLAG) != 0 { messageID = text(properties.message_id) }
        guard properties._flags & UInt32(AMQP_BASIC_HEADERS_FLAG) != 0, let entries = properties.headers.entries
        else { return }
        for entry in UnsafeBufferPointer(start: entries, count: Int(properties.headers.num_entries)) {
            if let value = scalar(entry.value) { headers[text(entry.key)] = value }
        }
    }

    private mutating func complete() -> Incoming? {
        defer {
            start = nil
            messageID = nil
            headers = [:]
            body = []
        }
        switch start {
        case .returned(let reason): return .returned(messageID: messageID ?? "", reason: reason)
        case .delivered(let tag, let exchange, let routingKey, let redelivered):
            let delivery = Delivery(
                exchange: exchange,
                routingKey: routingKey,
                messageID: messageID,
                headers: headers,
                body: body,
                redelivered: redelivered
            )
            return .delivered(tag: tag, delivery)
        case nil: return nil
        }
    }
}

/// A header's value as text; nil for tables, arrays and nothing.
private func scalar(_ field: amqp_field_value_t) -> String? {
    switch UInt32(field.kind) {
    case AMQP_FIELD_KIND_UTF8.rawValue, AMQP_FIELD_KIND_BYTES.rawValue: text(field.value.bytes)
    case AMQP_FIELD_KIND_BOOLEAN.rawValue: field.value.boolean != 0 ? "true" : "false"
    case AMQP_FIELD_KIND_I8.rawValue: String(field.value.i8)
    case AMQP_FIELD_KIND_U8.rawValue: String(field.value.u8)
    case AMQP_FIELD_KIND_I16.rawValue: String(field.value.i16)
    case AMQP_FIELD_KIND_U16.rawValue: String(field.value.u16)
    case AMQP_FIELD_KIND_I32.rawValue: String(field.value.i32)
    case AMQP_FIELD_KIND_U32.rawValue: String(field.value.u32)
    case AMQP_FIELD_KIND_I64.rawValue: String(field.value.i64)
    case AMQP_FIELD_KIND_U64.rawValue, AMQP_FIELD_KIND_TIMESTAMP.rawValue: String(field.value.u64)
    case AMQP_FIELD_KIND_F32.rawValue: String(field.value.f32)
    case AMQP_FIELD_KIND_F64.rawValue: String(field.value.f64)
    default: nil
    }
}

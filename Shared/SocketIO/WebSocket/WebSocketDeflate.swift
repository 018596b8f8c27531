// SPDX-License-Identifier: Apache-2.0
// Compression of WebSocket messages, permessage-deflate (RFC 7692), over the system's zlib.

internal import CZlib
public import NIOCore

/// What was agreed on with a client.
public struct WebSocketDeflate: Equatable, Sendable {
    /// Whether both sides forget after each message: costs size, saves memory between messages.
    public var serverForgets = false
    public var clientForgets = false
    var serverWindow: Int32 = 15

    public init(serverForgets: Bool = false, clientForgets: Bool = false) {
        self.serverForgets = serverForgets
        self.clientForgets = clientForgets
    }

    /// The first of a client's offers that can be met; nil when none can (RFC 7692, section 7.1).
    ///
    /// - Parameter preferred: what is asked of both sides beyond the offer.
    public init?(offers: [String], preferred: WebSocketDeflate = WebSocketDeflate()) {
        for offer in offers.joined(separator: ",").split(separator: ",") {
            if let agreed = WebSocketDeflate(offer: offer, preferred) {
                self = agreed
                return
            }
        }
        return nil
    }

    private init?(offer: Substring, _ preferred: WebSocketDeflate) {
        let parts = offer.split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.filter { $0 != " " && $0 != "\t" }).lowercased()
        }
        guard parts.first == "permessage-deflate" else { return nil }
        self = preferred
        var seen: Set<String> = []
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.map(String.init), seen.insert(name).inserted else { return nil }
            let value = pair.count > 1 ? String(pair[1].filter { $0 != "\"" }) : nil
            switch name {
            case "server_no_context_takeover":
                guard value == nil else { return nil }
                serverForgets = true
            case "client_no_context_takeover":
                guard value == nil else { return nil }
                clientForgets = true
            case "server_max_window_bits":
                // zlib cannot make raw deflate with a window of 2^8.
                guard let bits = value.flatMap(Int32.init), (9...15).contains(bits), !value.isZeroPadded else {
                    return nil
                }
                serverWindow = bits
            case "client_max_window_bits":
                // Whatever the client's window is, ours is large enough.
                guard let value else { continue }
                guard let bits = Int32(value), (8...15).contains(bits), !pair.isEmpty else { return nil }
            default: return nil
            }
        }
    }

    /// The answer's `Sec-WebSocket-Extensions`.
    public var header: String {
        var text = "permessage-deflate"
        if serverForgets { text += "; server_no_context_takeover" }
        if clientForgets { text += "; client_no_context_takeover" }
        if serverWindow < 15 { text += "; server_max_window_bits=\(serverWindow)" }
        return text
    }
}

extension String? {
    fileprivate var isZeroPadded: Bool { self?.hasPrefix("0") ?? false }
}

/// Decompresses messages, one after the other.
public final class WebSocketInflater {
    public enum Outcome: Equatable {
        case whole(ByteBuffer)
        case tooLarge
        case broken
    }

    private let forgets: Bool
    private var stream: ZStream?

    public init(forgets: Bool) { self.forgets = forgets }

    /// What the sender took off each message's end (RFC 7692, section 7.2.1).
    static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    /// - Parameter limit: octets of the longest message; no more than that is ever made of it.
    func inflate(_ message: ByteBuffer, limit: Int) -> Outcome {
        defer { if forgets { stream = nil } }
        stream = stream ?? ZStream({ inflateInit2_($0, -15, ZLIB_VERSION, ZStream.size) }, end: { inflateEnd($0) })
        guard let stream = stream?.pointer else { return .broken }
        var output = ByteBufferAllocator().buffer(capacity: min(limit, max(256, message.readableBytes * 3)))
        for part in [message, ByteBuffer(bytes: WebSocketInflater.tail)] {
            switch feed(part, to: stream, &output, limit: limit) {
            case Z_OK: continue
            case Z_MEM_ERROR: return .tooLarge
            default: return .broken
            }
        }
        return .whole(output)
    }

    private func feed(
        _ part: ByteBuffer,
        to stream: UnsafeMutablePointer<z_stream>,
        _ output: inout ByteBuffer,
        limit: Int
    ) -> Int32 {
        var part = part
        return part.withUnsafeMutableReadableBytes { input -> Int32 in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(input.count)
            while true {
                // One octet more than allowed tells that there is too much.
                let room = min(max(4096, output.readableBytes), limit - output.readableBytes + 1)
                var result = Z_OK
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
                    let room = min(space.count, room)
                    stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(room)
                    result = CZlib.inflate(stream, Z_SYNC_FLUSH)
                    return room - Int(stream.pointee.avail_out)
                }
                if output.readableBytes > limit { return Z_MEM_ERROR }
                switch result {
                case Z_OK: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return Z_OK }
                // Nothing to do: the input is used up.
                case Z_BUF_ERROR: return stream.pointee.avail_in == 0 ? Z_OK : Z_DATA_ERROR
                // A message may end with a final block; the next begins anew.
                case Z_STREAM_END:
                    guard inflateReset(stream) == Z_OK else { return Z_DATA_ERROR }
                    if stream.pointee.avail_in == 0 { return Z_OK }
                default: return result == Z_MEM_ERROR ? Z_DATA_ERROR : result
                }
            }
        }
    }
}

/// Compresses messages, one after the other.
public final class WebSocketDeflater {
    private let forgets: Bool
    private let window: Int32
    private var stream: ZStream?

    public init(_ agreed: WebSocketDeflate) {
        forgets = agreed.serverForgets
        window = agreed.serverWindow
    }

    /// The message as a whole frame; nil when it cannot be compressed.
    func frame(_ message: WebSocketMessage) -> ByteBuffer? {
        defer { if forgets { stream = nil } }
        stream = stream ?? start()
        guard let stream = stream?.pointer else { return nil }
        var input = message.payload
        let most = Int(deflateBound(stream, UInt(input.readableBytes))) + 16
        var output = ByteBufferAllocator().buffer(capacity: most + WebSocketFrame.longestHeader)
        output.writeRepeatingByte(0, count: WebSocketFrame.longestHeader)
        output.moveReaderIndex(forwardBy: WebSocketFrame.longestHeader)
        let result = input.withUnsafeMutableReadableBytes { input -> Int32 in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(input.count)
            var result = Z_OK
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: 64) { space in
                    stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(space.count)
                    result = CZlib.deflate(stream, Z_SYNC_FLUSH)
                    return space.count - Int(stream.pointee.avail_out)
                }
            } while result == Z_OK && stream.pointee.avail_out == 0
            return result
        }
        let end = output.readableBytesView.suffix(4)
        guard result == Z_OK || result == Z_BUF_ERROR, end.elementsEqual(WebSocketInflater.tail) else {
            self.stream = nil
            return nil
        }
        output.moveWriterIndex(to: output.writerIndex - 4)
        // An empty message is one empty block (RFC 7692, section 7.2.3.6).
        if output.readableBytes == 0 { output.writeInteger(UInt8(0)) }
        let header = WebSocketFrame.header(
            opcode: (message.isText ? 1 : 2) | WebSocketFrame.compressed,
            length: output.readableBytes
        )
        output.moveReaderIndex(to: WebSocketFrame.longestHeader - header.count)
        output.setBytes(header, at: output.readerIndex)
        return output
    }

    private func start() -> ZStream? {
        ZStream(
            {
                deflateInit2_(
                    $0,
                    Z_DEFAULT_COMPRESSION,
                    Z_DEFLATED,
                    -window,
                    8,
                    Z_DEFAULT_STRATEGY,
                    ZLIB_VERSION,
                    ZStream.size
                )
            },
            end: { deflateEnd($0) }
        )
    }
}

/// A stream of zlib's, which must not move.
private final class ZStream {
    static let size = Int32(MemoryLayout<z_stream>.size)

    let pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let end: (UnsafeMutablePointer<z_stream>) -> Int32

    /// Nil when zlib cannot begin.
    init?(
        _ begin: (UnsafeMutablePointer<z_stream>) -> Int32,
        end: @escaping (UnsafeMutablePointer<z_stream>) -> Int32
    ) {
        self.end = end
        pointer.initialize(to: z_stream())
        guard begin(pointer) == Z_OK else { return nil }
    }

    deinit {
        // Where none has begun this does nothing.
        _ = end(pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}

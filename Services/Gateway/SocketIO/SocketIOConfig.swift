// SPDX-License-Identifier: Apache-2.0
// The settings of Socket.IO.

import ServiceKit
import SocketIO

extension GatewayConfig {
    static func socketIO(_ settings: inout Settings) -> SocketIOSettings {
        var socketIO = SocketIOSettings()
        func milliseconds(_ name: String, _ standard: Int, _ meaning: String) -> Milliseconds {
            Int64(settings.integer(name, default: standard, in: 100...3_600_000, meaning: "milliseconds \(meaning)"))
        }
        socketIO.engine.pingInterval = milliseconds(
            "MADANG_SOCKETIO_PING_INTERVAL",
            25_000,
            "from a client's answer to the next ping"
        )
        socketIO.engine.pingTimeout = milliseconds(
            "MADANG_SOCKETIO_PING_TIMEOUT",
            20_000,
            "in which a client must answer a ping"
        )
        socketIO.engine.maxPayload = settings.integer(
            "MADANG_SOCKETIO_MAX_PAYLOAD",
            default: 1_000_000,
            in: 1024...2_000_000,
            meaning: "octets of the longest Socket.IO body or message from a client"
        )
        socketIO.connectTimeout = milliseconds(
            "MADANG_SOCKETIO_CONNECT_TIMEOUT",
            10_000,
            "that a connection may be without a namespace"
        )
        socketIO.engine.strangerPayload = 96 * 1024
        return socketIO
    }
}

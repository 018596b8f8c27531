// SPDX-License-Identifier: Apache-2.0
// The settings of Socket.IO.

import ServiceKit
import SocketIO

extension GatewayConfig {
    static func socketIO(_ settings: inout Settings) -> SocketIOSettings {
        var socketIO = SocketIOSettings()
        let times = 100...3_600_000
        socketIO.engine.pingInterval = Int64(
            settings.integer(
                "MADANG_SOCKETIO_PING_INTERVAL",
                default: 25_000,
                in: times,
                meaning: "milliseconds from a client's answer to the next ping"
            )
        )
        socketIO.engine.pingTimeout = Int64(
            settings.integer(
                "MADANG_SOCKETIO_PING_TIMEOUT",
                default: 20_000,
                in: times,
                meaning: "milliseconds in which a client must answer a ping"
            )
        )
        socketIO.engine.maxPayload = settings.integer(
            "MADANG_SOCKETIO_MAX_PAYLOAD",
            default: 1_000_000,
            in: 1024...2_000_000,
            meaning: "octets of the longest Socket.IO body or message from a client"
        )
        socketIO.connectTimeout = Int64(
            settings.integer(
                "MADANG_SOCKETIO_CONNECT_TIMEOUT",
                default: 10_000,
                in: times,
                meaning: "milliseconds that a connection may be without a namespace"
            )
        )
        socketIO.engine.strangerPayload = 96 * 1024
        return socketIO
    }
}

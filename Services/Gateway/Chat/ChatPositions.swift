// SPDX-License-Identifier: Apache-2.0
// How far a client says it has got, as it says so at CONNECT and with `sync`.

import Domain
import JSON
import NIOCore
import SocketIO

/// What a client has of one channel.
struct ChatPosition: Equatable {
    var seq: Int64
    /// Nil when it does not ask for changes.
    var change: Int64?
}

enum ChatPositions {
    static let most = 1000

    enum Fault: Error, Equatable {
        case malformed
        case tooMany
    }

    /// Reads `{"<channel id>": seq | {"seq", "change"}}`.
    static func read(_ json: RawJSON) throws(Fault) -> [ChannelID: ChatPosition] {
        guard let members = json.members else { throw .malformed }
        guard members.count <= most else { throw .tooMany }
        var positions: [ChannelID: ChatPosition] = [:]
        for (name, value) in members {
            guard let id = ChannelID(name) else { throw .malformed }
            var position: ChatPosition
            if value.isObject {
                guard let seq = value.member("seq")?.integer else { throw .malformed }
                position = ChatPosition(seq: seq)
                if let change = value.member("change"), !change.isNull {
                    guard let number = change.integer else { throw .malformed }
                    position.change = number
                }
            } else {
                guard let seq = value.integer else { throw .malformed }
                position = ChatPosition(seq: seq)
            }
            guard position.seq >= 0, position.change ?? 0 >= 0 else { throw .malformed }
            positions[id] = position
        }
        return positions
    }
}

/// What a client sends with CONNECT.
struct ChatCredentials {
    let token: String?
    let positions: [ChannelID: ChatPosition]

    /// - Parameters:
    ///   - header: the token in the header of the opening request.
    ///   - parameter: its `access_token`.
    init(auth: ByteBuffer?, header: String?, parameter: String?) throws(ChatPositions.Fault) {
        var positions: [ChannelID: ChatPosition] = [:]
        var token: String?
        if let auth {
            let json = RawJSON(auth)
            token = json.member("token")?.text ?? json.member("authorization")?.text.flatMap(Token.afterScheme)
            if let channels = json.member("channels"), !channels.isNull {
                positions = try ChatPositions.read(channels)
            }
        }
        if token?.isEmpty == true { token = nil }
        if token == nil { token = header }
        if token == nil, let parameter, !parameter.isEmpty { token = parameter }
        // Some clients put the scheme before the token whatever the member is called.
        self.token = token.map { Token.afterScheme($0) ?? $0 }
        self.positions = positions
    }
}

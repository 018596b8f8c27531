// SPDX-License-Identifier: Apache-2.0
// GET /internal/rooms: where a connection's account belongs.

import Domain
import Events
import Views
import Web

/// The rooms of an account, as the gateway keeps them while it has a connection.
enum GetRooms {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let rooms = try await GatewayStore.rooms(of: account, in: dependencies.database)
        return .json { json in
            json.member("rooms", rooms.compactMap(RoomView.init))
            json.member(
                "playground_ids",
                rooms.compactMap { room in
                    guard case .playground(let id) = room else { return nil }
                    return id.description
                }
            )
        }
    }

    private struct RoomView: View {
        let head: ChannelHead
        let type: ChannelType
        let playground: PlaygroundID?

        /// Nil for a playground.
        init?(_ room: Room) {
            guard case .channel(let head, let type, let playground) = room else { return nil }
            self.head = head
            self.type = type
            self.playground = playground
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("channel_id", head.id)
                json.member("type", type.rawValue)
                json.member("playground_id", playground)
                json.member("last_seq", head.lastSeq)
                json.member("last_change", head.lastChange)
            }
        }
    }
}

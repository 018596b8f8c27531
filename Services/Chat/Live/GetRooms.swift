// SPDX-License-Identifier: Apache-2.0
// GET /internal/rooms: where a connection's account belongs.

import Domain
import Events
import Postgres
import Views
import Web

/// The rooms of an account, as the gateway keeps them while it has a connection.
enum GetRooms {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let rows = try await dependencies.database.query(GatewayStore.rooms(of: account))
        var rooms: [Room] = []
        var playgrounds: [PlaygroundID] = []
        for row in rows {
            var columns = row.columns
            let id: ChannelID? = try columns.next()
            let type: ChannelType? = try columns.next()
            let playground: PlaygroundID? = try columns.next()
            if let id, let type {
                rooms.append(
                    Room(
                        id: id,
                        type: type,
                        playground: playground,
                        lastSeq: try columns.next(),
                        lastChange: try columns.next()
                    )
                )
            } else if let playground {
                playgrounds.append(playground)
            }
        }
        return .json { [rooms, playgrounds] json in
            json.member("rooms", rooms)
            json.member("playground_ids", playgrounds.map(\.description))
        }
    }

    private struct Room: View {
        let id: ChannelID
        let type: ChannelType
        let playground: PlaygroundID?
        let lastSeq: Int64
        let lastChange: Int64

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("channel_id", id)
                json.member("type", type.rawValue)
                json.member("playground_id", playground)
                json.member("last_seq", lastSeq)
                json.member("last_change", lastChange)
            }
        }
    }
}

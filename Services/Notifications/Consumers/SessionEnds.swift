// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.sessions`: a device is pushed to as long as its session lasts.

import Domain
import Events
import Outbox

struct SessionEnds: Sendable {
    let retention: Retention

    static let name = "notifications.sessions"

    var queue: EventQueue {
        EventQueue(
            SessionEnds.name,
            [
                Reaction(to: SessionEnded.self) { event, transaction in
                    let session = event.data.sessionID
                    // A registration that is under way either is seen or sees the end.
                    LockStore.take(claiming: [session.rawValue], in: transaction)
                    DeviceStore.keepEnd(of: session, at: retention.now(), in: transaction)
                    _ = try await DeviceStore.remove(.session(session), in: transaction)
                }
            ]
        )
    }
}
